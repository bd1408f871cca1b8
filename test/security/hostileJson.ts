import fc from 'fast-check';

/** JSON as somebody would write it who wants to break a reader: as text, with what an exact reader makes of it. */
export interface Written {
	text: string;
	/** What is in it; a whole number that JavaScript cannot represent is the text of its digits. */
	value: unknown;
}

/** Words that mean something to somebody: the service, JavaScript, HTML, a terminal, a reader from right to left. */
const LOADED_WORDS = [
	...`
		completed ¦ refunded ¦ failed ¦ Completed ¦ COMPLETED ¦ completed\u0000 ¦
		complet\u200bed ¦ сompleted ¦ pending ¦ executing ¦ notFound ¦ null ¦ undefined ¦
		__proto__ ¦ constructor ¦ toString ¦ prototype ¦ hasOwnProperty ¦ valueOf ¦ toJSON ¦
		then ¦ length ¦ NATIVE ¦ NOT_FOUND ¦ UNAUTHORIZED ¦ RATE_LIMITED ¦ INTERNAL_ERROR ¦
		INVALID_PARAMETER ¦ INSUFFICIENT_LIQUIDITY ¦ A_B ¦ <script>alert(1)</script> ¦
		<img src=x onerror=alert(1)> ¦ "><b onmouseover='a()'> ¦ &lt;b&gt; ¦ &#60;b&#62; ¦
		&#x3c;b ¦ &amp;lt;b ¦ </description> ¦ <!-- ¦ ]]> ¦ javascript:alert(1) ¦ {{ $json }} ¦
		=1+1 ¦ \${1} ¦ \u202e0x00 ¦ \u2066a\u2069 ¦ \u200b ¦ \u0000 ¦ \u001b[2J ¦ \u00ad ¦
		\ud800 ¦ \udc00x ¦ 💣 ¦ e\u0301 ¦ 0 ¦ 00 ¦ 007 ¦ -1 ¦ -0 ¦ +1 ¦ 1.5 ¦ 1e18 ¦ 0x10 ¦ ١٢٣ ¦
		9007199254740993 ¦ 1 000 ¦ 1,000 ¦ NaN ¦ Infinity ¦ 2026-01-01T00:00:00Z ¦ 9999-99-99 ¦
		marked-key-7f3a
	`
		.trim()
		.split(/\s*¦\s*/),
	'',
	' ',
	'completed ',
	' completed',
	'X'.repeat(70),
	'\ufeff',
	'\u2028',
	'ﷺ'.repeat(8),
	'9'.repeat(80),
	`0x${'ab'.repeat(32)}`,
	`0x${'AB'.repeat(32)}`,
	`0x${'0'.repeat(40)}`,
	'1'.repeat(32),
];

/** The key that no message may repeat. */
export const KEY = 'marked-key-7f3a';

export const hostileText = fc.oneof(
	{ arbitrary: fc.constantFrom(...LOADED_WORDS), weight: 6 },
	{ arbitrary: fc.string({ unit: 'binary', maxLength: 20 }), weight: 2 },
	{
		arbitrary: fc
			.tuple(fc.constantFrom(...LOADED_WORDS), fc.constantFrom(...LOADED_WORDS))
			.map((words) => words.join('')),
		weight: 2,
	},
	{ arbitrary: fc.constantFrom(...LOADED_WORDS).map((word) => word.repeat(400)), weight: 1 },
);

const writtenText = hostileText.map((text): Written => ({
	text: JSON.stringify(text),
	value: text,
}));

/** A whole number that JavaScript cannot represent is read as the text of its digits. */
function writtenWhole(text: string): Written {
	return { text, value: Number.isSafeInteger(Number(text)) ? Number(text) : text };
}

/** Whole numbers of any size, and numbers in every other form that JSON has. */
const writtenNumber = fc.oneof(
	fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map((whole) => writtenWhole(String(whole))),
	fc.constantFrom<Written>(
		{ text: '9007199254740991', value: 9_007_199_254_740_991 },
		{ text: '9007199254740992', value: '9007199254740992' },
		{ text: '-9007199254740993', value: '-9007199254740993' },
		{ text: '1e400', value: '1e400' },
		{ text: '-1E+400', value: '-1E+400' },
		{ text: '1e-400', value: 0 },
		{ text: '0.1', value: 0.1 },
		{ text: '1e18', value: 1e18 },
		{ text: '1767225600', value: 1_767_225_600 },
		{ text: '99999999999999999', value: '99999999999999999' },
		{ text: '0', value: 0 },
		{ text: '255', value: 255 },
		{ text: '256', value: 256 },
	),
	fc.double({ noNaN: true, noDefaultInfinity: true }).map((number): Written => {
		const text = JSON.stringify(number);
		return /^-?\d+$/.test(text) ? writtenWhole(text) : { text, value: number };
	}),
);

const writtenWord = fc.constantFrom<Written>(
	{ text: 'null', value: null },
	{ text: 'true', value: true },
	{ text: 'false', value: false },
);

function writtenList(entries: readonly Written[]): Written {
	return {
		text: `[${entries.map(({ text }) => text).join(', ')}]`,
		value: entries.map(({ value }) => value),
	};
}

/** An object; of a name that comes twice the last counts, and one named `__proto__` is left out. */
export function writtenObject(entries: ReadonlyArray<readonly [string, Written]>): Written {
	const value: Record<string, unknown> = {};
	for (const [name, entry] of entries) if (name !== '__proto__') value[name] = entry.value;
	return {
		text: `{${entries.map(([name, { text }]) => `${JSON.stringify(name)}:${text}`).join(' , ')}}`,
		value,
	};
}

const NAMES = [
	'',
	...`
		success data error code message errorCode type detail error_description status orderId
		input output solver timing networks tokens chainId chainID txHash token amount address
		timestamp decimals tokenDecimals assignedAt createdAt expiry completedAt duration name
		baseToken gateway NATIVE __proto__ constructor prototype toString toJSON hasOwnProperty
		then length sourceHash orders reference
	`
		.trim()
		.split(/\s+/),
];

const anyName = fc.oneof(
	{ arbitrary: fc.constantFrom(...NAMES), weight: 5 },
	{ arbitrary: hostileText, weight: 1 },
);

const LEAF = fc.oneof(writtenText, writtenNumber, writtenWord);

/** JSON of every shape. */
export const anyJson: fc.Arbitrary<Written> = fc.letrec<{ node: Written }>((tie) => ({
	node: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		LEAF,
		fc.array(tie('node'), { maxLength: 4 }).map(writtenList),
		fc.array(fc.tuple(anyName, tie('node')), { maxLength: 5 }).map(writtenObject),
	),
})).node;

/** A field as it should be, something else, or missing. */
function perhaps(name: string, sound: fc.Arbitrary<Written>): fc.Arbitrary<Field[]> {
	const given = fc.oneof(
		{ arbitrary: sound.map((written) => [written]), weight: 6 },
		{ arbitrary: LEAF.map((written) => [written]), weight: 3 },
		{ arbitrary: anyJson.map((written) => [written]), weight: 1 },
		{ arbitrary: fc.tuple(sound, LEAF), weight: 1 },
		{ arbitrary: fc.constant<Written[]>([]), weight: 1 },
	);
	return given.map((values) => values.map((written) => [name, written]));
}

type Field = readonly [name: string, value: Written];

function objectOf(...fields: Array<fc.Arbitrary<Field[]>>): fc.Arbitrary<Written> {
	return fc.tuple(...fields).map((entries) => writtenObject(entries.flat()));
}

const json = (value: unknown): Written => ({ text: JSON.stringify(value), value });
const time = fc.constantFrom(
	json(1_767_225_600),
	json(1_767_225_615),
	json(0),
	json(null),
	json('1767225600'),
	json('2026-01-01T00:00:00Z'),
	json(1_767_225_600_123),
);
const amount = fc.constantFrom(json('500000000000000000'), json('0'), json('1'), json(7));
const chain = fc.constantFrom(json(1), json('1'), json(2), json(null));
const address = fc.constantFrom(
	json(`0x${'0'.repeat(40)}`),
	json(`0x${'ab'.repeat(20)}`),
	json(`0x${'AB'.repeat(20)}`),
);

const leg = objectOf(
	perhaps('chainId', chain),
	perhaps('txHash', fc.constant(json(`0x${'cd'.repeat(32)}`))),
	perhaps('token', address),
	perhaps('amount', amount),
	perhaps('address', address),
	perhaps('timestamp', time),
	perhaps('decimals', fc.constantFrom(json(6), json(18), json(null))),
);

/** An order in which anything may be wrong, and many things are right. */
export const hostileOrder = objectOf(
	perhaps('orderId', fc.constant(json('0x01'))),
	perhaps(
		'status',
		fc.constantFrom(...['pending', 'executing', 'completed', 'refunded', 'failed'].map(json)),
	),
	perhaps('input', leg),
	perhaps('output', leg),
	perhaps('solver', objectOf(perhaps('address', address), perhaps('assignedAt', time))),
	perhaps(
		'timing',
		objectOf(
			perhaps('createdAt', time),
			perhaps('expiry', time),
			perhaps('completedAt', time),
			perhaps('duration', fc.constant(json(15))),
		),
	),
	perhaps('__proto__', fc.constant(json({ status: 'completed' }))),
);

const tokens = fc
	.array(
		fc.tuple(
			fc.oneof(fc.constantFrom('NATIVE', 'USDC', 'USDC', '__proto__', 'constructor'), hostileText),
			fc.oneof(address, LEAF),
		),
		{ maxLength: 5 },
	)
	.map(writtenObject);

const network = objectOf(
	perhaps('chainID', chain),
	perhaps('name', fc.constantFrom(json('Ethereum'), json(''), json('Base'))),
	perhaps('baseToken', fc.constant(json('ETH'))),
	perhaps('decimals', fc.constantFrom(json(18), json(9))),
	perhaps('gateway', address),
	perhaps('tokens', tokens),
);

/** A configuration in which networks come twice, have no tokens, or are something else. */
export const hostileConfig = objectOf(
	perhaps(
		'networks',
		fc
			.array(fc.oneof({ arbitrary: network, weight: 8 }, { arbitrary: LEAF, weight: 1 }), {
				maxLength: 5,
			})
			.map(writtenList),
	),
);

/** The body of an error, in the shapes that services use and in none. */
export const hostileError = fc.oneof(
	objectOf(
		perhaps('success', fc.constant(json(false))),
		perhaps(
			'error',
			fc.oneof(
				objectOf(perhaps('code', LEAF), perhaps('message', LEAF), perhaps('type', LEAF)),
				LEAF,
			),
		),
		perhaps('code', fc.constantFrom(json('NOT_FOUND'), json('RATE_LIMITED'))),
		perhaps('message', fc.oneof(LEAF, fc.array(LEAF, { maxLength: 3 }).map(writtenList))),
		perhaps('detail', LEAF),
		perhaps('errors', anyJson),
		perhaps('data', objectOf(perhaps('code', LEAF), perhaps('message', LEAF))),
	),
	anyJson,
);

/** Text that may be JSON, half of it, or nothing of the kind. */
export const anyBody = fc.oneof(
	{ arbitrary: anyJson.map(({ text }) => text), weight: 4 },
	{
		arbitrary: fc.tuple(anyJson, fc.nat(60)).map(([{ text }, end]) => text.slice(0, end)),
		weight: 3,
	},
	{ arbitrary: hostileText, weight: 2 },
	{
		arbitrary: fc
			.tuple(anyJson, fc.nat(60), hostileText)
			.map(([{ text }, at, more]) => text.slice(0, at) + more + text.slice(at)),
		weight: 2,
	},
	{
		arbitrary: fc.constantFrom(
			'',
			'\ufeff',
			'\ufeff{}',
			'<html>',
			'<?xml version="1.0"?>',
			'[[[[',
			'"\\',
			'{"a":',
			'\u0000',
		),
		weight: 1,
	},
);
