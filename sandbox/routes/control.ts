import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../answers';
import type { Fault, FaultList } from '../faults';
import type { OrderBook, OrderChange, OrderRequest } from '../orderBook';
import type { OrderEnd } from '../orders';
import { isApprovalCall, routeInCallData } from '../quotes';
import type { RouteParameters } from '../quotes';
import type { RequestLog } from '../requestLog';
import {
	announcementsSchema,
	endSchema,
	faultSchema,
	orderChangeSchema,
	transactionSchema,
} from './schemas';

interface ControlRouteSettings {
	orders: OrderBook;
	faults: FaultList;
	log: RequestLog;
}

/**
 * A submitted transaction: a quote's data (with `transactions`), one of its transactions (with `data` as
 * text), a whole answer (with `data` as the quote), or quote parameters.
 */
type TransactionRequest = Omit<
	OrderRequest,
	'beginsAfterSeconds' | 'inputNetwork' | 'outputNetwork'
> & {
	inputNetwork?: number | string;
	outputNetwork?: number | string;
	transactions?: Array<Record<string, unknown>>;
	data?: unknown;
};

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function routeOfCallData(data: unknown): RouteParameters {
	if (typeof data === 'string' && isApprovalCall(data)) {
		throw new ServiceError(
			'INVALID_PARAMETER',
			'This is the approval: submit the transaction of type bridge',
		);
	}
	const route = typeof data === 'string' ? routeInCallData(data) : undefined;
	if (route === undefined) {
		throw new ServiceError(
			'INVALID_PARAMETER',
			'The transaction data is not of a quote of this sandbox',
		);
	}
	return route;
}

/** The bridge transaction's data among a quote's transactions. */
function callDataAmong(transactions: unknown[]): unknown {
	const bridge = transactions.find(
		(transaction) => isRecord(transaction) && transaction.type === 'bridge',
	);
	if (!isRecord(bridge))
		throw new ServiceError('INVALID_PARAMETER', 'There is no transaction of type bridge');
	return bridge.data;
}

function numberOf(networkId: number | string | undefined): number | undefined {
	return networkId === undefined ? undefined : Number(networkId);
}

/** What order a submitted transaction makes. Throws INVALID_PARAMETER for data that is no bridge transaction. */
function orderRequestOf(body: TransactionRequest): OrderRequest {
	const { transactions, data, inputNetwork, outputNetwork, ...rest } = body;
	const quoted =
		transactions ??
		(isRecord(data) && Array.isArray(data.transactions) ? data.transactions : undefined);
	if (quoted !== undefined) return { ...rest, ...routeOfCallData(callDataAmong(quoted)) };
	if (data !== undefined) return { ...rest, ...routeOfCallData(data) };
	return { ...rest, inputNetwork: numberOf(inputNetwork), outputNetwork: numberOf(outputNetwork) };
}

/** The control part, under /sandbox: no key, no limit, not logged. */
export function registerControlRoutes(
	server: FastifyInstance,
	settings: ControlRouteSettings,
): void {
	const { orders, faults, log } = settings;

	server.get('/sandbox/health', () => ({ ok: true }));

	server.post<{ Body: TransactionRequest }>(
		'/sandbox/transactions',
		{ schema: { body: transactionSchema } },
		(request, reply) => {
			const [order] = orders.add([orderRequestOf(request.body)]);
			return reply.code(201).send(order === undefined ? {} : orders.summaryOf(order));
		},
	);

	server.post<{ Body: { orders: OrderRequest[] } }>(
		'/sandbox/announcements',
		{ schema: { body: announcementsSchema } },
		(request, reply) => {
			const announced = orders.add(request.body.orders).map((order) => orders.summaryOf(order));
			return reply.code(201).send({ orders: announced });
		},
	);

	server.get('/sandbox/orders', () => ({
		orders: orders.all().map((order) => orders.summaryOf(order)),
	}));

	server.delete('/sandbox/orders', (_request, reply) => {
		orders.clear();
		return reply.code(204).send();
	});

	server.patch<{ Params: { sourceHash: string }; Body: OrderChange }>(
		'/sandbox/orders/:sourceHash',
		{ schema: { body: orderChangeSchema } },
		(request) => orders.summaryOf(orders.change(request.params.sourceHash, request.body)),
	);

	server.post<{ Params: { sourceHash: string }; Body: { status: OrderEnd } }>(
		'/sandbox/orders/:sourceHash/end',
		{ schema: { body: endSchema } },
		(request) => orders.summaryOf(orders.endNow(request.params.sourceHash, request.body.status)),
	);

	server.get('/sandbox/faults', () => ({ faults: faults.all() }));

	server.post<{ Body: Fault }>(
		'/sandbox/faults',
		{ schema: { body: faultSchema } },
		(request, reply) => reply.code(201).send(faults.add(request.body)),
	);

	server.delete('/sandbox/faults', (_request, reply) => {
		faults.clear();
		return reply.code(204).send();
	});

	server.delete<{ Params: { id: string } }>('/sandbox/faults/:id', (request, reply) => {
		if (!faults.remove(Number(request.params.id)))
			throw new ServiceError('NOT_FOUND', 'No fault of this id');
		return reply.code(204).send();
	});

	server.get('/sandbox/requests', () => ({ requests: log.all() }));

	server.delete('/sandbox/requests', (_request, reply) => {
		log.clear();
		return reply.code(204).send();
	});
}
