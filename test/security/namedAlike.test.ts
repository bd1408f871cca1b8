import { orderKey } from '../../nodes/CrossChainBridge/orders/hashForms';
import { beginCompleted } from '../engine/sandboxed';
import { bridge, n8n, restartWith } from '../engine/scene';

/** A service that gives all orders the same name, number or hash: each order starts the workflow all the same. */

const accepting = { parameters: { acceptOrders: true, options: { keepChecking: false } } };
const hashOf = (number: number) => `0x1${number.toString(16).padStart(63, '0')}`;
const post = async (...sourceHashes: string[]) =>
	await n8n.call({ body: sourceHashes.map((sourceHash) => ({ sourceHash })) });
const eventIds = () =>
	n8n.started.map(({ json }) => `${orderKey(String(json.sourceHash))}:${String(json.event)}`);

test.each<[string, Record<string, unknown>]>([
	['the orderId "unknown" and no hash', { orderId: 'unknown', input: { txHash: null } }],
	['the orderId 0 and no hash', { orderId: 0, input: { txHash: null } }],
	['a blank orderId and no hash', { orderId: ' ', input: { txHash: null } }],
	['an orderId of zeros and no hash', { orderId: `0x${'0'.repeat(64)}`, input: { txHash: '' } }],
	['one orderId and no input', { orderId: `0x${'ab'.repeat(32)}`, input: null }],
	['no orderId and the hash 0x', { orderId: null, input: { txHash: '0x' } }],
	['no orderId and a short hash', { orderId: null, input: { txHash: '0x10' } }],
	['no orderId and the word "pending" as hash', { orderId: null, input: { txHash: 'pending' } }],
	['no orderId and a hash of zeros', { orderId: null, input: { txHash: `0x${'0'.repeat(64)}` } }],
	[
		'one hash that could be an order’s',
		{ orderId: null, input: { txHash: `0x${'ab'.repeat(32)}` } },
	],
	[
		'one orderId and one hash that could be an order’s',
		{ orderId: 'Order_18', input: { txHash: `0x${'ab'.repeat(32)}` } },
	],
])('all orders have %s: none is swallowed, nor after a restart', async (_what, answer) => {
	const hashes = [1, 2, 3, 4].map(hashOf);
	await beginCompleted(bridge, hashes, answer);
	const registered = await n8n.publish([accepting]);
	expect(await post(...hashes.slice(0, 3))).toMatchObject({ body: { accepted: 3 } });
	await registered.poll();
	expect(eventIds()).toEqual([1, 2, 3].map((number) => `${hashOf(number)}:completed`));
	const again = await restartWith(accepting);
	expect(await post(...hashes)).toMatchObject({ body: { accepted: 1, alreadyFinishedCount: 3 } });
	await again.poll();
	expect(eventIds()).toEqual([`${hashOf(4)}:completed`]);
});

test('one hash in several spellings is one order, also after a restart', async () => {
	const spellings = ['ab', '0xab', '0xAB'].map((text) =>
		text.replace(/ab/i, (digits) => digits.repeat(32)),
	);
	await beginCompleted(bridge, ['ab'.repeat(32), `0x${'ab'.repeat(32)}`]);
	const registered = await n8n.publish([accepting]);
	await post(...spellings);
	for (let polls = 0; polls < 3; polls++) await registered.poll();
	expect(eventIds()).toEqual([`0x${'ab'.repeat(32)}:completed`]);
	const again = await restartWith(accepting);
	expect(await post(...spellings)).toMatchObject({
		body: { accepted: 0, alreadyFinishedCount: 3, watching: 0 },
	});
	await again.poll();
	expect(n8n.started).toEqual([]);
});
