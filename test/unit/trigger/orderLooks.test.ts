import type { Answer } from '../../../nodes/CrossChainBridge/bridge/envelope';
import { type BridgeService, n8nClock } from '../../../nodes/CrossChainBridge/bridge/service';
import { emptyTally } from '../../../nodes/CrossChainBridge/trigger/lookTally';
import { OrderLooks } from '../../../nodes/CrossChainBridge/trigger/orderLooks';
import type { Look } from '../../../nodes/CrossChainBridge/trigger/watchState';
import { RequestBudget } from '../../../nodes/CrossChainBridge/watch/requestBudget';

test.each<[string, Answer]>([
	['is no trouble of the service', { ok: false, refusal: { kind: 'unreachable', networkCode: 'ERR_CANCELED' } }],
	['shows nothing', { ok: true, data: { status: 'completed' } }],
])('what comes of a look that has been stopped %s', async (_what, answer) => {
	const tally = emptyTally();
	const taken: Look[] = [];
	const service = {
		budget: new RequestBudget(100, n8nClock),
		lane: 'lane',
		status: async (_hash: string, { signal }: { signal: AbortSignal }) => {
			await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
			return answer;
		},
	} as unknown as BridgeService;
	const looks = new OrderLooks({
		service,
		intervalMs: 5_000,
		askedAt: new Map(),
		tally: () => tally,
		onAsk: () => undefined,
		onLook: (_key, look) => void taken.push(look),
	});
	looks.watch(new Map([['0xa', '0xA']]));
	const looked = looks.lookOnce();
	looks.stop();
	await looked;
	await new Promise(setImmediate);
	expect([tally, taken]).toEqual([emptyTally(), []]);
});

test('one look at each order: 20 at a time, and all of them', async () => {
	const asked: string[] = [];
	const answers: Array<() => void> = [];
	let mostUnderWay = 0;
	const service = {
		budget: new RequestBudget(1_000, n8nClock),
		lane: 'lane',
		status: async () => {
			await new Promise<void>((resolve) => answers.push(resolve));
			return { ok: false, refusal: { kind: 'notFound' } };
		},
	} as unknown as BridgeService;
	const looks = new OrderLooks({
		service,
		intervalMs: 60_000,
		askedAt: new Map(),
		tally: () => emptyTally(),
		onAsk: (key) => void asked.push(key),
		onLook: () => undefined,
	});
	const orders = new Map(Array.from({ length: 90 }, (_, index) => [`0x${index}`, `0x${index}`]));
	looks.watch(orders);
	const looked = looks.lookOnce();
	while (answers.length > 0) {
		mostUnderWay = Math.max(mostUnderWay, answers.length);
		for (const answer of answers.splice(0)) answer();
		await new Promise(setImmediate);
	}
	await looked;
	looks.stop();
	expect(mostUnderWay).toBe(20);
	expect([...asked].sort()).toEqual([...orders.keys()].sort());
});
