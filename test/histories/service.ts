import type { Note } from './census';

/** The bridge service of a history: its orders, what is wrong with it at the moment, and all final statuses that it has ever reported. */

export const FINAL_STATUSES = ['completed', 'refunded', 'failed'] as const;
export type FinalStatus = (typeof FINAL_STATUSES)[number];

export const FAULTS = [
	'limited',
	'limitedInTheMiddle',
	'limitedFor',
	'serverError',
	'serverPage',
	'dropped',
	'slow',
	'verySlow',
	'notFound',
	'rejected',
	'malformed',
	'wrongKey',
] as const;
export type Fault = (typeof FAULTS)[number];

/** How long the trigger waits for an answer. */
export const LONGEST_WAIT_MS = 30_000;

export interface Sent {
	delayMs: number;
	/** null: the connection breaks. */
	response: { statusCode: number; headers: Record<string, string>; body: string } | null;
}

const CONFIG = JSON.stringify({
	success: true,
	data: { networks: [{ chainId: 1, name: 'Ethereum' }] },
});

const NOT_FOUND = JSON.stringify({
	success: false,
	error: { code: 'NOT_FOUND', message: 'no such order' },
});

/** Bodies of HTTP 200 that do not report a final status, whatever they contain. */
const MALFORMED = [
	'{"success":true,"data":{"status":"compl',
	'{"success":true,"data":null}',
	'{"success":true}',
	'[]',
	'"completed"',
	'{"success":true,"data":{"status":["completed"]}}',
	'{"success":true,"data":{"status":{"completed":true}}}',
	'{"success":true,"data":{}}',
	'{"success":true,"data":{"__proto__":{"status":"completed"}}}',
	'<html>completed</html>',
	'',
];

interface Order {
	status: string;
	createdAt: number;
	completedAt: number | null;
}

export class Service {
	readonly orders = new Map<string, Order>();

	/** Final statuses that were sent in an answer: `${hash}:${status}`. */
	readonly reported = new Set<string>();

	/** When answers came about an order without a final status. */
	private readonly shownAt = new Map<string, number[]>();

	/** Hashes that stand for one order, by each of them. */
	private readonly groups = new Map<string, ReadonlySet<string>>();

	private fault: Fault | null = null;

	private requests = 0;

	constructor(
		private readonly now: () => number,
		private readonly note: Note,
	) {}

	/**
	 * The transaction of one hash replaces that of the other. No bridge ever finds both, because only one of them is in the chain: false, and
	 * nothing changes, if both are found already.
	 */
	replace(hash: string, replaced: string): boolean {
		const group = new Set([...this.groupOf(hash), ...this.groupOf(replaced)]);
		if ([...group].filter((each) => this.orders.has(each)).length > 1) return false;
		for (const each of group) this.groups.set(each, group);
		return true;
	}

	private groupOf(hash: string): ReadonlySet<string> {
		return this.groups.get(hash) ?? new Set([hash]);
	}

	/** An order begins, unless it is known by the hash of another transaction. */
	begin(hash: string): void {
		if ([...this.groupOf(hash)].some((each) => this.orders.has(each))) return;
		this.orders.set(hash, { status: 'pending', createdAt: this.now(), completedAt: null });
		this.note('an order begins');
	}

	/** An order that has not begun does so. One that is finished stays as it is. */
	move(hash: string, status: string): void {
		this.begin(hash);
		const order = this.orders.get(hash);
		if (order === undefined || this.finalStatusOf(hash) !== null) return;
		const isFinal = FINAL_STATUSES.some((final) => final === status);
		if (!isFinal) this.note('an order moves on');
		else
			this.note(
				order.status === 'pending'
					? 'an order skips states before it finishes'
					: 'an order finishes',
			);
		order.status = status;
		if (isFinal) order.completedAt = this.now();
	}

	/** Finishes all open orders, or a history would show little. */
	finishAll(): void {
		for (const [index, hash] of [...this.orders.keys()].entries())
			this.move(hash, FINAL_STATUSES[index % FINAL_STATUSES.length] ?? 'completed');
	}

	finalStatusOf(hash: string): FinalStatus | null {
		return FINAL_STATUSES.find((final) => final === this.orders.get(hash)?.status) ?? null;
	}

	set(fault: Fault | null): void {
		this.fault = fault;
	}

	/** Whether a response says that somebody has to correct the key or the address. */
	isWrong(url: string, response: Sent['response']): boolean {
		return url.endsWith('/config')
			? response?.statusCode !== 200 || response.body !== CONFIG
			: response?.statusCode === 401;
	}

	/** Answers, and takes down when what it says about the order is there. The trigger does not wait longer: then its check has failed. */
	answer(url: string, hash: string): Sent {
		const sent = this.answerTo(url, hash);
		const isThereAt = this.now() + Math.min(sent.delayMs, LONGEST_WAIT_MS);
		const isSeen = sent.delayMs < LONGEST_WAIT_MS;
		if (!isSeen || !showsFinal(sent.response))
			this.shownAt.set(hash, [...this.shownOpenAt(hash), isThereAt]);
		return sent;
	}

	shownOpenAt(hash: string): readonly number[] {
		return this.shownAt.get(hash) ?? [];
	}

	createdAt(hash: string): number | null {
		const order = this.orders.get(hash);
		return order === undefined ? null : Math.floor(order.createdAt / 1000) * 1000;
	}

	private answerTo(url: string, hash: string): Sent {
		const count = ++this.requests;
		this.note(`answer: ${this.fault ?? 'right'}`);
		const right = (): Sent['response'] =>
			url.endsWith('/config') ? answerOf(200, CONFIG) : this.statusOf(hash);
		const failed = (statusCode: number, headers: Record<string, string> = {}): Sent => ({
			delayMs: 30,
			response: { statusCode, headers, body: '{"success":false,"error":{"message":"invalid"}}' },
		});
		const isConfig = url.endsWith('/config');
		switch (this.fault) {
			case null:
				return { delayMs: 30, response: right() };
			case 'limited':
				return failed(429);
			case 'limitedInTheMiddle':
				return count % 3 === 1
					? failed(429, { 'retry-after': '2' })
					: { delayMs: 20 + (count % 4) * 400, response: right() };
			case 'limitedFor':
				return failed(429, { 'retry-after': String(1 + (count % 9)) });
			case 'serverError':
				return failed(500);
			case 'serverPage':
				return { delayMs: 30, response: answerOf(502, '<html>Bad gateway</html>') };
			case 'dropped':
				return { delayMs: 30, response: null };
			case 'slow':
				return { delayMs: 500 + ((count * 7) % 11) * 900, response: right() };
			case 'verySlow':
				return { delayMs: 20_000 + ((count * 7) % 5) * 5_000, response: right() };
			case 'notFound':
				return isConfig ? { delayMs: 30, response: right() } : failed(404);
			case 'rejected':
				return isConfig ? { delayMs: 30, response: right() } : failed(400);
			case 'malformed':
				return { delayMs: 30, response: answerOf(200, MALFORMED[count % MALFORMED.length] ?? '') };
			case 'wrongKey':
				return failed(401);
		}
	}

	private statusOf(hash: string): Sent['response'] {
		const order = this.orders.get(hash);
		if (order === undefined) return answerOf(404, NOT_FOUND);
		const final = this.finalStatusOf(hash);
		if (final !== null) this.reported.add(`${hash}:${final}`);
		const seconds = (ms: number): number => Math.floor(ms / 1000);
		const timing = {
			createdAt: seconds(order.createdAt),
			...(order.completedAt === null ? {} : { completedAt: seconds(order.completedAt) }),
		};
		return answerOf(200, JSON.stringify({ success: true, data: { status: order.status, timing } }));
	}
}

function answerOf(statusCode: number, body: string): Sent['response'] {
	return { statusCode, headers: {}, body };
}

function showsFinal(response: Sent['response']): boolean {
	try {
		const { data } = JSON.parse(response?.body ?? '') as { data?: { status?: unknown } };
		return FINAL_STATUSES.some((final) => final === data?.status);
	} catch {
		return false;
	}
}
