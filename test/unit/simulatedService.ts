import type { Clock } from '../../nodes/CrossChainBridge/budget/clock';
import { type Permit, RequestBudget } from '../../nodes/CrossChainBridge/budget/requestBudget';
import { networksOf } from '../../nodes/CrossChainBridge/orders/networks';
import { failed, type ServiceResponse } from '../../nodes/CrossChainBridge/service/envelope';
import { type BridgeService, NO_NETWORKS } from '../../nodes/CrossChainBridge/service/service';

interface Responses {
	clock: Clock;
	status?(sourceHash: string, signal?: AbortSignal): Promise<ServiceResponse> | ServiceResponse;
	config?(): Promise<ServiceResponse> | ServiceResponse;
	requestsPerMinute?: number;
}

export { failed };

/** The credential may be edited: then there is another budget. */
type SimulatedService = Omit<BridgeService, 'budget'> & { budget: RequestBudget };

export const found = (data: object): ServiceResponse => ({ ok: true, data: { ...data } });

/** The service with these responses and, as the real one, a budget whose permits it settles. */
export function simulatedService({
	clock,
	status = () => found({ status: 'executing' }),
	config = () => found({ networks: [] }),
	requestsPerMinute = 10_000,
}: Responses): SimulatedService {
	const send = async (
		permit: Permit,
		respond: () => Promise<ServiceResponse> | ServiceResponse,
	) => {
		await Promise.resolve();
		const response = await respond();
		permit.settle();
		return response;
	};
	const acquire = async () =>
		await service.budget.acquire({
			priority: 'interactive',
			limit: service.requestsPerMinute,
			queueKey: '',
		});
	const service: SimulatedService = {
		budget: new RequestBudget(clock),
		problem: null,
		requestsPerMinute,
		longPause: () => null,
		config: async () => await send(await acquire(), config),
		configNow: async () => {
			const permit = service.budget.tryAcquire(service.requestsPerMinute);
			return permit === null ? null : await send(permit, config);
		},
		networks: async () => {
			const response = await service.config();
			if (!response.ok) return response;
			const networks = networksOf(response.data);
			return networks === null ? failed(NO_NETWORKS) : { ok: true, networks };
		},
		quote: async () => await Promise.reject(new Error('No quote is simulated')),
		status: async (sourceHash, permission) =>
			await send(
				permission?.permit ?? (await acquire()),
				async () => await status(sourceHash, permission?.signal),
			),
	};
	return service;
}
