import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { TriggerContext } from '../../nodes/CrossChainBridge/n8n/internals';
import { knownSession, sessionOf } from '../../nodes/CrossChainBridge/n8n/session';
import { n8nClock } from '../../nodes/CrossChainBridge/service/n8nClock';
import { TestCredentials } from './credentials';
import type { TestN8n } from './n8n';
import { n8nWith, wallClockAhead } from './sandboxed';
import {
	bridge,
	events,
	n8n,
	openAndDue,
	polls,
	restartWith,
	watching as watchingOf,
} from './scene';

/** Triggers that share a process: whatever becomes of one, the others keep what is theirs, and what is over leaves nothing behind. */

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const another = (credentials = bridge.credentials) => n8nWith(credentials);
const open = async () => (await openAndDue())[0] ?? '';
const watching = (sourceHash: string, more: IDataObject = {}) => watchingOf([sourceHash], more);

const clock = n8nClock.now.bind(n8nClock);
let passed = 0;

/** So much time passes in which this process does nothing, as in a computer that sleeps. */
function pass(minutes: number): void {
	passed += minutes * 60_000;
	wallClockAhead(passed);
	jest.spyOn(n8nClock, 'now').mockImplementation(() => clock() + passed);
}

const triggerOf = (workflowId: string) =>
	({
		getWorkflow: () => ({ id: workflowId, active: true }),
		getNode: () => ({ id: 'id of Trigger' }),
	}) as unknown as TriggerContext;

/** Whether this process knows the trigger of this workflow. */
const isKnown = (workflowId: string): boolean => knownSession(triggerOf(workflowId)) !== null;

test('1,000 publishings that are refused silence nobody, and nothing of them is left', async () => {
	const [listed, posted] = [await open(), await open()];
	await n8n.publish([watching(listed, { acceptOrders: true })]);
	const left: TestN8n[] = [];
	const wrong = new TestCredentials({ ...bridge.credentials.data, apiKey: 'wrong' });
	let refused = 0;
	const member = async (): Promise<void> => {
		for (let publishing = 0; publishing < 50; publishing++) {
			const member = n8nWith(wrong);
			left.push(member);
			await member.publish([watching(listed)]).catch(() => refused++);
		}
	};
	await Promise.all(Array.from({ length: 20 }, member));
	expect(refused).toBe(1_000);
	expect(left.filter(({ workflowId }) => isKnown(workflowId))).toEqual([]);
	expect(await n8n.call({ body: { sourceHash: posted } })).toMatchObject({ status: 202 });
	await bridge.finish(listed, 'completed');
	await bridge.finish(posted, 'failed');
	await n8n.untilStarted(2);
	expect(events().sort()).toEqual([`${listed} completed`, `${posted} failed`].sort());
	expect(n8n.failures).toEqual([]);
});

test.each(['poll', 'tick'] as const)(
	'a trigger that was silent for long, as in a computer that sleeps, continues where it was, no matter who comes first after that: its %s',
	async (first) => {
		const [a, posted] = [await open(), await open()];
		const registered = await n8n.publish([watching(a, { acceptOrders: true })]);
		await bridge.finish(a, 'completed');
		pass(71);
		// A trigger that has been silent for long is forgotten as soon as another trigger is published; no tick can come between.
		sessionOf(triggerOf(`another, before the ${first}`));
		expect(isKnown(n8n.workflowId)).toBe(false);
		if (first === 'poll') await registered.poll();
		registered.tick();
		await n8n.untilStarted(1);
		expect(await n8n.call({ body: { sourceHash: posted } })).toMatchObject({ status: 202 });
		await bridge.finish(posted, 'failed');
		await n8n.untilStarted(2);
		await registered.poll();
		expect(events()).toEqual([`${a} completed`, `${posted} failed`]);
		expect(n8n.failures).toEqual([]);
	},
);

test.each(['activate', 'init'] as const)(
	'a trigger that was silent for long is not being published: a wrong key, or settings that were never well (%s), show with its next poll',
	async (mode) => {
		const { data } = bridge.credentials;
		if (mode === 'init') bridge.credentials.data = undefined;
		const watch = watching(await open(), { keepChecking: mode === 'init' });
		const registered = await n8n.publish([watch], { mode });
		expect(n8n.failures).toEqual([]);
		pass(71);
		await another(new TestCredentials(data)).publish([watching(await open())]);
		if (mode === 'activate') bridge.credentials.data = { ...data, apiKey: 'wrong' };
		// The checks that one poll begins show with the next one.
		await polls(registered, 2);
		expect(n8n.failures).toHaveLength(1);
	},
);

test('after a computer has slept, so that the wall clock is ahead of all others, posted orders are checked in time', async () => {
	const registered = await n8n.publish([watching(await open(), { acceptOrders: true })]);
	const posted = await bridge.begin(
		{ end: 'completed', endsAfterSeconds: 0 },
		{ end: 'completed', endsAfterSeconds: 0 },
	);
	wallClockAhead(3_600_000);
	registered.tick();
	for (const [index, sourceHash] of posted.entries()) {
		expect(await n8n.call({ body: { sourceHash } })).toMatchObject({ status: 202 });
		await n8n.untilStarted(index + 1);
	}
});

test('what a trigger remembers stays, however long nothing has changed, and whichever trigger of its workflow polls first', async () => {
	const [finished, other] = [await open(), await open()];
	await bridge.finish(finished, 'completed');
	const slowly = (sourceHashes: string, name: string) => ({
		...watching(sourceHashes, { keepChecking: false }),
		name,
		id: name,
	});
	const both = [slowly(finished, 'One'), slowly(other, 'Two')];
	let registered = await n8n.publish(both);
	await registered.poll('One');
	expect(events()).toEqual([`${finished} completed`]);
	for (let month = 0; month < 5; month++) {
		pass(31 * 24 * 60);
		await registered.poll('One');
	}
	registered = await restartWith(...both.reverse());
	await registered.poll('Two');
	await registered.poll('One');
	expect(events()).toEqual([]);
});

test('what was unpublished is released: its session, its context, its tenant', async () => {
	pass(0);
	const hash = await open();
	const left: Array<WeakRef<object>> = [];
	const names: string[] = [];
	const publishAndUnpublish = async (): Promise<void> => {
		const gone = another();
		const registered = await gone.publish([watching(hash, { acceptOrders: true })]);
		const context: IPollFunctions = registered.contextOf();
		const checker = knownSession(context)?.checker ?? null;
		names.push(gone.workflowId);
		left.push(new WeakRef(context), ...(checker === null ? [] : [new WeakRef(checker)]));
		await gone.unpublish();
	};
	for (let times = 0; times < 5; times++) await publishAndUnpublish();
	expect(left).toHaveLength(10);
	expect(names.filter(isKnown)).toHaveLength(5);
	// The process is not suspended meanwhile: somebody else comes.
	pass(60);
	await another().publish([watching(hash)]);
	pass(60);
	await n8n.publish([watching(hash)]);
	expect(names.filter(isKnown)).toEqual([]);
	// From its first step the one that lives plans without them.
	await bridge.finish(hash, 'completed');
	await n8n.untilStarted(1);
	const kept = () => left.filter((reference) => reference.deref() !== undefined);
	// A tenant claims a part of the budget for some seconds after it was driven last.
	for (let tries = 0; tries < 200 && kept().length > 0; tries++) {
		await new Promise((resolve) => setTimeout(resolve, 100));
		collectGarbage();
	}
	expect(kept()).toEqual([]);
});
