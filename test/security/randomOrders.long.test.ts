import fc from 'fast-check';
import { type IDataObject, NodeApiError } from 'n8n-workflow';

import { BOUNDS, readResponse } from '../../nodes/CrossChainBridge/service/envelope';
import {
	chainIdOf,
	configuredDecimals,
	idText,
	networksOf,
	networksWithId,
	tokenList,
} from '../../nodes/CrossChainBridge/orders/networks';
import { type Display, PLAIN_DISPLAY } from '../../nodes/CrossChainBridge/orders/display';
import { orderItem } from '../../nodes/CrossChainBridge/orders/orderItem';
import { isFinalStatus, outcomeOf, statusOf } from '../../nodes/CrossChainBridge/orders/orders';
import { hasFraction } from '../../nodes/CrossChainBridge/orders/amounts';
import {
	exactTextOrNull,
	field,
	isPlainObject,
	isZeros,
	type PlainObject,
} from '../../nodes/CrossChainBridge/orders/values';
import { observationOf } from '../../nodes/CrossChainBridge/checks/outcome';
import { listsOf } from '../unit/methods/lists';
import { listing, NOT_FOUND, readBack, REJECTED, rulesWith } from '../unit/watch/watching';
import { storedWatch } from '../../nodes/CrossChainBridge/watch/stored';
import { triggerItem } from '../../nodes/CrossChainBridge/trigger/item';
import type { CheckResult } from '../../nodes/CrossChainBridge/watch/events';
import { CASES, casesRun, finishes, checkFor } from './cases';
import { anyJson, hostileConfig, hostileOrder, hostileText } from './hostileJson';
import { expectCleanPrototypes, expectPlainWords, expectSoundJson } from './invariants';

const HASH = `0x${'5c'.repeat(32)}`;
const NOW = Date.parse('2026-01-01T00:10:00Z');

/** The data of an answer, as the node gets it: through the reading of the body. */
function dataOf(text: string): PlainObject | null {
	const answer = readResponse(
		{ statusCode: 200, headers: {}, body: `{"success":true,"data":${text}}` },
		{ now: NOW, asked: 'config', containsKey: () => false },
	);
	return answer.ok ? answer.data : null;
}

const ERROR_FIELDS = ['error', 'message', 'code', 'errorCode', 'error_description', 'detail'];

/** The status as the interface has it, read from the text by nothing but JavaScript's own parser. */
function finalStatusIn(text: string): string | null {
	const parsed: unknown = JSON.parse(text);
	const status: unknown =
		typeof parsed === 'object' && parsed !== null && Object.hasOwn(parsed, 'status')
			? Reflect.get(parsed, 'status')
			: null;
	const word = typeof status === 'string' ? status.trim().toLowerCase() : '';
	return word === 'completed' || word === 'refunded' || word === 'failed' ? word : null;
}

const SIDES = ['input', 'output'];
const ofSides = (...names: string[]) =>
	[...SIDES, 'refund'].flatMap((side) => names.map((name) => side + name));
const TEXT_FIELDS = [
	...['sent', 'received', 'route', 'link', 'summary', 'status', 'orderId', 'sourceHash'],
	...['outcome', 'recipient', 'solverAddress'],
	...ofSides('Network', 'Token', 'TokenSymbol', 'Address', 'TxHash', 'TxUrl'),
];
const AMOUNT_FIELDS = ofSides('Amount');
const READABLE_FIELDS = ofSides('AmountReadable');
const TIME_FIELDS = [
	...['finishedAt', 'solverAssignedAt', 'createdAt', 'expiresAt', 'completedAt'],
	...ofSides('Time'),
];
const OF_OTHER_TYPES = [
	'isFinal',
	'reference',
	'durationSeconds',
	...ofSides('ChainId', 'DecimalsFrom'),
];
const ALL_FIELDS = [
	...TEXT_FIELDS,
	...AMOUNT_FIELDS,
	...READABLE_FIELDS,
	...TIME_FIELDS,
	...OF_OTHER_TYPES,
]
	.sort()
	.join();

function expectSoundItem(item: IDataObject, text: string): void {
	const final = finalStatusIn(text);
	if (item.isFinal !== (final !== null)) throw new Error(`Final? ${text}`);
	if (item.outcome !== (final === null ? null : final === 'completed' ? 'success' : 'unsuccessful'))
		throw new Error(`Outcome ${String(item.outcome)}`);
	if (final !== null && item.status !== final) throw new Error(`Status ${String(item.status)}`);
	const { otherHash = HASH, ...always } = item;
	if (typeof otherHash !== 'string') throw new Error('otherHash');
	if (Object.keys(always).sort().join() !== ALL_FIELDS)
		throw new Error(`Fields ${Object.keys(item).join()}`);
	const wrong = (name: string): never => {
		throw new Error(`${name}: ${JSON.stringify(item[name])}`);
	};
	for (const name of TEXT_FIELDS)
		if (item[name] !== null && typeof item[name] !== 'string') wrong(name);
	for (const name of AMOUNT_FIELDS)
		if (item[name] !== null && !/^\d+$/.test(String(item[name]))) wrong(name);
	for (const name of READABLE_FIELDS)
		if (item[name] !== null && !/^(0|[1-9]\d*)(\.\d*[1-9])?$/.test(String(item[name]))) wrong(name);
	for (const name of TIME_FIELDS)
		if (item[name] !== null && new Date(String(item[name])).toISOString() !== item[name])
			wrong(name);
	for (const name of ofSides('ChainId'))
		if (item[name] !== null && !['number', 'string'].includes(typeof item[name])) wrong(name);
	for (const name of ofSides('DecimalsFrom'))
		if (
			![null, 'service', 'networkConfig', 'tokenDecimalsOption'].includes(
				item[name] as string | null,
			)
		)
			wrong(name);
	if (item.durationSeconds !== null && !(Number(item.durationSeconds) >= 0))
		wrong('durationSeconds');
	for (const words of [item.summary, item.sent, item.received])
		expectPlainWords(String(words).replaceAll('marked-key-7f3a', ''));
	if (String(item.status).length > 101) wrong('status');
	expectSoundJson(item);
}

const SIDES_OF_ORDER = ['input', 'output', 'refund'];
const isNoneOf = (leg: unknown, name: string) =>
	isZeros(field(leg, name)) || exactTextOrNull(field(leg, name)) === null;

/** The amount of a leg, if no amount of the order has decimals. Zero is one only if a transaction has brought it. */
function amountIn(order: PlainObject, side: 'input' | 'output'): string | null {
	const leg = field(order, side);
	if (SIDES_OF_ORDER.some((each) => hasFraction(field(field(order, each), 'amount')))) return null;
	const isAmount = side === 'output' && !isNoneOf(leg, 'txHash');
	return isNoneOf(leg, 'amount') && !isAmount ? null : amountOf(leg);
}

/** Amounts as they are in the text: only digits are an amount; of numbers those that JavaScript represents exactly, and all larger ones. */
function amountOf(leg: unknown): string | null {
	const amount: unknown =
		typeof leg === 'object' && leg !== null && Object.hasOwn(leg, 'amount')
			? Reflect.get(leg, 'amount')
			: null;
	const text =
		typeof amount === 'number' ? (Number.isSafeInteger(amount) ? String(amount) : '') : amount;
	return typeof text === 'string' && /^\d+$/.test(text.trim()) ? text.trim() : null;
}

const display = fc.tuple(hostileConfig, fc.boolean()).map(([{ text }, hasNetworks]): Display => {
	const config = dataOf(text);
	const explorers = new Map([
		['1', 'https://etherscan.io/tx/'],
		['2', 'https://scan.example/?hash={hash}&x'],
	]);
	return {
		networks: hasNetworks && config !== null ? networksOf(config) : null,
		tokenDecimals: new Map([[`0x${'ab'.repeat(20)}`, 6]]),
		explorers,
	};
});

afterEach(expectCleanPrototypes);

test('an order of any shape is one item of the declared types, and final only if the word is one of the three', () => {
	checkFor(
		20_000,
		fc.tuple(
			fc.oneof({ arbitrary: hostileOrder, weight: 9 }, { arbitrary: anyJson, weight: 1 }),
			display,
			fc.boolean(),
		),
		([{ text, value }, shownWith, simplify]) => {
			const order = dataOf(text);
			if (order === null) {
				// Words of an error alone are an error, and no order.
				if (isPlainObject(value) && !ERROR_FIELDS.some((name) => name in value))
					throw new Error('An order was not read');
				return;
			}
			const { order: raw, ...item } = orderItem({ sourceHash: HASH, order }, shownWith, NOW).full;
			if (raw !== order) throw new Error('Another order');
			expectSoundItem(item, text);
			if (
				item.inputAmount !== amountIn(order, 'input') ||
				item.outputAmount !== amountIn(order, 'output')
			)
				throw new Error('Another amount');
			for (const side of SIDES) {
				const {
					[`${side}AmountReadable`]: readable,
					[`${side}Amount`]: raw,
					[`${side}DecimalsFrom`]: from,
				} = item;
				if ((readable === null) !== (from === null)) throw new Error('Readable, but where from?');
				if (
					typeof readable === 'string' &&
					readable.replace('.', '').replace(/^0+/, '') !==
						String(raw)
							.replace(/^0+/, '')
							.replace(/0+$/, '')
							.padEnd(readable.replace('.', '').replace(/^0+/, '').length, '0')
				) {
					throw new Error(`${String(raw)} became ${readable}`);
				}
			}
			for (const url of [item.inputTxUrl, item.outputTxUrl, item.link]) {
				if (
					typeof url === 'string' &&
					!(
						/^https:\/\/(etherscan\.io\/tx|scan\.example)\//.test(new URL(url).href) &&
						!/[\s<>"']/.test(url)
					)
				)
					throw new Error(`A link to ${url}`);
			}
			const event = isFinalStatus(item.status) ? item.status : null;
			const source = {
				sourceHash: HASH,
				order,
				event,
				reference: null,
				previousStatus: null,
				detectedAt: NOW,
			};
			expectSoundJson(triggerItem(source, { simplify, display: shownWith }));
		},
	);
});

test('the schedule takes an order for finished only if it is, and its times are finite', () => {
	checkFor(5_000, hostileOrder, ({ text }) => {
		const order = dataOf(text);
		if (order === null) throw new Error('Not read');
		const answer = observationOf({ kind: 'order', order, shownKey: null });
		if ((answer.kind === 'finished') !== (finalStatusIn(text) !== null))
			throw new Error(`Taken for ${answer.kind}`);
		if (answer.kind === 'open') {
			const time = answer.createdAtMs;
			if (time !== null && !(Number.isFinite(time) && time > 0))
				throw new Error(`A time of ${String(time)}`);
		}
	});
});

test('checks with any answer: an event is emitted once, when the final status first comes, and the state stays small JSON', () => {
	const check = fc.oneof(
		{ arbitrary: hostileOrder.map(({ text }) => text), weight: 6 },
		fc.constant('notFound'),
		fc.constant('error'),
	);
	checkFor(8_000, fc.array(check, { maxLength: 6 }), (texts) => {
		const watching = listing([HASH], rulesWith());
		let finished = false;
		for (const text of texts) {
			const order = text === 'notFound' || text === 'error' ? null : dataOf(text);
			const result: CheckResult =
				order === null
					? text === 'error'
						? REJECTED
						: NOT_FOUND
					: { kind: 'order', order, shownKey: null };
			const events = watching.check(HASH, result);
			const isFinal = order !== null && finalStatusIn(text) !== null;
			const expected = isFinal && !finished ? [`${finalStatusIn(text)} ${HASH}`] : [];
			if (events.join() !== expected.join()) throw new Error(`Events ${events.join()} of ${text}`);
			finished ||= isFinal;
			const { state } = watching;
			const kept = JSON.stringify(storedWatch(state));
			if (kept.length > 1_000) throw new Error(`A state of ${kept.length} characters`);
			const read = readBack(state);
			if (read === null || JSON.stringify(storedWatch(read)) !== kept)
				throw new Error('The state is not what was kept');
		}
		if (watching.events.length !== (finished ? 1 : 0))
			throw new Error(`Emitted ${watching.events.length} times`);
	});
});

test('a configuration of any shape: networks, tokens and lists of the declared types, which nothing hides in', () => {
	checkFor(12_000, hostileConfig, ({ text, value }) => {
		const config = dataOf(text);
		if (config === null) throw new Error('Not read');
		const networks = networksOf(config);
		const given = isPlainObject(value) && Object.hasOwn(value, 'networks') ? value.networks : null;
		if ((networks !== null) !== Array.isArray(given))
			throw new Error('A list instead of none, or none instead of one');
		for (const network of networks ?? []) {
			const id = idText(chainIdOf(network));
			const decimals = configuredDecimals([network], id, `0x${'0'.repeat(40)}`);
			if (decimals !== null && !(Number.isInteger(decimals) && decimals >= 0 && decimals <= 255))
				throw new Error(`Decimals ${decimals}`);
			const tokens = tokenList(network);
			for (const { symbol, address, isNative } of tokens) {
				if (
					typeof symbol !== 'string' ||
					typeof address !== 'string' ||
					address === '' ||
					typeof isNative !== 'boolean'
				)
					throw new Error('A token that is none');
			}
			if (tokens.slice(1).some(({ isNative }) => isNative))
				throw new Error('The native token is not the first');
			expectSoundJson({ ...network, tokenList: tokens });
			if (id !== '' && !networksWithId(networks, id).includes(network))
				throw new Error('A network that is not found by its own ID');
		}
	});
});

test('the lists of a configuration of any shape', async () => {
	const shown = async (list: Promise<ReadonlyArray<{ name: string; value: unknown }>>) => {
		expectSoundChoices(
			await list.catch((error: unknown) => {
				if (error instanceof NodeApiError) return [];
				throw error;
			}),
		);
	};
	await fc.assert(
		fc.asyncProperty(hostileConfig, hostileText, async ({ text }, filter) => {
			const lists = listsOf(text);
			for (const searched of [undefined, filter]) {
				await shown(lists.networks(searched));
				for (const network of networksOf(dataOf(text) ?? {}) ?? [])
					await shown(lists.tokens(idText(chainIdOf(network)), searched));
			}
		}),
		{ numRuns: 500 },
	);
});

function expectSoundChoices(choices: ReadonlyArray<{ name: string; value: unknown }>): void {
	for (const { name, value } of choices) {
		if (typeof value !== 'string' || name === '') throw new Error('A choice that is none');
		expectPlainWords(name.replaceAll('marked-key-7f3a', ''), 260);
	}
}

test('5 MB in each field of an order are read to the end', async () => {
	const long = (sign: string) => sign.repeat(Math.floor(BOUNDS.config.bytes / 4 / sign.length));
	for (const words of [
		long('9'),
		long('0'),
		long('<b>'),
		long('\u202e'),
		`2026-01-01${long('0')}`,
		`0x${long('0')}`,
		long('completed'),
	]) {
		const named = { chainID: 1, name: words, baseToken: words, tokens: { [words]: '0x00' } };
		const read = { chainId: words, amount: words, txHash: words, timestamp: words };
		const side = { ...read, token: '0x00', decimals: 18 };
		for (const order of [
			{ status: words },
			{ input: side },
			{ timing: { createdAt: words, duration: words } },
		]) {
			const item = finishes(
				() =>
					orderItem({ sourceHash: HASH, order }, { ...PLAIN_DISPLAY, networks: [named] }, NOW).full,
			);
			expectPlainWords(item.summary);
			expect(item).toMatchObject({ isFinal: false, outcome: null });
		}
		const large = words.slice(0, words.length / 2);
		const lists = listsOf({
			networks: [{ chainID: large, name: large, tokens: { [large]: large } }],
		});
		expectSoundChoices(await lists.networks());
		// An ID that shows nothing is no ID.
		const isShown = /[\p{L}\p{N}\p{P}\p{S}]/u.test(large);
		const tokens = lists.tokens(large);
		if (isShown) expectSoundChoices(await tokens);
		else await expect(tokens).rejects.toThrow("Choose 'From Network' first");
	}
});

test('an amount of a million digits stays exact', () => {
	const digits = `1${'0'.repeat(500_000)}${'7'.repeat(500_000)}`;
	const order = { input: { token: '0x00', decimals: 18, amount: digits } };
	const { inputAmount, inputAmountReadable } = finishes(
		() => orderItem({ sourceHash: HASH, order }, PLAIN_DISPLAY, NOW).full,
	);
	expect(inputAmount === digits).toBe(true);
	expect(inputAmountReadable === `${digits.slice(0, -18)}.${'7'.repeat(18)}`).toBe(true);
});

test.each([
	'complete',
	'completed.',
	'is completed',
	'completed\u0000',
	'complet\u200bed',
	['completed'],
	{ completed: true },
	true,
	1,
	null,
])('the status %j is not final', (status) => {
	expect(isFinalStatus(statusOf({ status }))).toBe(false);
	expect(outcomeOf(statusOf({ status }))).toBeNull();
	expect(observationOf({ kind: 'order', order: { status }, shownKey: null })).toMatchObject({
		kind: 'open',
	});
});

test(`${CASES.orders} random cases or more were run in this file`, () => {
	expect(casesRun()).toBeGreaterThanOrEqual(CASES.orders);
});
