import type { IWebhookFunctions } from 'n8n-workflow';

import { acceptIntoInbox, forgetReadCalls } from '../../../nodes/CrossChainBridge/n8n/inbox';
import { sessionOf } from '../../../nodes/CrossChainBridge/n8n/session';
import { loadInbox, storeInbox } from '../../../nodes/CrossChainBridge/n8n/store';
import { type Post, postedOrder, rulesWith } from '../watch/watching';
import { FakeN8n } from './n8n';

/** The calls that wait for a poll of the durable engine. From the call to the poll: test/engine/webhook. */

let now = Date.now();
let call: IWebhookFunctions;
beforeEach(() => {
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	const n8n = new FakeN8n();
	call = n8n.call(n8n.node());
});
afterEach(() => void jest.restoreAllMocks());

const post = async (...posts: Post[]) => {
	const event = { kind: 'posted', orders: posts.map(postedOrder) } as const;
	return await acceptIntoInbox(sessionOf(call), call, event, rulesWith());
};
const remove = async (...hashes: string[]) => {
	const event = { kind: 'removed', orders: hashes.map(postedOrder) } as const;
	return await acceptIntoInbox(sessionOf(call), call, event, rulesWith());
};
const waiting = () =>
	loadInbox(call).map(({ at, removes, orders }) => [
		at - now,
		removes ? 'removes' : 'posts',
		...orders.map(({ sourceHash }) => sourceHash),
	]);

test('calls of one moment wait in the order in which they came, and so do later ones if the clock is set back', async () => {
	await post('0xA');
	await remove('0xA');
	now -= 60_000;
	await post('0xB');
	expect(waiting()).toEqual([
		[60_000, 'posts', '0xA'],
		[60_001, 'removes', '0xA'],
		[60_002, 'posts', '0xB'],
	]);
});

test('a removal of an order that this process does not know waits, because another one may know it; one that changes nothing does not', async () => {
	expect(await remove('0xA')).toMatchObject([{ kind: 'answer', result: { as: 'notWatched' } }]);
	expect(waiting()).toEqual([[0, 'removes', '0xA']]);
	expect(await post()).toEqual([]);
	expect(waiting()).toHaveLength(1);
});

test('what a committed state has read waits no longer; what it has not read does, also if n8n has saved an older copy over it', async () => {
	await post('0xA');
	const read = sessionOf(call).state;
	now += 1_000;
	await post('0xB');
	forgetReadCalls(call, read);
	now += 1_000;
	await post('0xC');
	expect(waiting()).toEqual([
		[-1_000, 'posts', '0xB'],
		[0, 'posts', '0xC'],
	]);
	storeInbox(call, []);
	await post('0xD');
	expect(waiting().map(([, , hash]) => hash)).toEqual(['0xB', '0xC', '0xD']);
});

test('a thousand orders with the largest references have room; what no longer has is not accepted, and changes nothing', async () => {
	const reference = 'x'.repeat(2_046);
	const posts = Array.from({ length: 1_000 }, (_, i) => ({
		hash: `0x1${i.toString(16).padStart(63, '0')}`,
		reference,
	}));
	const effects = await post(...posts);
	expect([effects.length, effects.every(({ kind }) => kind === 'answer')]).toEqual([1_000, true]);
	const { state } = sessionOf(call);
	now += 1_000;
	expect(await post(...posts)).toEqual([{ kind: 'full' }]);
	expect([sessionOf(call).state === state, waiting().length]).toEqual([true, 1]);
	expect(await remove('0xA')).toMatchObject([{ kind: 'answer' }]);
});
