import axios, { type AxiosInstance } from 'axios';
import type { IDataObject } from 'n8n-workflow';

import {
	type Fault,
	type OrderRequest,
	type OrderSummary,
	type Sandbox,
	type SandboxOptions,
	startSandbox,
} from '../../sandbox';
import { TestCredentials } from './credentials';
import { TestN8n } from './n8n';

/** A sandbox of the test's own, its controls, and a credential that leads to it. */
export interface Rehearsal {
	sandbox: Sandbox;
	credentials: TestCredentials;
	/** Announces orders; one that has no `beginsAfterSeconds` begins now. Gives their source hashes. */
	begin(...orders: OrderRequest[]): Promise<string[]>;
	finish(sourceHash: string, status: 'completed' | 'refunded' | 'failed'): Promise<void>;
	change(sourceHash: string, change: object): Promise<void>;
	fault(fault: Fault): Promise<void>;
	clearFaults(): Promise<void>;
	/** How many requests the service has had since the last call of forgetRequests. */
	requests(): Promise<
		Array<{ path: string; query: Record<string, string>; hasKey: boolean; status: number | null }>
	>;
	forgetRequests(): Promise<void>;
}

/** All calls of TestN8n send it. */
export const WEBHOOK_SECRET = 'the secret of these tests';

const begun: Array<() => Promise<void>> = [];

/** What a test has begun ends with it, the newest first. */
export function atEnd(end: () => Promise<void>): void {
	begun.push(end);
}

afterEach(async () => {
	jest.restoreAllMocks();
	for (const end of begun.splice(0).reverse()) await end();
});

let workflows = 0;

/** An n8n with a workflow of its own. */
export function n8nWith(credentials: TestCredentials): TestN8n {
	const n8n = new TestN8n(credentials, `workflow ${++workflows}`);
	atEnd(async () => await n8n.unpublish());
	return n8n;
}

/** A sandbox, and an n8n whose credential leads to it. */
export async function beginN8n(): Promise<{ bridge: Rehearsal; n8n: TestN8n }> {
	const bridge = await rehearse();
	return { bridge, n8n: n8nWith(bridge.credentials) };
}

const wallClock = Date.now.bind(Date);

/** The wall clock is so much ahead until the test ends, or until it is restored. */
export function wallClockAhead(ms: number): jest.SpyInstance {
	return jest.spyOn(Date, 'now').mockImplementation(() => wallClock() + ms);
}

export async function rehearse(options: SandboxOptions = {}): Promise<Rehearsal> {
	const sandbox = await startSandbox({ requestsPerMinute: 0, ...options });
	atEnd(async () => await sandbox.stop());
	const control: AxiosInstance = axios.create({ baseURL: `${sandbox.url}/sandbox` });
	return {
		sandbox,
		credentials: new TestCredentials({
			apiKey: sandbox.apiKey,
			baseUrl: sandbox.url,
			requestsPerMinute: 100_000,
			webhookSecret: WEBHOOK_SECRET,
		}),
		begin: async (...orders) => {
			const { data } = await control.post<{ orders: OrderSummary[] }>('/announcements', { orders });
			return data.orders.map(({ sourceHash }) => sourceHash);
		},
		finish: async (sourceHash, status) =>
			void (await control.post(`/orders/${sourceHash}/end`, { status })),
		change: async (sourceHash, change) =>
			void (await control.patch(`/orders/${sourceHash}`, change)),
		fault: async (fault) => void (await control.post('/faults', fault)),
		clearFaults: async () => void (await control.delete('/faults')),
		requests: async () => (await control.get<{ requests: never[] }>('/requests')).data.requests,
		forgetRequests: async () => void (await control.delete('/requests')),
	};
}

/** Orders that stay open until the test says otherwise. */
export async function openOrders({ begin }: Rehearsal, count = 1): Promise<string[]> {
	return await begin(...Array.from({ length: count }, () => ({ end: 'never' as const })));
}

/** A trigger that accepts orders, with one check a poll, so that a test says when. */
export const accepting = (more: IDataObject = {}) => ({
	parameters: triggerParameters({ acceptOrders: true, keepChecking: false, ...more }),
});

/** The fields of a trigger, with those of its options where the editor has them. */
export function triggerParameters({ keepChecking, checkEvery, options, ...others }: IDataObject) {
	const chosen = Object.entries({ keepChecking, checkEvery }).filter(
		([, value]) => value !== undefined,
	);
	return { ...others, options: { ...(options as IDataObject), ...Object.fromEntries(chosen) } };
}

/** What has started the workflow. */
export const startsOf = (n8n: TestN8n) =>
	n8n.started.map(({ json }) => ({
		hash: json.sourceHash,
		event: json.event,
		reference: json.reference,
	}));

/** Open orders of an age at which they are likely to finish, so that they are checked every second. */
export async function openAtFinishingAge({ begin }: Rehearsal, count = 1): Promise<string[]> {
	const timing = { createdAt: Math.floor(Date.now() / 1000) - 8 };
	return await begin(
		...Array.from({ length: count }, () => ({ end: 'never' as const, answer: { timing } })),
	);
}

/** Announces orders with these hashes that are completed at once. */
export async function beginCompleted(
	{ begin }: Rehearsal,
	sourceHashes: string[],
	answer: Record<string, unknown> = {},
): Promise<void> {
	const ends = { end: 'completed' as const, endsAfterSeconds: 0, answer };
	await begin(...sourceHashes.map((sourceHash) => ({ sourceHash, ...ends })));
}

/** The query parameters of all quotes that were asked for. */
export async function quotesAskedFor({
	requests,
}: Rehearsal): Promise<Array<Record<string, string>>> {
	return (await requests()).filter(({ path }) => path.endsWith('/quote')).map(({ query }) => query);
}

/** The query parameters of all checks that were asked for. */
export async function checksAskedFor({
	requests,
}: Rehearsal): Promise<Array<Record<string, string>>> {
	return (await requests())
		.filter(({ path }) => path.endsWith('/status'))
		.map(({ query }) => query);
}

/** Until the service has had so many requests, or such as these; bounded. */
export async function untilAsked(
	bridge: Rehearsal,
	count: number,
	askedFor: (bridge: Rehearsal) => Promise<unknown[]> = async ({ requests }) => await requests(),
): Promise<void> {
	for (let tries = 0; tries < 20_000; tries++) if ((await askedFor(bridge)).length >= count) return;
	throw new Error(`The service was asked less than ${count} times`);
}
