import {
	accountOf,
	credentialFault,
	credentialWords,
	webhookSecretOf,
} from '../../../nodes/CrossChainBridge/service/account';

const ADDRESS = 'https://bridge.example.com';
const GOOD = { apiKey: 'sk-1', baseUrl: ADDRESS, requestsPerMinute: 100 };
const credential = (changes: object = {}) => ({ ...GOOD, ...changes });

test('a credential leads to an address, with a key and a limit', () => {
	const account = { address: ADDRESS, apiKey: 'sk-1', requestsPerMinute: 30, problem: null };
	expect(accountOf(credential({ requestsPerMinute: 30 }))).toMatchObject(account);
	expect(accountOf(credential({ baseUrl: ` ${ADDRESS}/api/sdk/v2/ ` })).address).toBe(ADDRESS);
});

test.each<[unknown, string, string | null]>([
	[' sk-1\n', 'sk-1', null],
	['!~', '!~', null],
	[12345678, '12345678', null],
	['', '', 'noKey'],
	['  ', '', 'noKey'],
	[null, '', 'noKey'],
	[undefined, '', 'noKey'],
	['sk 1', 'sk 1', 'keyNotSendable'],
	['ésk', 'ésk', 'keyNotSendable'],
	['ské', 'ské', 'keyNotSendable'],
	['sk\u200b1', 'sk\u200b1', 'keyNotSendable'],
])('with the key %j the key is %j and the problem %j', (given, apiKey, problem) => {
	const expected = problem === null ? null : { kind: problem };
	expect(accountOf(credential({ apiKey: given }))).toMatchObject({ apiKey, problem: expected });
});

test.each<[unknown, string]>([
	['', 'noBaseUrl'],
	[undefined, 'noBaseUrl'],
	['http://bridge.example.com', 'notHttps'],
	['bridge.example.com', 'notAnAddress'],
	['x'.repeat(2049), 'notAnAddress'],
])('the Base URL %j is the problem %s, whatever the key, and no address', (baseUrl, problem) => {
	for (const apiKey of ['sk-1', ''])
		expect(accountOf(credential({ baseUrl, apiKey }))).toMatchObject({
			address: '',
			problem: { kind: problem },
		});
});

test.each<[unknown, number]>([
	[250, 250],
	['250', 250],
	[' 250 ', 250],
	[1, 1],
	[1.5, 1.5],
	[null, 100],
	[undefined, 100],
	['', 100],
])('Requests per Minute %j counts as %d', (requestsPerMinute, expected) => {
	const account = accountOf(credential({ requestsPerMinute }));
	expect([account.requestsPerMinute, account.problem]).toEqual([expected, null]);
});

const NO_LIMITS = ['many', '1,000', '1.000', '1e3', '0x64', ' ', '0', '-1', {}, [], true];

test.each([0.5, 0, -5, Infinity, Number.NaN, ...NO_LIMITS])(
	'Requests per Minute %j is refused by name',
	(requestsPerMinute) => {
		const { problem } = accountOf(credential({ requestsPerMinute }));
		const given = String(requestsPerMinute);
		expect(problem).toEqual({ kind: 'limitNotReadable', given });
		expect(problem && credentialWords(problem)).toEqual({
			message: "'Requests per Minute' in the credential is not a number of 1 or more",
			description: `It is '${given}'. Enter digits only, for example 100.`,
		});
	},
);

test('of a limit that cannot be read no more than 40 characters are repeated', () => {
	const { problem } = accountOf(credential({ requestsPerMinute: 'x'.repeat(41) }));
	expect(problem).toEqual({ kind: 'limitNotReadable', given: 'x'.repeat(40) });
});

test.each<[string, object, string | null]>([
	['nothing', { webhookSecret: 'a secret' }, null],
	['nothing, without a secret', {}, null],
	[
		'the key, before the secret',
		{ apiKey: '', webhookSecret: ' x' },
		'The credential has no API key. Open the credential and enter the API key that you got from your bridge.',
	],
	[
		'the secret',
		{ webhookSecret: ' x' },
		'The Webhook Secret in the credential cannot be sent in a header. Use letters from A to Z, digits and ASCII symbols only, without a space at the beginning or end.',
	],
])('what the test of a credential finds before it sends anything: %s', (_what, changes, fault) => {
	expect(credentialFault(credential(changes))).toBe(fault);
});

test.each([undefined, null, 'text', 5, []])(
	'%j, which is no credential, has no address, no key and the standard limit',
	(given) => {
		const expected = { address: '', apiKey: '', requestsPerMinute: 100 };
		expect(accountOf(given)).toMatchObject({ ...expected, problem: { kind: 'noBaseUrl' } });
	},
);

test('the name of an account is that of its address and key, in any spelling, and shows neither', () => {
	const nameOf = (changes: object) => accountOf(credential(changes)).name;
	const own = nameOf({});
	for (const same of [{ baseUrl: 'https://Bridge.example.com:443/' }, { requestsPerMinute: 5 }])
		expect(nameOf(same)).toBe(own);
	for (const other of [{ apiKey: 'sk-2' }, { baseUrl: 'https://bridge.example.org' }])
		expect(nameOf(other)).not.toBe(own);
	expect(own).toMatch(/^[0-9a-f]{64}$/);
});

test.each<[unknown, string | null]>([
	[undefined, null],
	['', null],
	['x', 'x'],
	['a long secret, 100% ASCII~', 'a long secret, 100% ASCII~'],
])('the Webhook Secret %j is %j', (webhookSecret, secret) => {
	expect(webhookSecretOf(credential({ webhookSecret }))).toEqual({ ok: true, secret });
});

test.each([' x', 'x ', 'x\n', 'gehe\u00efm', 'x\u200b', '\u00a0', 5, {}, ' '])(
	'the Webhook Secret %j is refused, because no header can carry it',
	(webhookSecret) => {
		expect(webhookSecretOf(credential({ webhookSecret }))).toEqual({
			ok: false,
			message: 'The Webhook Secret in the credential cannot be sent in a header',
			description:
				'Use letters from A to Z, digits and ASCII symbols only, without a space at the beginning or end.',
		});
	},
);

test('each problem says what to enter', () => {
	for (const kind of [
		'noKey',
		'keyNotSendable',
		'noBaseUrl',
		'notHttps',
		'notAnAddress',
	] as const) {
		const { message, description } = credentialWords({ kind });
		expect(message).toMatch(/API key|Base URL/);
		expect(description).toMatch(/^(?:Open|Enter|Only|Over) .*\.$/);
	}
});
