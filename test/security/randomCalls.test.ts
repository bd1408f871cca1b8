import fc from 'fast-check';

import { PLAIN_DISPLAY } from '../../nodes/CrossChainBridge/orders/display';
import { emissionItem } from '../../nodes/CrossChainBridge/trigger/item';
import {
	answerTo,
	answerToGet,
	type WebhookAnswer,
} from '../../nodes/CrossChainBridge/webhook/answers';
import { readCall } from '../../nodes/CrossChainBridge/webhook/request';
import { readStoredWatch, storedWatch } from '../../nodes/CrossChainBridge/watch/stored';
import {
	EVERY,
	HOUR,
	MINUTE,
	NOT_FOUND,
	readBack,
	rulesWith,
	Watching,
} from '../unit/watch/watching';
import { CASES, casesRun, finishes, checkFor } from './cases';
import { anyJson, hostileText, writtenObject, type Written } from './hostileJson';
import { expectCleanPrototypes, expectPlainWords, expectSoundJson } from './invariants';

const HASH = `0x${'ab'.repeat(32)}`;
const ANSWERS = [200, 202, 400, 413, 429];

/** Enough of them are hashes that orders are accepted as well. */
const hashText = fc
	.oneof(
		hostileText,
		fc.stringMatching(/^0x[0-9a-f]{64}$/),
		fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{88}$/),
	)
	.map((text): Written => ({ text: JSON.stringify(text), value: text }));

/** An order with these fields besides its hash. */
const entryWith = (...names: string[]) =>
	fc
		.tuple(hashText, ...names.map(() => anyJson))
		.map(([hash, ...values]) =>
			writtenObject([
				['sourceHash', hash],
				...values.map((value, index) => [names[index] ?? '', value] as const),
			]),
		);
const orderEntry = fc.oneof(
	entryWith('reference', 'startedAt'),
	entryWith('recipient', 'minimumReceived', 'replaces'),
	entryWith('reference'),
	hashText,
	anyJson,
);
const orderList = fc
	.array(orderEntry, { maxLength: 4 })
	.map((entries) => `[${entries.map(({ text }) => text).join()}]`);

const anyCallBody = fc.oneof(
	orderList.map((text) => ({ text })),
	orderEntry,
	anyJson.map(({ text }) => ({ text: `{"data":${text},"files":{}}` })),
	anyJson,
);

/** As n8n hands a body over: parsed by JSON.parse (with its field named `__proto__`), or as the text it was. */
function handedOver(text: string, asText: boolean): unknown {
	return asText ? text : JSON.parse(withoutInfinity(text));
}

/** What JSON.parse makes of 1e400 is nothing that JSON has, so it would come back as null. */
function withoutInfinity(text: string): string {
	return text.replaceAll(/1[eE]\+?400/g, '1e40');
}

function expectSoundAnswer({ httpStatus, body, retryAfterSeconds }: WebhookAnswer): void {
	if (!ANSWERS.includes(httpStatus)) throw new Error(`HTTP ${httpStatus}`);
	expectSoundJson(body);
	const message: unknown = Reflect.get(body, 'message');
	// A caller gets back what it sent itself.
	if (httpStatus >= 400) expectPlainWords(String(message).replaceAll('marked-key-7f3a', ''), 700);
	if (retryAfterSeconds !== undefined && !(retryAfterSeconds > 0)) throw new Error('Retry-After');
}

afterEach(expectCleanPrototypes);

test('a call of any shape is accepted whole or rejected with a sentence, and what is saved is small sound JSON', () => {
	checkFor(10_000, fc.tuple(anyCallBody, fc.boolean()), ([{ text }, asText]) => {
		const call = readCall(handedOver(text, asText), Buffer.from(text));
		if (!call.ok) return expectSoundAnswer(call.answer);
		const watching = new Watching(rulesWith(EVERY));
		const { orders } = call;
		const accepted = watching.apply({ kind: 'posted', orders });
		expectSoundAnswer(answerTo('POST', accepted, watching.state, call.notes));
		for (const { sourceHash } of orders) {
			if (typeof sourceHash !== 'string' || sourceHash.length > 256 || sourceHash.length === 0)
				throw new Error(`A hash ${sourceHash}`);
			expectPlainWords(sourceHash.replaceAll('marked-key-7f3a', ''));
		}
		const kept = JSON.stringify(storedWatch(watching.state));
		if (kept.length > 200 + watching.state.orders.size * 3_000)
			throw new Error(`A state of ${kept.length} characters`);
		const read = readBack(watching.state);
		if (read === null || JSON.stringify(storedWatch(read)) !== kept)
			throw new Error('The state is not what was kept');
		expectSoundJson(storedWatch(watching.state));
		expectSoundAnswer(answerToGet(watching.state));
		const removed = new Watching(rulesWith(EVERY));
		removed.state = watching.state;
		expectSoundAnswer(
			answerTo('DELETE', removed.apply({ kind: 'removed', orders }), removed.state, call.notes),
		);
		if (removed.state.orders.size !== 0) throw new Error('What was posted was not removed');
		for (const later of [50 * HOUR, 5 * MINUTE]) {
			watching.wait(later);
			for (const { sourceHash } of orders) watching.check(sourceHash, NOT_FOUND);
		}
		if (watching.state.orders.size !== 0) throw new Error('What was posted is watched for ever');
		for (const emission of watching.emissions)
			expectSoundJson(
				emissionItem(emission, { simplify: true, display: PLAIN_DISPLAY }, watching.now),
			);
	});
});

test('whatever stands in the place of the state is a state or none', () => {
	const time = fc.oneof(fc.integer(), fc.double(), hostileText);
	const order = fc.record(
		{
			sourceHash: fc.oneof(hostileText, fc.integer()),
			since: time,
			status: anyJson.map(({ value }) => value),
			posted: anyJson.map(({ value }) => value),
			listed: fc.boolean(),
			unlistedAt: time,
			replaces: hostileText,
			expiresAt: time,
		},
		{ requiredKeys: [] },
	);
	const stored = fc.oneof(
		fc.record({
			version: fc.constantFrom(4, 5, 5, '5'),
			revision: time,
			orders: fc.array(order, { maxLength: 3 }),
			finished: fc.oneof(fc.constant([]), hostileText),
		}),
		anyJson.map(({ value }) => value),
	);
	checkFor(5_000, stored, (value) => {
		const state = readStoredWatch(value);
		if (state === null) return;
		for (const watched of state.orders.values()) {
			if (
				typeof watched.sourceHash !== 'string' ||
				!Number.isFinite(watched.since) ||
				typeof watched.redelivered !== 'boolean' ||
				(!watched.listed && watched.posted === null && watched.unlistedAt === null)
			)
				throw new Error('An order that is none');
		}
		JSON.stringify(storedWatch(state));
	});
});

const levels = (count: number): string => '['.repeat(count) + ']'.repeat(count);
const nested = (count: number): unknown => JSON.parse(levels(count));

test.each<[string, unknown, Buffer | undefined]>([
	['10,000 levels as text', levels(10_000), undefined],
	['10,000 levels in the bytes', {}, Buffer.from(`{"sourceHash":${levels(10_000)}}`)],
	[
		'10,000 levels of a reference, parsed',
		{ sourceHash: HASH, reference: nested(10_000) },
		Buffer.alloc(9),
	],
	['10,000 levels of a list, parsed', nested(10_000), Buffer.alloc(9)],
	['a text that is never closed', '', Buffer.from(`"${'\\"'.repeat(100_000)}`)],
	['a hash of 250 KB', { sourceHash: 'a'.repeat(250 * 1024) }, undefined],
	['references of 200 levels', { sourceHash: HASH, reference: nested(200) }, undefined],
])('%s: rejected with 400', (_name, body, rawBody) => {
	const call = finishes(() => readCall(body, rawBody));
	expect(call).toMatchObject({ ok: false, answer: { httpStatus: 400 } });
});

test('a field named __proto__ in a reference goes no further', () => {
	const text = `{"sourceHash":"${HASH}","reference":{"a":1,"__proto__":{"isAdmin":true}},"__proto__":{"orders":[]}}`;
	for (const rawBody of [Buffer.from(text), undefined])
		expect(readCall(JSON.parse(text), rawBody)).toEqual({
			ok: true,
			orders: [{ key: HASH, sourceHash: HASH, reference: { a: 1 }, startedAt: null }],
			notes: expect.any(Array),
		});
});

test(`${CASES.webhook} random cases or more were run in this file`, () => {
	expect(casesRun()).toBeGreaterThanOrEqual(CASES.webhook);
});
