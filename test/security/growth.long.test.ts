import type { IDataObject } from 'n8n-workflow';

import {
	exactAmount,
	decimalsOrNull,
	toReadable,
	toSmallestUnit,
} from '../../nodes/CrossChainBridge/orders/amounts';
import { normalizeBaseUrl } from '../../nodes/CrossChainBridge/service/baseUrl';
import { readResponse } from '../../nodes/CrossChainBridge/service/envelope';
import { describeError, meaningOf } from '../../nodes/CrossChainBridge/service/errors';
import { searchFor } from '../../nodes/CrossChainBridge/service/keySearch';
import { parseJsonExactly, plainJson } from '../../nodes/CrossChainBridge/orders/exactJson';
import {
	isExplorerAddress,
	isOrderPage,
	PLAIN_DISPLAY,
	transactionUrl,
} from '../../nodes/CrossChainBridge/orders/display';
import {
	networksNamed,
	networkTitle,
	tokensNamed,
	tokenTitles,
} from '../../nodes/CrossChainBridge/orders/networks';
import { orderItem } from '../../nodes/CrossChainBridge/orders/orderItem';
import {
	messageText,
	nameText,
	networkText,
	plainText,
	symbolText,
} from '../../nodes/CrossChainBridge/orders/plainText';
import { quoteItem } from '../../nodes/CrossChainBridge/orders/quotes';
import { compareArrival, readMinimum } from '../../nodes/CrossChainBridge/orders/expectation';
import { orderKey } from '../../nodes/CrossChainBridge/orders/hashForms';
import { readHash, readLine, readRow } from '../../nodes/CrossChainBridge/orders/sourceHash';
import {
	caselessHex,
	digitsOrNull,
	epochMsOrNull,
	isoTimeOrNull,
	numberOrNull,
} from '../../nodes/CrossChainBridge/orders/values';
import { displayOptions } from '../../nodes/CrossChainBridge/fields/displayFields';
import { enteredAmount } from '../../nodes/CrossChainBridge/operations/quoteAmount';
import { readList } from '../../nodes/CrossChainBridge/trigger/orderList';
import { readCall } from '../../nodes/CrossChainBridge/webhook/request';
import { excessiveGrowth } from '../growth';
import { fieldsWith, Refused } from '../unit/fields/reading';

/** Text from outside that takes time in proportion to its length, whatever it is: n8n serves everybody in one thread. */

const HASH = `0x${'a1'.repeat(32)}`;

/** What a long run is made of. */
const RUNS = [
	...[...' \t\n,;-–_.…:/\\"\'`=|%#?<&[{(]09aé\u0301\ufe0f\u200b💣ﷺ', '\ud800', '::'],
	...['[]', '{}', '[0,', '{"a":', '"a",', '\\"', '"\\', '\\\\"', '""', '"\\\\",'],
	...['0x', '0X', '1e', '0.', '-1', '1,', 'a.', 'Z-', 'ab ', 'e\u0301'],
	...['https://', 'http://a/', '%41', '%4', '{hash}', '/api/sdk/v2', '2025-01-01'],
	...[`${HASH} `, `${HASH} x,`, `${HASH.slice(2)}=`],
];

/** What stands around it, so that a reader gets as far as to it, and fails after it. */
const FRAMES: Array<(run: string) => string> = [
	(run) => run,
	(run) => `${run}!`,
	(run) => `${HASH} a${run}a`,
	(run) => `1${run}z1`,
	(run) => `0x${run}g`,
	(run) => `https://a.example/${run} {`,
	(run) => `["${HASH}", "${run}"]`,
	(run) => `{"data": ${run}}`,
	(run) => `2025-01-01 ${run}(`,
];

const compared = (text: string) =>
	compareArrival(
		{ recipient: text, minimumReceived: text },
		{
			...{ chainId: 1, amount: text, amountReadable: text },
			...{ token: text, tokenSymbol: text, address: text },
		},
		{ ...PLAIN_DISPLAY, networks: [network(text)] },
	);

/** JSON, or the text where it is none. */
function parsed(text: string): unknown {
	try {
		return parseJsonExactly(text);
	} catch {
		return text;
	}
}

/** A call of which n8n has parsed this, and one with it as its bytes. */
const call = (body: unknown): unknown => [
	readCall(body, undefined),
	readCall({}, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))),
];

const answerOf = (statusCode: number, body: string, headers = {}) =>
	readResponse(
		{ statusCode, headers, body },
		{ now: 0, asked: 'config', containsKey: searchFor('key-1234-abcd') },
	);

/** What the rows are read as, or what is wrong with one. */
function rowsIn(options: Record<string, unknown>): unknown {
	try {
		return displayOptions(fieldsWith(options));
	} catch (error) {
		if (error instanceof Refused) return error.message;
		throw error;
	}
}

/** What the field Amount makes of a text. */
function amountIn(amount: string): unknown {
	try {
		return enteredAmount(fieldsWith({ amount }));
	} catch (error) {
		if (error instanceof Refused) return error.message;
		throw error;
	}
}

/** An object that has the text in each of these fields. */
const inEach = (names: string, text: string): IDataObject =>
	Object.fromEntries(names.split(' ').map((name) => [name, text]));

const READERS: Array<[string, (text: string) => unknown]> = [
	['the list of hashes', readList],
	[
		'the list of hashes, from an expression',
		(text) => readList([text, { sourceHash: text }, { sourceHash: HASH, reference: text }]),
	],
	['a hash or a link', readHash],
	['a line', readLine],
	['a row', (text) => readRow({ hash: text, [text]: text, json: { [text]: text } })],
	['a key', orderKey],
	['what was expected', (text) => [readMinimum(text), compared(text)]],
	['words of the service', (text) => meaningOf({ status: 409, code: text, words: text }, 'status')],
	['a body of the webhook', call],
	[
		'fields of a body',
		(text) => call({ sourceHash: HASH, ...inEach('reference startedAt replaces', text) }),
	],
	[
		'what a body expects',
		(text) => call({ sourceHash: HASH, ...inEach('recipient minimumReceived', text) }),
	],
	['a hash of a body', (text) => call([text, { sourceHash: text }])],
	[
		'an amount',
		(text) => [toSmallestUnit(text, 18), toReadable(text, 18), exactAmount(text), amountIn(text)],
	],
	['decimals', decimalsOrNull],
	['digits and seconds', (text) => [digitsOrNull(text), numberOrNull(text), caselessHex(text)]],
	['a time', (text) => [epochMsOrNull(text), isoTimeOrNull(text)]],
	['the Base URL', normalizeBaseUrl],
	['the body of an answer', (text) => answerOf(200, text)],
	[
		'the body of an error',
		(text) => {
			const answer = answerOf(400, JSON.stringify({ error: { code: text, message: text } }));
			return answer.ok || describeError(answer.error, 'quote', { a: 'A' });
		},
	],
	['the header Retry-After', (text) => answerOf(429, '', { 'retry-after': text })],
	['JSON', parsed],
	['JSON that is copied', (text) => plainJson(parsed(text))],
	['a name in a list or an error', (text) => plainText(text, 300)],
	['a name in the summary', (text) => [messageText(text, 100), nameText(text)]],
	['a symbol and a network in the summary', (text) => [symbolText(text), networkText(text)]],
	[
		'rows of Token Decimals',
		(text) => [
			rowsIn({ tokenDecimals: { token: [{ address: text, decimals: 6 }] } }),
			rowsIn({ tokenDecimals: { token: [{ address: HASH, decimals: text }] } }),
		],
	],
	[
		'names of networks and tokens, in a list and as they are entered',
		(text) => {
			const network = { chainID: 1, name: text, baseToken: text, tokens: { [text]: '0x1' } };
			const token = { symbol: text, address: text, isNative: false };
			return [
				...[networkTitle(network), networksNamed([network], text), tokensNamed(network, text)],
				tokenTitles([token, token]),
			];
		},
	],
	[
		'rows of Block Explorers',
		(text) => rowsIn({ blockExplorers: { explorer: [{ network: text, address: text }] } }),
	],
	[
		'an explorer and its links',
		(text) => [
			isExplorerAddress(text),
			isOrderPage(text),
			transactionUrl({ ...PLAIN_DISPLAY, explorers: new Map([['1', text]]) }, 1, HASH),
		],
	],
	[
		'a link to a transaction',
		(text) =>
			transactionUrl(
				{ ...PLAIN_DISPLAY, explorers: new Map([['1', 'https://a.example/tx/']]) },
				1,
				text,
			),
	],
	[
		'an order',
		(text) => {
			const leg = inEach('chainId token amount decimals txHash timestamp', text);
			const order = {
				...inEach('status orderId', text),
				input: leg,
				output: { ...leg, chainId: 1 },
				timing: inEach('duration createdAt', text),
			};
			return orderItem(
				{
					sourceHash: text,
					order,
					reference: text,
					expected: { recipient: text, minimumReceived: text },
				},
				{ ...PLAIN_DISPLAY, networks: [network(text)] },
				0,
			).full;
		},
	],
	[
		'a quote',
		(text) => {
			const token = inEach('amount symbol address decimals minAmount amountUSD', text);
			const asked = inEach('inputNetwork inputTokenAmount inputTokenContract', text);
			asked.outputNetwork = 1;
			const fees = inEach('total percentage', text);
			return quoteItem(
				{ quote: { tokenIn: token, tokenOut: token, fees, expiry: text }, asked },
				{ ...PLAIN_DISPLAY, networks: [network(text)] },
				0,
			).full;
		},
	],
];

function network(text: string): IDataObject {
	const tokens = { NATIVE: text, [text]: text };
	return { chainID: 1, ...inEach('name baseToken decimals', text), tokens };
}

test.each(READERS)('%s', (_what, read) => {
	for (const run of RUNS) {
		for (const [place, frame] of FRAMES.entries()) {
			const growth = excessiveGrowth(
				(size) => frame(run.repeat(Math.ceil(size / run.length))),
				read,
			);
			if (growth !== null)
				throw new Error(
					`A run of ${JSON.stringify(run)} in frame ${place}: 16 times as much takes ${growth.toFixed(0)} times as long`,
				);
		}
	}
});
