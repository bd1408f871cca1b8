import axios from 'axios';
import type { AxiosInstance, AxiosResponse } from 'axios';
import { startSandbox } from '../../sandbox';
import type { Fault, OrderRequest, OrderSummary, Sandbox, SandboxOptions } from '../../sandbox';

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
export const EVM_HASH = `0x${'ab'.repeat(32)}`;

export interface ErrorBody {
	success: false;
	error: { code: string; message: string };
}

/** A sandbox with its own clock, spoken to over HTTP. */
export interface Rehearsal {
	sandbox: Sandbox;
	clock: Clock;
	/** Sends the API key; any status is an answer; follows no redirect. */
	client: AxiosInstance;
	status(sourceHash: string): Promise<AxiosResponse<unknown>>;
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

/** Starts a sandbox on a free port; `stopAll` stops it. */
export async function rehearse(options: SandboxOptions = {}): Promise<Rehearsal> {
	const clock = new Clock();
	const sandbox = await startSandbox({ now: clock.now, ...options });
	running.push(sandbox);
	const client = clientOf(sandbox.url, { 'x-api-key': sandbox.apiKey });
	return {
		sandbox,
		clock,
		client,
		status: async (sourceHash) =>
			await client.get<unknown>(`${API}/status`, { params: { sourceHash } }),
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

/**
 * One sandbox without a limit for all tests of a file or of a describe: for tests that leave nothing behind.
 * The result gives it, inside a test.
 */
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

/** Stops every sandbox that `rehearse` started: for afterEach. */
export async function stopAll(): Promise<void> {
	await Promise.all(running.splice(0).map(async (sandbox) => await sandbox.stop()));
}

/** The sandbox's default error body for a code. */
export function errorBody(code: string): ErrorBody {
	return { success: false, error: { code, message: expect.any(String) as string } };
}
