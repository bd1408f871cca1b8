import type { FastifyInstance } from 'fastify';
import { deliverBadly } from '../delivery';
import type { Wait } from '../delivery';
import { ENDPOINTS, plannedAnswer } from '../faults';
import type { Endpoint, FaultList } from '../faults';
import type { Query } from '../quotes';
import type { RequestLog } from '../requestLog';
import { serve } from '../service';
import type { ServiceSettings } from '../service';

/** The path under which all endpoints of the service live. */
export const API_PATH = '/api/sdk/v2';

interface ServiceRouteSettings {
	service: ServiceSettings;
	faults: FaultList;
	wait: Wait;
	log: RequestLog;
}

/**
 * The service's part: three GET endpoints. A request is decided on when it arrives; a delay holds back the
 * answer as it was then, as a slow network does.
 */
export function registerServiceRoutes(
	server: FastifyInstance,
	settings: ServiceRouteSettings,
): void {
	for (const endpoint of ENDPOINTS) registerEndpoint(server, endpoint, settings);
}

function registerEndpoint(
	server: FastifyInstance,
	endpoint: Endpoint,
	settings: ServiceRouteSettings,
): void {
	const { service, faults, wait, log } = settings;
	server.get<{ Querystring: Query }>(`${API_PATH}/${endpoint}`, async (request, reply) => {
		const { query } = request;
		const header = request.headers['x-api-key'];
		const key = typeof header === 'string' ? header : undefined;
		const fault = faults.take(endpoint, query.sourceHash);
		const { answer, delivery } = plannedAnswer(
			fault,
			() => serve(service, endpoint, key, query),
			service.now(),
		);
		const clientGone = new AbortController();
		reply.raw.once('close', () => {
			clientGone.abort();
		});
		const letGo = AbortSignal.any([faults.cleared, clientGone.signal]);
		if (fault?.delaySeconds !== undefined) await wait(fault.delaySeconds * 1000, letGo);
		if (delivery.kind === 'whole') {
			// Without a body there is no content type either.
			const body = answer.body === '' ? undefined : answer.body;
			return await reply.code(answer.status).headers(answer.headers).send(body);
		}
		reply.hijack();
		if (delivery.kind !== 'drop' || delivery.when === 'afterHeaders')
			log.answered(request, answer.status);
		await deliverBadly(reply.raw, answer, delivery, wait, letGo);
		return reply;
	});
}
