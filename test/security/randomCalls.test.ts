import fc from 'fast-check';

import { PLAIN_DISPLAY } from '../../nodes/CrossChainBridge/orders/display';
import { FINAL_STATUSES } from '../../nodes/CrossChainBridge/orders/orders';
import { readStoredWatch, storedWatch } from '../../nodes/CrossChainBridge/state/codec';
import { EMPTY_STATE } from '../../nodes/CrossChainBridge/state/state';
import { WATCH_EXPIRED } from '../../nodes/CrossChainBridge/state/applyCheck';
import { referenceOf } from '../../nodes/CrossChainBridge/state/state';
import { triggerItem } from '../../nodes/CrossChainBridge/trigger/item';
import {
	answerDelete,
	answerGet,
	answerPost,
	type WebhookAnswer,
} from '../../nodes/CrossChainBridge/webhook/answers';
import { readCall } from '../../nodes/CrossChainBridge/webhook/request';
import { CASES, casesRun, finishes, checkFor } from './cases';
import { anyJson, hostileText, writtenObject, type Written } from './hostileJson';
import { expectCleanPrototypes, expectPlainWords, expectSoundJson } from './invariants';

const HASH = `0x${'ab'.repeat(32)}`;
const NOW = Date.parse('2026-01-01T00:10:00Z');
const RULES = { events: FINAL_STATUSES, includeFinished: true };
const ANSWERS = [200, 202, 400, 413, 429];
const MAX_BODY_BYTES = 256 * 1024;

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
	entryWith('reference'),
	hashText,
	anyJson,
);
const orderList = fc
	.array(orderEntry, { maxLength: 4 })
	.map((entries) => `[${entries.map(({ text }) => text).join()}]`);

const anyCallBody = fc.oneof(
	orderList.map((text) => ({ text })),
	orderList.map((text) => ({ text: `{"orders":${text}}` })),
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
	checkFor(
		10_000,
		fc.tuple(anyCallBody, anyJson, fc.boolean()),
		([{ text }, { value: query }, asText]) => {
			const call = readCall({ query, body: handedOver(text, asText), rawBody: Buffer.from(text) });
			if (!call.ok) return expectSoundAnswer(call);
			const { answer, state } = answerPost(EMPTY_STATE, call.orders, RULES, NOW);
			expectSoundAnswer(answer);
			for (const { sourceHash } of call.orders) {
				if (typeof sourceHash !== 'string' || sourceHash.length > 256 || sourceHash.length === 0)
					throw new Error(`A hash ${sourceHash}`);
				expectPlainWords(sourceHash.replaceAll('marked-key-7f3a', ''));
			}
			const kept = JSON.stringify(storedWatch(state));
			if (kept.length > 100 + state.orders.size * 3_000)
				throw new Error(`A state of ${kept.length} characters`);
			const readBack = readStoredWatch(JSON.parse(kept));
			if (readBack === null || JSON.stringify(storedWatch(readBack)) !== kept)
				throw new Error('The state is not what was kept');
			expectSoundJson(storedWatch(state));
			expectSoundAnswer(answerGet(state, RULES).answer);
			for (const order of state.orders.values())
				expectSoundJson(
					triggerItem(
						{
							sourceHash: order.sourceHash,
							order: null,
							lastStatus: order.status,
							reference: referenceOf(order),
							event: WATCH_EXPIRED,
							previousStatus: null,
							detectedAt: NOW,
						},
						{ simplify: true, display: PLAIN_DISPLAY },
					),
				);
			const removed = answerDelete(state, call.orders, RULES, NOW);
			expectSoundAnswer(removed.answer);
			if (removed.state.orders.size !== 0) throw new Error('What was posted was not removed');
		},
	);
});

test('whatever stands in the place of the state is a state or none', () => {
	const time = fc.oneof(fc.integer(), fc.double(), hostileText);
	const order = fc.record(
		{
			sourceHash: fc.oneof(hostileText, fc.integer()),
			since: time,
			status: anyJson.map(({ value }) => value),
			posted: anyJson.map(({ value }) => value),
			emitted: fc.boolean(),
			unlisted: fc.boolean(),
			expiresAt: time,
		},
		{ requiredKeys: [] },
	);
	const stored = fc.oneof(
		fc.record({
			version: fc.constantFrom(3, 4, 4, '4'),
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
				(!watched.listed && watched.posted === null)
			)
				throw new Error('An order that is none');
		}
		JSON.stringify(storedWatch(state));
	});
});

const levels = (count: number): string => '['.repeat(count) + ']'.repeat(count);
const nested = (count: number): unknown => JSON.parse(levels(count));

test.each<[string, unknown]>([
	['10,000 levels as text', levels(10_000)],
	['10,000 levels of a reference, parsed', { sourceHash: HASH, reference: nested(10_000) }],
	['10,000 levels of orders, parsed', { orders: nested(10_000) }],
	['a text that is never closed', `"${'\\"'.repeat(100_000)}`],
	['a hash of 256 KB', { sourceHash: 'a'.repeat(MAX_BODY_BYTES) }],
	['references of 200 levels', { sourceHash: HASH, reference: nested(200) }],
])('%s: rejected with 400', (_name, body) => {
	const call = finishes(() => readCall({ query: {}, body, rawBody: Buffer.alloc(MAX_BODY_BYTES) }));
	expect(call).toMatchObject({ ok: false, httpStatus: 400 });
});

test('a field named __proto__ in a reference goes no further', () => {
	const body: unknown = JSON.parse(
		`{"sourceHash":"${HASH}","reference":{"a":1,"__proto__":{"isAdmin":true}},"__proto__":{"orders":[]}}`,
	);
	expect(readCall({ query: {}, body, rawBody: Buffer.alloc(100) })).toEqual({
		ok: true,
		orders: [{ sourceHash: HASH, reference: { a: 1 }, startedAt: null }],
	});
});

test(`${CASES.webhook} random cases or more were run in this file`, () => {
	expect(casesRun()).toBeGreaterThanOrEqual(CASES.webhook);
});
