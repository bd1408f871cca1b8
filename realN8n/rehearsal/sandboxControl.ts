import axios, { type AxiosInstance } from 'axios';

import type {
	Fault,
	LoggedRequest,
	OrderEnd,
	OrderRequest,
	OrderSummary,
	Sandbox,
} from '../../sandbox';
import { until } from '../machine/until';

/** The control part of a running sandbox, over HTTP: what a chain does, and what a rehearsal wants to happen. */
export class SandboxControl {
	private readonly http: AxiosInstance;

	constructor(readonly sandbox: Sandbox) {
		this.http = axios.create({ baseURL: `${sandbox.url}/sandbox`, proxy: false, timeout: 10_000 });
	}

	/** Orders whose hashes are known now; each begins and finishes by itself, as it says. */
	async announce(orders: OrderRequest[]): Promise<OrderSummary[]> {
		const { data } = await this.http.post<{ orders: OrderSummary[] }>('/announcements', { orders });
		return data.orders;
	}

	/** Orders that begin now and stay open until `end` is called for them; returns their source hashes. */
	async openOrders(count: number): Promise<string[]> {
		const orders = await this.announce(
			Array.from({ length: count }, () => ({ end: 'never' as const })),
		);
		return orders.map(({ sourceHash }) => sourceHash);
	}

	/** Finishes an order at this moment. */
	async end(sourceHash: string, status: OrderEnd): Promise<void> {
		await this.http.post(`/orders/${sourceHash}/end`, { status });
	}

	async orders(): Promise<OrderSummary[]> {
		return (await this.http.get<{ orders: OrderSummary[] }>('/orders')).data.orders;
	}

	async addFault(fault: Fault): Promise<void> {
		await this.http.post('/faults', fault);
	}

	async clearFaults(): Promise<void> {
		await this.http.delete('/faults');
	}

	async requests(): Promise<LoggedRequest[]> {
		return (await this.http.get<{ requests: LoggedRequest[] }>('/requests')).data.requests;
	}

	/** How often the status of an order has been asked for so far. */
	async checksOf(sourceHash: string): Promise<number> {
		return (await this.requests()).filter(({ query }) => query.sourceHash === sourceHash).length;
	}

	/** Waits until an order's status has been asked for `count` times more than now. */
	async furtherChecksOf(sourceHash: string, count: number, seconds: number): Promise<void> {
		const before = await this.checksOf(sourceHash);
		await until(
			`${count} further check(s) of ${sourceHash}`,
			async () => (await this.checksOf(sourceHash)) >= before + count,
			{ seconds },
		);
	}
}
