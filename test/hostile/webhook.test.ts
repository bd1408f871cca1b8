import fc from 'fast-check';

import { END_STATUSES } from '../../nodes/CrossChainBridge/bridge/orders';
import { readStoredWatch, storedWatch } from '../../nodes/CrossChainBridge/trigger/storedWatch';
import { givenUpItem } from '../../nodes/CrossChainBridge/trigger/triggerItem';
import { EMPTY_STATE } from '../../nodes/CrossChainBridge/trigger/watchState';
import { answerDelete, answerGet, answerPost, type WebhookAnswer } from '../../nodes/CrossChainBridge/trigger/webhook/answers';
import { MOST_BODY_BYTES, readCall } from '../../nodes/CrossChainBridge/trigger/webhook/request';
import { PLAIN_READING } from '../../nodes/CrossChainBridge/bridge/orderReading';
import { CASES, casesRun, comesToAnEnd, holdsFor } from './cases';
import { anyJson, hostileText, writtenObject, type Written } from './hostileJson';
import { expectCleanPrototypes, expectPlainWords, expectSoundJson } from './invariants';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const RULES = { events: END_STATUSES, includeEnded: true };
const ANSWERS = [200, 202, 400, 413, 429];

const orderEntry = fc.oneof(
	fc.tuple(hostileText, anyJson).map(([hash, reference]) => writtenObject([['sourceHash', { text: JSON.stringify(hash), value: hash }], ['reference', reference]])),
	hostileText.map((hash): Written => ({ text: JSON.stringify(hash), value: hash })),
	anyJson,
);

const anyCallBody = fc.oneof(
	fc.array(orderEntry, { maxLength: 4 }).map((entries) => ({ text: `[${entries.map(({ text }) => text).join()}]` })),
	fc.array(orderEntry, { maxLength: 4 }).map((entries) => ({ text: `{"orders":[${entries.map(({ text }) => text).join()}]}` })),
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
	if (httpStatus >= 400) expectPlainWords(String(message), 300);
	if (retryAfterSeconds !== undefined && !(retryAfterSeconds > 0)) throw new Error('Retry-After');
}

afterEach(expectCleanPrototypes);

test('a call of any shape is taken whole or refused with a sentence, and what is kept is small sound JSON', () => {
	holdsFor(10_000, fc.tuple(anyCallBody, anyJson, fc.boolean()), ([{ text }, { value: query }, asText]) => {
		const call = readCall({ query, body: handedOver(text, asText), bytes: text.length });
		const posted = answerPost(EMPTY_STATE, call, RULES, NOW);
		expectSoundAnswer(posted.answer);
		if (call.ok) {
			for (const { sourceHash } of call.orders) {
				if (typeof sourceHash !== 'string' || sourceHash.length > 256 || sourceHash.length === 0) throw new Error(`A hash ${sourceHash}`);
				expectPlainWords(sourceHash.replaceAll('marked-key-7f3a', ''));
			}
		} else if (posted.state !== null) throw new Error('A refused call has changed something');
		const state = posted.state ?? EMPTY_STATE;
		const kept = JSON.stringify(storedWatch(state));
		if (kept.length > 100 + state.orders.size * 3_000) throw new Error(`A state of ${kept.length} characters`);
		const readBack = readStoredWatch(JSON.parse(kept));
		if (readBack === null || JSON.stringify(storedWatch(readBack)) !== kept) throw new Error('The state is not what was kept');
		expectSoundJson(storedWatch(state));
		expectSoundAnswer(answerGet(state, RULES));
		for (const order of state.orders.values()) expectSoundJson(givenUpItem(order, NOW, { simplify: true, reading: PLAIN_READING }));
		const removed = answerDelete(state, call, RULES, NOW);
		expectSoundAnswer(removed.answer);
		if (call.ok && (removed.state ?? state).orders.size !== 0) throw new Error('What was posted was not removed');
	});
});

test('whatever stands in the place of the state is a state or none', () => {
	const time = fc.oneof(fc.integer(), fc.double(), hostileText);
	const order = fc.record({ hash: fc.oneof(hostileText, fc.integer()), since: time, status: anyJson.map(({ value }) => value), posted: anyJson.map(({ value }) => value), told: fc.boolean(), unlisted: fc.boolean(), expiresAt: time }, { requiredKeys: [] });
	const stored = fc.oneof(fc.record({ version: fc.constantFrom(1, 2, 3, '2'), revision: time, orders: fc.array(order, { maxLength: 3 }) }), anyJson.map(({ value }) => value));
	holdsFor(5_000, stored, (value) => {
		const state = readStoredWatch(value);
		if (state === null) return;
		for (const watched of state.orders.values()) {
			if (typeof watched.sourceHash !== 'string' || !Number.isFinite(watched.since) || typeof watched.told !== 'boolean' || (!watched.listed && watched.posted === null)) throw new Error('An order that is none');
		}
		JSON.stringify(storedWatch(state));
	});
});

test.each<[string, unknown]>([
	['10,000 levels as text', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
	['10,000 levels of a reference, parsed', { sourceHash: '0xab', reference: JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`) as unknown }],
	['10,000 levels of orders, parsed', { orders: JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`) as unknown }],
	['a text without an end', `"${'\\"'.repeat(100_000)}`],
	['a hash of 256 KB', { sourceHash: 'a'.repeat(MOST_BODY_BYTES) }],
	['references of 200 levels', { sourceHash: '0xab', reference: JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as unknown }],
])('%s: refused with 400', (_name, body) => {
	const call = comesToAnEnd(() => readCall({ query: {}, body, bytes: MOST_BODY_BYTES }));
	expect(call).toMatchObject({ ok: false, httpStatus: 400 });
});

test('a field named __proto__ in a reference goes no further', () => {
	const body: unknown = JSON.parse('{"sourceHash":"0xab","reference":{"a":1,"__proto__":{"isAdmin":true}},"__proto__":{"orders":[]}}');
	expect(readCall({ query: {}, body, bytes: 100 })).toEqual({ ok: true, orders: [{ sourceHash: '0xab', reference: { a: 1 } }] });
});

test(`${CASES.webhook} random cases were run in this file`, () => {
	expect(casesRun()).toBe(CASES.webhook);
});
