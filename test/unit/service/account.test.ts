import { accountOf, CREDENTIAL_TEXTS } from '../../../nodes/CrossChainBridge/service/account';

const ADDRESS = 'https://bridge.example.com';
const GOOD = { apiKey: 'sk-1', baseUrl: ADDRESS, requestsPerMinute: 100 };
const credential = (changes: object = {}) => ({ ...GOOD, ...changes });

test('a credential leads to an address, with a key and a limit', () => {
	const account = { address: ADDRESS, apiKey: 'sk-1', requestsPerMinute: 30, problem: null };
	expect(accountOf(credential({ requestsPerMinute: 30 }))).toEqual(account);
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
	expect(accountOf(credential({ apiKey: given }))).toMatchObject({ apiKey, problem });
});

test.each<[unknown, string]>([
	['', 'noBaseUrl'],
	[undefined, 'noBaseUrl'],
	['http://bridge.example.com', 'notHttps'],
	['bridge.example.com', 'notAnAddress'],
	['x'.repeat(2049), 'notAnAddress'],
])('the Base URL %j is the problem %s, whatever the key, and no address', (baseUrl, problem) => {
	for (const apiKey of ['sk-1', ''])
		expect(accountOf(credential({ baseUrl, apiKey }))).toMatchObject({ address: '', problem });
});

test.each<[unknown, number]>([
	[250, 250],
	['250', 250],
	[1, 1],
	[0.5, 100],
	[0, 100],
	[-5, 100],
	[Number.POSITIVE_INFINITY, 100],
	[Number.NaN, 100],
	['many', 100],
	[null, 100],
	[undefined, 100],
])('Requests per Minute %j counts as %d', (requestsPerMinute, expected) => {
	expect(accountOf(credential({ requestsPerMinute })).requestsPerMinute).toBe(expected);
});

test.each([undefined, null, 'text', 5, []])(
	'%j, which is no credential, has no address, no key and the standard limit',
	(given) => {
		const expected = { address: '', apiKey: '', requestsPerMinute: 100, problem: 'noBaseUrl' };
		expect(accountOf(given)).toEqual(expected);
	},
);

test('each problem says what to enter', () => {
	expect(CREDENTIAL_TEXTS).toEqual({
		noKey: {
			message: 'The credential has no API key',
			description: 'Open the credential and enter the API key of the bridge.',
		},
		keyNotSendable: {
			message: 'The API key contains a character that is not allowed',
			description:
				'Only letters from A to Z, digits and ASCII symbols can be sent. Copy the key again, without spaces and invisible characters, and enter it in the credential.',
		},
		noBaseUrl: {
			message: 'The credential has no Base URL',
			description: 'Open the credential and enter the API address of the bridge.',
		},
		notHttps: {
			message: 'The Base URL must begin with https://',
			description:
				'Over http:// the API key could be read in transit. Plain http:// is allowed for this machine and for a private network only.',
		},
		notAnAddress: {
			message: 'The Base URL is not valid',
			description:
				'Enter the address only, with https:// in front and without user name, ? or #, for example https://bridge.example.com.',
		},
	});
});
