import { listed } from '../../../nodes/CrossChainBridge/fields/reader';
import { readCall } from '../../../nodes/CrossChainBridge/webhook/request';

/** What a call to the webhook names; how a hash is read is in test/unit/orders/sourceHash. */

const HASH = `0x${'Ab12'.repeat(16)}`;
const LINK = `https://etherscan.io/tx/${HASH}`;
const ONE = `0x${'1'.repeat(64)}`;
const TWO = `0x${'2'.repeat(64)}`;
const BIG = '12345678901234567890';
const WALLET = `0x${'d'.repeat(40)}`;

/** A call with this JSON, as n8n has parsed it by its Content-Type. */
const read = (body: unknown, rawBody: unknown = Buffer.from(JSON.stringify(body))) =>
	readCall(body, rawBody);
const accepted = (orders: object[], ignored: string[] = [], skipped: number[] = []) => ({
	ok: true,
	orders,
	notes: [
		...(skipped.length > 0
			? [
					expect.stringMatching(
						`^Orders? ${skipped.join(' and ')} of the list (?:was|were) skipped`,
					),
				]
			: []),
		...(ignored.length > 0
			? [expect.stringContaining(`such fields: ${listed(ignored, 'and')}. `)]
			: []),
	],
});
const refused = (message: unknown, httpStatus = 400, position?: number) => ({
	ok: false,
	answer: { httpStatus, body: { message, position } },
});
const NO_ORDERS = 'The body is neither a JSON object nor a JSON list. Send {"sourceHash": "0x…"}.';
const order = (sourceHash: string, more: object = {}) => ({
	key: sourceHash.toLowerCase(),
	sourceHash,
	startedAt: null,
	...more,
});

test.each<[string, unknown, object[]]>([
	['an order', { sourceHash: HASH }, [order(HASH)]],
	[
		'one with a reference',
		{ sourceHash: HASH, reference: { a: [1] } },
		[order(HASH, { reference: { a: [1] } })],
	],
	['an empty reference, as a form sends it', { sourceHash: HASH, reference: '' }, [order(HASH)]],
	['a reference of null', { sourceHash: HASH, reference: null }, [order(HASH)]],
	['white space around the hash', { sourceHash: ` ${HASH}\n` }, [order(HASH)]],
	[
		'a list',
		[{ sourceHash: ONE, reference: 1 }, { sourceHash: TWO }],
		[order(ONE, { reference: 1 }), order(TWO)],
	],
	['a list of bare hashes', [ONE, TWO], [order(ONE), order(TWO)]],
	['an empty list', [], []],
	[
		'fields whose names have signs that nobody sees',
		{ '\ufeffsourceHash': HASH, 'reference ': 'r' },
		[order(HASH, { reference: 'r' })],
	],
	['a name, as the list has it', { hash: HASH, Name: 'Ann' }, [order(HASH, { reference: 'Ann' })]],
	[
		'a reference before a name',
		{ hash: HASH, name: 'Ann', reference: 7 },
		[order(HASH, { reference: 7 })],
	],
	[
		'a name, if the reference is empty',
		{ hash: `Rent: ${HASH}`, name: 'Ann', reference: ' ' },
		[order(HASH, { reference: 'Ann' })],
	],
	['other names for the hash', [{ txHash: ONE }, { hash: TWO }], [order(ONE), order(TWO)]],
	['a link of a block explorer', { sourceHash: LINK }, [order(HASH, { link: LINK })]],
	[
		'a link that is too long to be kept',
		{ sourceHash: `https://a.example/${'b/'.repeat(999)}${HASH}` },
		[order(HASH)],
	],
	[
		'a name before the hash',
		{ sourceHash: `Rent: ${LINK}` },
		[order(HASH, { reference: 'Rent', link: LINK })],
	],
	[
		'a name before the hash, and a reference',
		{ sourceHash: `Rent: ${HASH}`, reference: 'mine' },
		[order(HASH, { reference: 'mine' })],
	],
	[
		'what is expected',
		{ sourceHash: HASH, recipient: WALLET, minimumReceived: '0.4967 ETH' },
		[order(HASH, { expected: { recipient: WALLET, minimumReceived: '0.4967 ETH' } })],
	],
	[
		'what is expected, with signs that nobody sees',
		{ sourceHash: HASH, recipient: `\u200b${WALLET}\u200b`, minimumReceived: ' 0.4967 ETH\u00ad' },
		[order(HASH, { expected: { recipient: WALLET, minimumReceived: '0.4967 ETH' } })],
	],
	[
		'a minimum in the smallest unit',
		{ sourceHash: HASH, minimumReceived: '4967 smallest units' },
		[order(HASH, { expected: { recipient: null, minimumReceived: '4967 smallest units' } })],
	],
	...[
		['0,4967 ETH', '0.4967 ETH'],
		['1,000.50 USDC', '1000.50 USDC'],
		['1 000 USDC', '1000 USDC'],
		['0.4967ETH', '0.4967 ETH'],
	].map(([minimumReceived, minimum]): [string, unknown, object[]] => [
		`the minimum ${minimumReceived}, as the nodes read it`,
		{ sourceHash: HASH, minimumReceived },
		[order(HASH, { expected: { recipient: null, minimumReceived: minimum } })],
	]),
	[
		'a minimum with the address of its token, as Get Quote gives it',
		{ sourceHash: HASH, minimumReceived: '0.5 of token 0x166c…128b' },
		[order(HASH, { expected: { recipient: null, minimumReceived: '0.5 of token 0x166c…128b' } })],
	],
	[
		'the hash that it replaces, in any form, as it was entered',
		{ sourceHash: ONE, replaces: `https://etherscan.io/tx/${HASH}` },
		[order(ONE, { replaces: HASH })],
	],
	[
		'empty fields of a form',
		{ sourceHash: ONE, replaces: '', recipient: '', minimumReceived: '', startedAt: '' },
		[order(ONE)],
	],
])('%s is read', (_what, body, orders) => {
	expect(read(body)).toEqual(accepted(orders));
});

test.each<[string, unknown, object[], string[]]>([
	[
		'of a form of n8n',
		{ sourceHash: ONE, reference: 'r', submittedAt: '2026-01-01T10:00:00Z', formMode: 'test' },
		[order(ONE, { reference: 'r' })],
		['submittedAt', 'formMode'],
	],
	[
		'of a transaction receipt',
		{ transactionHash: ONE, blockHash: TWO, from: WALLET, status: 1, logs: [] },
		[order(ONE)],
		['blockHash', 'from', 'status', 'logs'],
	],
	[
		'of several orders, each once',
		[{ sourceHash: ONE, orders: [HASH] }, TWO, { hash: HASH, orders: [], row_number: 2 }],
		[order(ONE), order(TWO), order(HASH)],
		['orders', 'row_number'],
	],
])('fields that no order has are ignored by name: %s', (_what, body, orders, ignored) => {
	expect(read(body)).toEqual(accepted(orders, ignored));
});

test('of an item of another node the fields are read that it has one level down', () => {
	const json = { txHash: ONE, reference: 'r', minimumReceived: '1 ETH' };
	const expected = { recipient: null, minimumReceived: '1 ETH' };
	expect(read([{ json, pairedItem: { item: 0 } }])).toEqual(
		accepted([order(ONE, { reference: 'r', expected })]),
	);
});

test.each<[string, object, object[], string[]]>([
	[
		'what is expected',
		{ recipient: WALLET },
		[order(ONE, { expected: { recipient: WALLET, minimumReceived: null } })],
		[],
	],
	['a reference', { reference: 'r' }, [order(ONE, { reference: 'r' })], []],
	['what no order has', { note: 'n', row_number: 2 }, [order(ONE)], ['note', 'row_number']],
	[
		'what n8n adds',
		{ pairedItem: [{ item: 1 }], binary: { a: {} }, error: { message: 'm' } },
		[order(ONE)],
		[],
	],
	[
		'the fields of several items',
		{ recipient: WALLET, note: 'n' },
		[order(ONE, { expected: { recipient: WALLET, minimumReceived: null } })],
		['note'],
	],
])(
	'next to the fields of an item nothing is lost in silence: %s',
	(_what, outer, orders, ignored) => {
		const item = { json: { sourceHash: ONE }, ...outer };
		expect(read(item)).toEqual(accepted(orders, ignored));
		expect(read([TWO, item])).toEqual(accepted([order(TWO), ...orders], ignored));
		// As n8n gives it to an expression that makes text of it.
		expect(read([JSON.stringify(item)])).toEqual(accepted(orders, ignored));
	},
);

test('a hash next to an item is the order’s; what the item has besides is ignored by name if it does not say what has to arrive', () => {
	for (const json of [{ hash: ONE }, { reference: 'r' }, { transactionId: 'INV-17' }])
		expect(read({ sourceHash: ONE, json })).toEqual(accepted([order(ONE)], ['json']));
	const expected = { recipient: WALLET, minimumReceived: null };
	expect(read({ sourceHash: ONE, recipient: WALLET, json: { expectedRecipient: WALLET } })).toEqual(
		accepted([order(ONE, { expected })], ['json']),
	);
});

test.each<[string, object, RegExp]>([
	[
		'two recipients',
		{ json: { sourceHash: ONE, recipient: WALLET }, recipient: `0x${'e'.repeat(40)}` },
		/^There is no field sourceHash, only json, recipient\./,
	],
	[
		'two recipients under two names',
		{
			json: { sourceHash: ONE, expectedRecipient: WALLET },
			expectedRecipient: `0x${'e'.repeat(40)}`,
		},
		/^There is no field sourceHash, only json, expectedRecipient\./,
	],
	[
		'a recipient in an item, next to which the hash is',
		{ sourceHash: ONE, json: { recipient: WALLET } },
		/^The hash is next to json, so the field recipient in json is not read; send all fields of the order in one place\.$/,
	],
	[
		'a minimum in such an item under another name',
		{ sourceHash: ONE, recipient: WALLET, json: { recipient: WALLET, receivedAtLeast: '5 ETH' } },
		/^The hash is next to json, so the field receivedAtLeast in json is not read; /,
	],
	[
		'a second recipient in such an item',
		{ sourceHash: ONE, recipient: WALLET, json: { recipient: `0x${'e'.repeat(40)}` } },
		/^The hash is next to json, so the field recipient in json is not read; /,
	],
	[
		'a recipient in such an item that is another field of the order',
		{ sourceHash: ONE, reference: WALLET, json: { recipient: WALLET } },
		/^The hash is next to json, so the field recipient in json is not read; /,
	],
	[
		'a wrapper of another kind',
		{ body: { sourceHash: ONE }, headers: {} },
		/^There is no field sourceHash, only body, headers\./,
	],
	[
		'the data of a response',
		{ data: [{ sourceHash: ONE }], recipient: WALLET },
		/^There is no field sourceHash, only data, recipient\./,
	],
	[
		'an order as the text of a hash',
		{ sourceHash: JSON.stringify({ sourceHash: ONE, recipient: WALLET }) },
		/^The field sourceHash is an object; send its fields themselves\.$/,
	],
	[
		'an order as the only text of a list',
		{ sourceHash: [JSON.stringify({ sourceHash: ONE, recipient: WALLET })] },
		/^The field sourceHash is an object; send its fields themselves\.$/,
	],
	[
		'an item as the text of a hash',
		{ json: { tx: JSON.stringify([{ json: { sourceHash: ONE } }]) } },
		/^The field tx is an object; send its fields themselves\.$/,
	],
])('what cannot be read for certain is refused by name: %s', (_what, body, message) => {
	expect(read(body)).toEqual(refused(expect.stringMatching(message)));
});

test('an item with nothing of the order that is not next to it as well is ignored by name', () => {
	const json = { sourceHash: ONE, recipient: WALLET, reference: '', note: 'n' };
	const expected = { recipient: WALLET, minimumReceived: null };
	expect(read({ sourceHash: ONE, recipient: WALLET, json })).toEqual(
		accepted([order(ONE, { expected })], ['json']),
	);
});

test.each<[string, string | number, object]>([
	['Reference', 'r', { reference: 'r' }],
	['REFERENCE:', 'r', { reference: 'r' }],
	['started_at', 1_767_225_600, { startedAt: 1_767_225_600_000 }],
	['Started At', '1767225600', { startedAt: 1_767_225_600_000 }],
	['Replaces', TWO, { replaces: TWO }],
	...['RECIPIENT', 'Recipient ', 'expectedRecipient', 'recipient_address'].map(
		(name): [string, string, object] => [
			name,
			WALLET,
			{ expected: { recipient: WALLET, minimumReceived: null } },
		],
	),
	...['minimum_received', 'Minimum Received', 'receivedAtLeast', 'Min. Received'].map(
		(name): [string, string, object] => [
			name,
			'5 ETH',
			{ expected: { recipient: null, minimumReceived: '5 ETH' } },
		],
	),
])('a field counts in any case, with any signs between its words: %s', (name, value, field) => {
	expect(read({ [name]: value, 'source hash': ONE })).toEqual(accepted([order(ONE, field)]));
});

test('the columns of a table that only look like fields are ignored by name', () => {
	const row = {
		reference_id: 17,
		referenceId: 17,
		start_date: '2026-11-21',
		startDate: '2026-11-21',
		starts_at: 'soon',
		recipientId: 'rec1',
		preference: 'fast',
		places: 5,
		replaced: 'no',
		recipent: 'Ann',
	};
	expect(read({ txHash: ONE, ...row })).toEqual(accepted([order(ONE)], Object.keys(row)));
});

test.each<[string, object, string]>([
	[
		'two cases',
		{ Reference: 'a', reference: 'b' },
		'reference, one of them in the field reference',
	],
	[
		'a field and what the nodes call it',
		{ recipient: WALLET, expected_recipient: `0x${'e'.repeat(40)}` },
		'recipient, one of them in the field expected_recipient',
	],
	[
		'next to an item and in it',
		{ json: { hash: ONE, recipient: WALLET }, Recipient: `0x${'e'.repeat(40)}` },
		'recipient, one of them in the field recipient',
	],
])('one field with two values is refused by its names: %s', (_what, fields, twice) => {
	const given = 'json' in fields ? fields : { hash: ONE, ...fields };
	const message = `There are two values for ${twice}; send only one.`;
	expect(read(given)).toEqual(refused(message));
});

test('a field that stands there twice counts once, and an empty one not at all', () => {
	const row = { hash: ONE, Reference: 'r', reference: 'r', recipient: '', Recipient: WALLET };
	const expected = { recipient: WALLET, minimumReceived: null };
	expect(read(row)).toEqual(accepted([order(ONE, { reference: 'r', expected })]));
});

test.each<[string, unknown[], number[]]>([
	['empty', [{ sourceHash: '' }, { hash: ONE }], [1]],
	['null', [{ hash: ONE }, { hash: null, recipient: 'Ann Smith' }, { tx: ' ' }], [2, 3]],
	['no text', [ONE, ''], [2]],
	['an empty cell', [null, ONE, null], [1, 3]],
	['an item of an empty cell', [{ json: { hash: ONE } }, { json: { hash: null } }], [2]],
])('a row of a list whose hash is not filled in yet is skipped: %s', (_what, list, skipped) => {
	expect(read(list)).toEqual(accepted([order(ONE)], [], skipped));
});

test('the response names what was ignored and what was skipped', () => {
	const names = ['formMode', `<b>${'x'.repeat(100)}`];
	const row = { hash: ONE, ...Object.fromEntries(names.map((name) => [name, 1])) };
	expect(read([{ ...row, hash: '' }, row, { tx: null }])).toMatchObject({
		notes: [
			'Orders 1 and 3 of the list were skipped, because the source hash is empty.',
			expect.stringMatching(
				/^Ignored, because orders have no such fields: formMode and b x+…x+\. The fields of an order are sourceHash, reference, name, recipient, minimumReceived, startedAt and replaces\.$/,
			),
		],
	});
	expect(read([row, ...Array.from({ length: 500 }, () => '')])).toMatchObject({
		notes: [expect.stringContaining('Orders 2, 3, 4, 5, 6, 7 and 494 more of'), expect.any(String)],
	});
});

test('a list of nothing but such rows is refused', () => {
	const message = 'Order 1 of the list: the source hash is empty. Nothing was changed.';
	expect(read([{ sourceHash: '' }, { hash: null }])).toEqual(refused(message, 400, 1));
	expect(read([null])).toEqual(refused(message, 400, 1));
});

test('the place of a bad order counts the rows that are skipped', () => {
	expect(read([{ hash: '' }, ONE, { hash: 'my order' }])).toMatchObject({
		answer: { body: { position: 3 } },
	});
});

test.each<[string, unknown]>([
	['no type, so that n8n has parsed nothing', {}],
	['a form, so that n8n has made a field of it', { [`{"sourceHash":"${HASH}"}`]: '' }],
	['text, so that it is text', `{"sourceHash":"${HASH}"}`],
	['nothing', undefined],
])('a body that is JSON is read as JSON, whatever its Content-Type says: %s', (_what, parsed) => {
	const raw = Buffer.from(JSON.stringify({ sourceHash: HASH }));
	expect(readCall(parsed, raw)).toEqual(accepted([order(HASH)]));
});

test('a body of JSON may begin with a byte order mark', () => {
	const raw = Buffer.from(`\ufeff${JSON.stringify({ sourceHash: HASH })}`);
	expect(readCall({}, raw)).toEqual(accepted([order(HASH)]));
});

test('a form is read as n8n has parsed it', () => {
	const raw = Buffer.from(`sourceHash=${HASH}&reference=1234567890123456789`);
	expect(readCall({ sourceHash: HASH, reference: 'r' }, raw)).toEqual(
		accepted([order(HASH, { reference: 'r' })]),
	);
});

test.each(['Rent [May]', '[May]', '{x}'])(
	'a form with brackets in a value is no broken JSON: %s',
	(reference) => {
		const raw = Buffer.from(`sourceHash=${HASH}&reference=${reference}`);
		expect(readCall({ sourceHash: HASH, reference }, raw)).toEqual(
			accepted([order(HASH, { reference })]),
		);
	},
);

test('a form without files whose only field is named data is no form with several parts', () => {
	expect(read({ data: { sourceHash: HASH } }, null)).toEqual(
		refused(expect.stringMatching(/^There is no field sourceHash, only data\./)),
	);
});

test('a form with several parts is read as n8n gives it, with its fields next to its files', () => {
	const parsed = { data: { sourceHash: HASH, reference: 'Rent' }, files: {} };
	expect(readCall(parsed, undefined)).toMatchObject({
		ok: true,
		orders: [{ sourceHash: HASH, reference: 'Rent' }],
		notes: [],
	});
});

test.each([
	['a trailing comma', `{"sourceHash":"${HASH}",}`],
	['names without quotation marks', `{sourceHash:${HASH}}`],
	['quotation marks of another shell', `'{"sourceHash":"${HASH}"}'`],
	['a list that was cut', `[{"sourceHash":"${HASH}"}`],
])('JSON with %s is called broken, whatever n8n has made of it', (_what, text) => {
	expect(readCall({ [text]: '' }, Buffer.from(text))).toMatchObject({
		ok: false,
		answer: { httpStatus: 400, body: { message: 'The body is not valid JSON.' } },
	});
});

test('a hash by itself that is no JSON is refused with what to send', () => {
	expect(readCall(ONE, Buffer.from(ONE))).toEqual(refused(NO_ORDERS));
});

test('numbers keep their digits, which n8n has rounded', () => {
	const text = `{"sourceHash":"${ONE}","reference":{"chat":${BIG}}}`;
	expect(readCall(JSON.parse(text), Buffer.from(text))).toEqual(
		accepted([order(ONE, { reference: { chat: BIG } })]),
	);
});

test.each<[string, unknown, unknown]>([
	['nothing', {}, expect.stringContaining('sourceHash')],
	['an empty hash', { sourceHash: '' }, 'The source hash is empty.'],
	['null for a hash', { sourceHash: null }, 'The source hash is empty.'],
	['a number', 5, NO_ORDERS],
	['text', 'sourceHash', NO_ORDERS],
	['a hash by itself', ONE, NO_ORDERS],
	['null', null, NO_ORDERS],
	[
		'an object without a hash',
		{ orders: [ONE] },
		expect.stringMatching(/^There is no field sourceHash, only orders/),
	],
	['fields of a prototype', Object.create({ sourceHash: HASH }), expect.any(String)],
	[
		'a field named __proto__',
		JSON.parse(`{"__proto__": {"sourceHash": "${HASH}"}}`),
		expect.any(String),
	],
])('a call is refused that names no order: %s', (_what, body, message) => {
	expect(read(body)).toEqual(refused(message));
});

test.each<[string, unknown, unknown]>([
	['a word', 'my orders', expect.stringContaining("'my orders' is not a transaction hash")],
	['a number', 5, expect.stringContaining('it is 5')],
	['a list', [ONE], expect.stringContaining('it is a list')],
	['a number for a hash', { sourceHash: 5 }, expect.stringContaining("'5' is not a transaction")],
	[
		'two hashes',
		{ sourceHash: `${ONE} ${TWO}` },
		expect.stringContaining('could both be the hash'),
	],
	['a short hash', { sourceHash: '0x1234' }, expect.stringContaining('has 4 digits after 0x')],
	['a wallet', { sourceHash: WALLET }, expect.stringContaining('looks like a wallet')],
	[
		'a beginning that is no time',
		{ sourceHash: ONE, startedAt: 'soon' },
		expect.stringContaining('the field startedAt is not a time'),
	],
	[
		'a beginning before there were orders',
		{ sourceHash: ONE, startedAt: -1 },
		expect.stringContaining('the field startedAt is not a time'),
	],
	[
		'a beginning without a time of day, by which the order would be late at once',
		{ sourceHash: ONE, startedAt: '2025-01-01' },
		expect.stringContaining('the field startedAt has no time of day'),
	],
	[
		'a reference of 2,049 bytes',
		{ sourceHash: ONE, reference: 'x'.repeat(2047) },
		expect.stringContaining('the reference is larger than 2 KB'),
	],
	[
		'a reference of two bytes a sign',
		{ sourceHash: ONE, reference: 'ü'.repeat(1024) },
		expect.stringContaining('the reference is larger than 2 KB'),
	],
	[
		'a hash to replace that is none',
		{ sourceHash: ONE, replaces: 'the old one' },
		expect.stringContaining('the field replaces is not a transaction hash'),
	],
	[
		'a hash to replace that is no text',
		{ sourceHash: ONE, replaces: { hash: TWO } },
		expect.stringContaining('the field replaces is not a transaction hash'),
	],
	[
		'a hash that replaces itself, in another spelling',
		{ sourceHash: HASH, replaces: HASH.slice(2).toLowerCase() },
		expect.stringContaining('the field replaces has the same hash'),
	],
	[
		'a minimum that is no amount',
		{ sourceHash: ONE, minimumReceived: 'half' },
		expect.stringMatching(/minimumReceived cannot be 'half'\. Enter an amount above zero with its/),
	],
	[
		'a minimum that could count in either unit',
		{ sourceHash: ONE, minimumReceived: 5.5 },
		expect.stringContaining("minimumReceived cannot be '5.5'"),
	],
	[
		'a minimum without its unit, which in the smallest one would always be met',
		{ sourceHash: ONE, minimumReceived: 1000 },
		expect.stringContaining("minimumReceived cannot be '1000'"),
	],
	[
		'a minimum that can stand for two amounts',
		{ sourceHash: ONE, minimumReceived: '1,000 USDC' },
		expect.stringContaining(
			"minimumReceived cannot be '1,000 USDC'. It could mean 1.000 or 1000. Enter it with a dot",
		),
	],
	[
		'a minimum of nothing',
		{ sourceHash: ONE, minimumReceived: '0 USDC' },
		expect.stringContaining("minimumReceived cannot be '0 USDC'"),
	],
	[
		'zeros for a recipient',
		{ sourceHash: ONE, recipient: `0x${'0'.repeat(40)}` },
		expect.stringContaining('the field recipient, '),
	],
	[
		'a recipient that is no address',
		{ sourceHash: ONE, recipient: 'x'.repeat(201) },
		expect.stringContaining('recipient is too long'),
	],
	[
		'a recipient that is shortened',
		{ sourceHash: ONE, recipient: '0xdddd…dddd' },
		expect.stringContaining("the field recipient, '0xdddd…dddd', is not an address"),
	],
	[
		'a link to a recipient',
		{ sourceHash: ONE, recipient: `https://etherscan.io/address/${WALLET}` },
		expect.stringContaining('the field recipient, '),
	],
	...[
		{ recipient: { address: WALLET } },
		{ recipient: [WALLET] },
		{ recipient: true },
		{ minimumReceived: ['5 ETH'] },
		{ minimumReceived: { amount: '5', unit: 'ETH' } },
		{ minimumReceived: false },
	].map((expected): [string, unknown, unknown] => [
		`what is expected, as no text: ${JSON.stringify(expected)}`,
		{ sourceHash: ONE, ...expected },
		expect.stringContaining('the fields recipient and minimumReceived must be text'),
	]),
])('one bad order makes the call bad, and its place is said: %s', (_what, bad, message) => {
	expect(read([ONE, bad, TWO])).toEqual(refused(message, 400, 2));
	expect(read([ONE, bad, TWO])).toMatchObject({
		answer: {
			body: {
				message: expect.stringMatching(/^Order 2 of the list: .*\. Nothing was changed\.$/),
			},
		},
	});
});

test.each<[string, object, object]>([
	['recipient', { recipient: WALLET }, { 'Expected Recipient': `0x${'e'.repeat(40)}` }],
	['minimumReceived', { minimumReceived: '5 ETH' }, { minReceived: '6 ETH', recipient: WALLET }],
])(
	'of two rows with one hash, a second value of %s is refused by both places',
	(name, one, other) => {
		const spelled = { hash: HASH.slice(2).toLowerCase(), ...other };
		const message = `Order 4 of the list: it has the same hash as order 2, but a different ${name}; send only one of them. Nothing was changed.`;
		const between = { hash: HASH, reference: 'r' };
		expect(read([ONE, { sourceHash: HASH, ...one }, between, spelled])).toEqual(
			refused(message, 400, 4),
		);
	},
);

test('two rows with one hash may say the same of what is expected, or each a part of it, or have two references', () => {
	const rows = [
		{ sourceHash: ONE, reference: 1, recipient: WALLET },
		{ sourceHash: ONE, reference: 2, recipient: WALLET.toUpperCase().replace('X', 'x') },
		{ sourceHash: ONE, minimumReceived: '0,5 ETH' },
		{ sourceHash: ONE, minimumReceived: '0.5 ETH' },
		{ sourceHash: ONE, minimumReceived: '0.5 eth' },
		{ sourceHash: TWO, recipient: `0x${'e'.repeat(40)}`, minimumReceived: '6 ETH' },
	];
	expect(read(rows)).toMatchObject({
		ok: true,
		orders: rows.map(({ sourceHash }) => ({ sourceHash })),
	});
});

test('a reference may have 100 levels, however n8n has parsed it', () => {
	const nested = (levels: number) =>
		JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
	expect(readCall({ sourceHash: ONE, reference: nested(98) }, undefined).ok).toBe(true);
	expect(readCall({ sourceHash: ONE, reference: nested(101) }, undefined)).toEqual(
		refused('The reference is nested deeper than 100 levels.'),
	);
});

test('1,000 orders are accepted, and 256 KB, but not one more', () => {
	const hashes = Array.from({ length: 1_001 }, () => HASH);
	expect(read(hashes.slice(1)).ok).toBe(true);
	const parts = 'Send the orders in several requests.';
	expect(read(hashes)).toEqual(refused(`The list has more than 1000 orders. ${parts}`, 413));
	const body = { sourceHash: HASH };
	const raw = (bytes: number) => Buffer.from(JSON.stringify(body).padEnd(bytes));
	expect(readCall(body, raw(256 * 1024)).ok).toBe(true);
	const tooLarge = refused(`The body is larger than 256 KB. ${parts}`, 413);
	expect(readCall(body, raw(256 * 1024 + 1))).toEqual(tooLarge);
	// Of some calls n8n keeps no bytes.
	expect(readCall({ ...body, note: 'x'.repeat(256 * 1024) }, undefined)).toEqual(tooLarge);
});

test.each<[string, unknown, number | null]>([
	['ISO text', '2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:00:00Z')],
	[
		'ISO text without a zone, wherever n8n runs',
		'2026-01-01T10:00:00',
		Date.parse('2026-01-01T10:00:00Z'),
	],
	['Unix seconds', 1_767_225_600, 1_767_225_600_000],
	['Unix seconds as text', '1767225600', 1_767_225_600_000],
	['milliseconds', 1_767_225_600_123, 1_767_225_600_123],
	['null', null, null],
	['nothing, as a form sends it', '', null],
])('startedAt as %s', (_name, startedAt, expected) => {
	expect(read([{ sourceHash: HASH, startedAt }])).toMatchObject({
		ok: true,
		orders: [{ startedAt: expected }],
	});
});

describe('two columns whose names differ only in a space or a sign that nobody sees', () => {
	const OTHER = `0x${'b2'.repeat(32)}`;
	const [ONE, ANOTHER] = ['d', 'e'].map((digit) => `0x${digit.repeat(40)}`);

	test('with two values are refused', () => {
		for (const row of [
			{ sourceHash: HASH, recipient: ONE, 'recipient ': ANOTHER },
			{ 'Tx Hash': HASH, 'Tx Hash\u200b': OTHER },
			{ sourceHash: HASH, '\ufeffsourceHash': OTHER },
		])
			expect(read(row)).toMatchObject({ ok: false });
	});

	test('an empty one hides no other one', () => {
		expect(
			read({ sourceHash: HASH, minimumReceived: '5 ETH', 'minimumReceived ': '' }),
		).toMatchObject({ orders: [{ expected: { minimumReceived: '5 ETH' } }] });
		expect(read([{ 'Tx Hash': HASH, 'Tx Hash ': '' }, { 'Tx Hash': OTHER }])).toMatchObject({
			orders: [{ sourceHash: HASH }, { sourceHash: OTHER }],
			notes: [],
		});
	});
});

test('a hash of zeros, as apps write one that they do not know yet, is no order', () => {
	for (const zeros of [`0x${'0'.repeat(64)}`, '0'.repeat(64), '0'.repeat(88)])
		expect(read({ sourceHash: zeros, reference: 'Rent' })).toMatchObject({ ok: false });
});
