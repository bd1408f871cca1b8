import axios from 'axios';
import type { AxiosInstance, AxiosResponse } from 'axios';
import { startSandbox } from '../../sandbox';
import type {
	Fault,
	LoggedRequest,
	OrderRequest,
	OrderSummary,
	Sandbox,
	SandboxOptions,
} from '../../sandbox';

/** A clock that moves only when it is set; Unix milliseconds, begins at a whole second. */
export class Clock {
	ms = Date.UTC(2030, 0, 1);

	now = (): number => this.ms;

	advance(seconds: number): void {
		this.ms += seconds * 1000;
	}

	get seconds(): number {
		return this.ms / 1000;
	}
}

export const API = '/api/sdk/v2';
export const EVM_WALLET = `0x${'1a'.repeat(20)}`;
export const SOLANA_WALLET = '4BCkqJvPiVKgaL2jnhyGVrEHXUygHQuLvMKbyW24brGE';
export const EVM_HASH = `0x${'ab'.repeat(32)}`;
export const OTHER_HASH = `0x${'cd'.repeat(32)}`;
export const USDC_ON_ETHEREUM = '0x166cab27f2cbb40426a5742c477d609e0716128b';

/** A sandbox with its own clock, spoken to over HTTP. */
export interface Rehearsal {
	sandbox: Sandbox;
	clock: Clock;
	/** Sends the API key; any status is an answer; follows no redirect. */
	client: AxiosInstance;
	/** Asks one of the three endpoints. */
	ask(endpoint: string, params?: object): Promise<AxiosResponse<unknown>>;
	/** The same with another key, or with none. */
	as(key?: string): Pick<Rehearsal, 'ask'>;
	/** What the service says of an order: the data of a good answer. */
	order(sourceHash?: string): Promise<Record<string, unknown>>;
	orders(): Promise<OrderSummary[]>;
	requests(): Promise<LoggedRequest[]>;
	announce(...orders: OrderRequest[]): Promise<OrderSummary[]>;
	addFault(fault: Fault): Promise<void>;
}

/** An axios client for a sandbox that takes every status as an answer. */
export function clientOf(url: string, headers: Record<string, string> = {}): AxiosInstance {
	return axios.create({
		baseURL: url,
		validateStatus: () => true,
		maxRedirects: 0,
		proxy: false,
		headers,
	});
}

const running: Sandbox[] = [];
afterEach(async () => {
	await Promise.all(running.splice(0).map(async (sandbox) => await sandbox.stop()));
});

/** Starts a sandbox on a free port, for one test. */
export async function rehearse(options: SandboxOptions = {}): Promise<Rehearsal> {
	const clock = new Clock();
	const sandbox = await startSandbox({ now: clock.now, ...options });
	running.push(sandbox);
	const client = clientOf(sandbox.url, { 'x-api-key': sandbox.apiKey });
	const askWith =
		(of: AxiosInstance) =>
		async (endpoint: string, params: object = {}) =>
			await of.get<unknown>(`${API}/${endpoint}`, { params });
	const ask = askWith(client);
	return {
		sandbox,
		clock,
		client,
		ask,
		as: (key) => ({
			ask: askWith(clientOf(sandbox.url, key === undefined ? {} : { 'x-api-key': key })),
		}),
		order: async (sourceHash = EVM_HASH) => {
			const { data } = await ask('status', { sourceHash });
			expect(data).toMatchObject({ success: true });
			return (data as { data: Record<string, unknown> }).data;
		},
		orders: async () => (await client.get<{ orders: never }>('/sandbox/orders')).data.orders,
		requests: async () =>
			(await client.get<{ requests: never }>('/sandbox/requests')).data.requests,
		announce: async (...orders) => {
			const response = await client.post<{ orders: OrderSummary[] }>('/sandbox/announcements', {
				orders,
			});
			expect(response.status).toBe(201);
			return response.data.orders;
		},
		addFault: async (fault) => {
			const response = await client.post<unknown>('/sandbox/faults', fault);
			expect(response.status).toBe(201);
		},
	};
}

/** One sandbox without a limit for all tests of a file that leave nothing behind; the result gives it, inside a test. */
export function rehearseTogether(): () => Rehearsal {
	let together: Rehearsal | undefined;
	beforeAll(async () => {
		together = await rehearse({ requestsPerMinute: 0 });
		running.splice(running.indexOf(together.sandbox), 1);
	});
	afterAll(async () => {
		await together?.sandbox.stop();
	});
	return () => {
		if (together === undefined) throw new Error('The shared sandbox has not started');
		return together;
	};
}

const STATUS_OF_CODE: Record<string, number> = {
	INVALID_PARAMETER: 400,
	INSUFFICIENT_LIQUIDITY: 400,
	UNAUTHORIZED: 401,
	NOT_FOUND: 404,
	CONFLICT: 409,
	RATE_LIMITED: 429,
	INTERNAL_ERROR: 500,
};

/** The answer is an error of that code, as the sandbox writes one by default, with these words in its message. */
export function expectError(
	{ status, data }: AxiosResponse<unknown>,
	code: string,
	words = '',
	expected = STATUS_OF_CODE[code],
): void {
	const message = expect.stringContaining(words) as string;
	expect({ status, data }).toEqual({
		status: expected,
		data: { success: false, error: { code, message } },
	});
}
