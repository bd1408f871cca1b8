import { base58Address, base58Signature, hexAddress, hexHash } from './hashes';
import type { AddressStyle } from './networks';
import type { Route, RouteSide } from './quotes';

export const ORDER_ENDS = ['completed', 'refunded', 'failed'] as const;
/** A status after which an order does not change. */
export type OrderEnd = (typeof ORDER_ENDS)[number];

export const PLANNED_ENDS = [...ORDER_ENDS, 'never'] as const;
/** How an order is planned to end. */
export type PlannedEnd = (typeof PLANNED_ENDS)[number];

/** The five states of an order. */
export type OrderStatus = 'pending' | 'executing' | OrderEnd;

/** How parts that are not known yet are shown: left out, or null. */
export type MissingParts = 'absent' | 'null';

/** An order's whole life, fixed beforehand; all moments are Unix milliseconds of the wall clock. */
export interface Order {
	sourceHash: string;
	route: Route;
	beginsAtMs: number;
	/** When a solver is assigned; null = none ever is (but a completed order had one). */
	executesAtMs: number | null;
	end: PlannedEnd;
	/** When it ends; meaningless while `end` is never. */
	endsAtMs: number;
	missing: MissingParts;
	/** Laid over the answer's data: objects are merged, everything else is replaced. */
	answer: Record<string, unknown>;
	/** Paths such as "output.txHash" that are removed from the answer's data. */
	absent: string[];
}

/** The published example's distance between createdAt and expiry. */
const EXPIRY_SECONDS = 3600;

/** The order's status at a moment, or undefined if it has not begun. */
export function statusAt(order: Order, nowMs: number): OrderStatus | undefined {
	if (nowMs < order.beginsAtMs) return undefined;
	if (order.end !== 'never' && nowMs >= order.endsAtMs) return order.end;
	return order.executesAtMs !== null && nowMs >= order.executesAtMs ? 'executing' : 'pending';
}

/** When the solver was assigned, seen from a moment; null if none is (yet). A completed order always had one. */
function assignedAtMs(order: Order, status: OrderStatus): number | null {
	switch (status) {
		case 'pending':
			return null;
		case 'executing':
			return order.executesAtMs;
		case 'completed':
			return Math.min(order.executesAtMs ?? order.endsAtMs, order.endsAtMs);
		case 'refunded':
		case 'failed':
			return order.executesAtMs !== null && order.executesAtMs < order.endsAtMs
				? order.executesAtMs
				: null;
	}
}

function unixSeconds(milliseconds: number): number {
	return Math.floor(milliseconds / 1000);
}

function solverAddress(style: AddressStyle, label: string): string {
	switch (style) {
		case 'evm':
			return hexAddress(label);
		case 'solana':
			return base58Address(label);
		case 'movement':
			return hexHash(label);
	}
}

/** A transaction hash that depends only on the label, as the network writes them. */
export function transactionHash(style: AddressStyle, label: string): string {
	return style === 'solana' ? base58Signature(label) : hexHash(label);
}

function leg(side: RouteSide, txHash: string, timestampMs: number): Record<string, unknown> {
	return {
		chainId: side.network.chainID,
		txHash,
		token: side.token.address,
		amount: String(side.amount),
		address: side.address,
		timestamp: unixSeconds(timestampMs),
	};
}

/**
 * The status endpoint's `data` for an order at a moment, or undefined if the order has not begun.
 * Times are Unix seconds. Until it is known, a part is absent or null as the order's `missing` says; an order
 * that is refunded or failed has completedAt and a duration but no output, because nothing was delivered.
 */
export function statusData(order: Order, nowMs: number): Record<string, unknown> | undefined {
	const status = statusAt(order, nowMs);
	if (status === undefined) return undefined;
	const createdAt = unixSeconds(order.beginsAtMs);
	const hasFinished = status !== 'pending' && status !== 'executing';
	const completedAt = hasFinished ? unixSeconds(order.endsAtMs) : null;
	const solverSinceMs = assignedAtMs(order, status);
	const { input, output } = order.route;
	const data = {
		orderId: hexHash(`order ${order.sourceHash}`),
		status,
		input: leg(input, order.sourceHash, order.beginsAtMs),
		output:
			status === 'completed'
				? leg(
						output,
						transactionHash(output.network.style, `output ${order.sourceHash}`),
						order.endsAtMs,
					)
				: null,
		solver:
			solverSinceMs === null
				? null
				: {
						address: solverAddress(output.network.style, 'sandbox solver'),
						assignedAt: unixSeconds(solverSinceMs),
					},
		timing: {
			createdAt,
			expiry: createdAt + EXPIRY_SECONDS,
			completedAt,
			duration: completedAt === null ? null : completedAt - createdAt,
		},
	};
	const shown = order.missing === 'null' ? data : withoutNulls(data);
	return withoutPaths(mergedWith(shown, order.answer), order.absent);
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutNulls(record: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(record)
			.filter(([, value]) => value !== null)
			.map(([key, value]) => [key, isRecord(value) ? withoutNulls(value) : value]),
	);
}

/** A copy of `base` with `changes` laid over it: objects are merged, everything else (null too) is replaced. */
export function mergedWith(
	base: Record<string, unknown>,
	changes: Record<string, unknown>,
): Record<string, unknown> {
	const merged = new Map(Object.entries(base));
	for (const [key, change] of Object.entries(changes)) {
		const current = merged.get(key);
		merged.set(key, isRecord(current) && isRecord(change) ? mergedWith(current, change) : change);
	}
	return Object.fromEntries(merged);
}

/** A copy of `base` without the given paths ("output", "timing.completedAt"); unknown paths do nothing. */
export function withoutPaths(
	base: Record<string, unknown>,
	paths: readonly string[],
): Record<string, unknown> {
	return paths.reduce((record, path) => withoutPath(record, path.split('.')), base);
}

function withoutPath(
	record: Record<string, unknown>,
	path: readonly string[],
): Record<string, unknown> {
	const [key, ...rest] = path;
	if (key === undefined || !(key in record)) return record;
	const { [key]: value, ...others } = record;
	if (rest.length === 0) return others;
	return isRecord(value) ? { ...record, [key]: withoutPath(value, rest) } : record;
}
