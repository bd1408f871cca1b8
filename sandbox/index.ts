import AjvCompiler from '@fastify/ajv-compiler';
import Fastify from 'fastify';
import type { FastifyError, FastifyInstance } from 'fastify';
import { errorAnswer, htmlAnswer, HTTP_STATUS_OF_CODE, ServiceError } from './answers';
import type { Answer } from './answers';
import { waitOnTheClock } from './delivery';
import type { Wait } from './delivery';
import { FAULT_KINDS, FaultList } from './faults';
import { Conflict, OrderBook } from './orderBook';
import { SlidingWindow } from './rateLimit';
import { RequestLog } from './requestLog';
import { registerControlRoutes } from './routes/control';
import { registerPage } from './routes/page';
import { registerServiceRoutes } from './routes/service';

export type { ErrorCode, ErrorShape } from './answers';
export type { Wait } from './delivery';
export type { Endpoint, Fault, FaultKind, FaultScope, WaitingFault } from './faults';
export type { Network } from './networks';
export type { OrderChange, OrderRequest, OrderSummary } from './orderBook';
export type { MissingParts, OrderEnd, OrderStatus, PlannedEnd } from './orders';
export type { LoggedRequest } from './requestLog';

export interface SandboxOptions {
	/** Default 0: any free port. */
	port?: number;
	/** Default sandbox-key. */
	apiKey?: string;
	/** Limit of `apiKey`; default 100, 0 = no limit. */
	requestsPerMinute?: number;
	/** Further keys, each with its own limit of requests per minute (0 = no limit). */
	furtherKeys?: Readonly<Record<string, number>>;
	/** How many times faster than the wall clock orders go; default 1. */
	speed?: number;
	/** Whether the config endpoint's chainID selects one network; default false, as in the interface's example. */
	filterConfig?: boolean;
	/** Whether a 429 carries a Retry-After header in seconds; default false, the interface shows none. */
	retryAfter?: boolean;
	/** A quote for more than this number of whole US dollars has not enough liquidity; default 1,000,000. */
	liquidityUsd?: number;
	/** The clock, Unix milliseconds; default the machine's. */
	now?: () => number;
	/** Chance, from 0 to below 1; default Math.random. */
	random?: () => number;
	/** How faults wait; default the machine's clock. */
	wait?: Wait;
}

export interface Sandbox {
	/** http://127.0.0.1:PORT: the base URL of the service. */
	url: string;
	apiKey: string;
	/** Drops open connections, answers under way too, and frees the port. Can be called twice. */
	stop(): Promise<void>;
}

export const DEFAULT_API_KEY = 'sandbox-key';
export const DEFAULT_REQUESTS_PER_MINUTE = 100;
const DEFAULT_LIQUIDITY_USD = 1_000_000;
const HOST = '127.0.0.1';
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Throws RangeError for numbers that make no sense. */
function checkNumbers(limits: ReadonlyMap<string, number>, speed: number): void {
	if (!(Number.isFinite(speed) && speed > 0))
		throw new RangeError('speed must be a number above 0');
	for (const limit of limits.values()) {
		if (!(Number.isInteger(limit) && limit >= 0)) {
			throw new RangeError('requestsPerMinute must be a whole number, 0 for no limit');
		}
	}
}

function sentenceOf(error: FastifyError): string {
	const [problem] = error.validation ?? [];
	if (problem?.keyword === 'discriminator') return `kind must be one of ${FAULT_KINDS.join(', ')}`;
	const field = problem?.params.additionalProperty;
	return typeof field === 'string' ? `Unknown field ${field}` : error.message;
}

/** The answer to a request that a route refused or that Fastify could not read. */
function answerOfError(error: FastifyError): Answer {
	if (error instanceof ServiceError) {
		return errorAnswer('envelope', HTTP_STATUS_OF_CODE[error.code], error.code, error.message);
	}
	if (error instanceof Conflict) return errorAnswer('envelope', 409, 'CONFLICT', error.message);
	const status = error.statusCode ?? 500;
	if (status >= 500) return errorAnswer('envelope', status, 'INTERNAL_ERROR', error.message);
	return errorAnswer('envelope', status, 'INVALID_PARAMETER', sentenceOf(error));
}

/** The answer for a path that does not exist: JSON where the service and the controls live, otherwise a web page. */
function answerForUnknownPath(path: string): Answer {
	const isOurs = path.startsWith('/api/') || path.startsWith('/sandbox/');
	return isOurs
		? errorAnswer('envelope', 404, 'NOT_FOUND', `There is no ${path}`)
		: htmlAnswer(404, '<!doctype html><title>Not found</title><h1>Not found</h1>');
}

function pathOf(url: string): string {
	return url.split('?')[0] ?? url;
}

function registerLog(server: FastifyInstance, log: RequestLog, now: () => number): void {
	server.addHook('onRequest', (request, _reply, done) => {
		const path = pathOf(request.url);
		if (!path.startsWith('/sandbox/')) {
			log.arrived(request, {
				at: new Date(now()).toISOString(),
				method: request.method,
				path,
				query: { ...(request.query as Record<string, unknown>) },
				hasKey: request.headers['x-api-key'] !== undefined,
			});
		}
		done();
	});
	server.addHook('onSend', (request, reply, _payload, done) => {
		log.answered(request, reply.statusCode);
		done();
	});
}

/**
 * A body is read as JSON whatever its content type says (curl -d names a form), and may be missing: n8n, for
 * one, sends none for an empty object.
 */
function registerBodies(server: FastifyInstance): void {
	server.removeAllContentTypeParsers();
	const parse = server.getDefaultJsonParser('error', 'error');
	server.addContentTypeParser('*', { parseAs: 'string' }, (request, body: string, done) => {
		if (body.trim() === '') done(null, {});
		else void parse(request, body, done);
	});
	server.addHook('preValidation', (request, _reply, done) => {
		request.body ??= {};
		done();
	});
}

/** One for all sandboxes of the process: to compile the schemas takes longer than all the rest of a start. */
const buildValidator = AjvCompiler();

/**
 * Starts the bridge service's sandbox on 127.0.0.1.
 * Throws RangeError for senseless options, and the system's error (EADDRINUSE) if the port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const apiKey = options.apiKey ?? DEFAULT_API_KEY;
	const now = options.now ?? Date.now;
	const speed = options.speed ?? 1;
	const limits = new Map([
		...Object.entries(options.furtherKeys ?? {}),
		[apiKey, options.requestsPerMinute ?? DEFAULT_REQUESTS_PER_MINUTE] as const,
	]);
	checkNumbers(limits, speed);

	const orders = new OrderBook({ now, random: options.random ?? Math.random, speed });
	const faults = new FaultList();
	const log = new RequestLog();
	const server = Fastify({
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		bodyLimit: MAX_BODY_BYTES,
		routerOptions: { maxParamLength: 200 },
		schemaController: { compilersFactory: { buildValidator } },
		ajv: {
			customOptions: {
				removeAdditional: false,
				coerceTypes: false,
				discriminator: true,
				strictTypes: false,
			},
		},
	});
	registerLog(server, log, now);
	registerBodies(server);
	server.setErrorHandler<FastifyError>((error, _request, reply) => {
		const answer = answerOfError(error);
		return reply.code(answer.status).headers(answer.headers).send(answer.body);
	});
	server.setNotFoundHandler((request, reply) => {
		const answer = answerForUnknownPath(pathOf(request.url));
		return reply.code(answer.status).headers(answer.headers).send(answer.body);
	});
	registerPage(server);
	registerControlRoutes(server, { orders, faults, log });
	registerServiceRoutes(server, {
		service: {
			limits,
			filterConfig: options.filterConfig ?? false,
			retryAfter: options.retryAfter ?? false,
			liquidityUsd: options.liquidityUsd ?? DEFAULT_LIQUIDITY_USD,
			now,
			orders,
			window: new SlidingWindow(),
		},
		faults,
		wait: options.wait ?? waitOnTheClock,
		log,
	});
	const url = await server.listen({ host: HOST, port: options.port ?? 0 });
	return {
		url,
		apiKey,
		// Closing drops every connection (forceCloseConnections), and with it whatever a fault holds back.
		stop: async () => {
			await server.close();
		},
	};
}
