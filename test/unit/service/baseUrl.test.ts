import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { CrossChainBridgeApi } from '../../../credentials/CrossChainBridgeApi.credentials';
import { normalizeBaseUrl } from '../../../nodes/CrossChainBridge/service/baseUrl';

const ALLOWED: Array<[string, string]> = [
	['https://bridge.example.com', 'https://bridge.example.com'],
	['  https://bridge.example.com/  ', 'https://bridge.example.com'],
	['https://bridge.example.com///', 'https://bridge.example.com'],
	['https://bridge.example.com/api/sdk/v2', 'https://bridge.example.com'],
	['https://bridge.example.com/api/sdk/v2/', 'https://bridge.example.com'],
	['https://bridge.example.com/API/sdk/v2/config?chainID=1', 'https://bridge.example.com'],
	['https://bridge.example.com/api/sdk/v2/status/', 'https://bridge.example.com'],
	['https://bridge.example.com/api/sdk/v2#top', 'https://bridge.example.com'],
	['https://bridge.example.com/api/sdk/v2/quote?a=1#top', 'https://bridge.example.com'],
	['https://bridge.example.com/api/sdk/v2/b', 'https://bridge.example.com/api/sdk/v2/b'],
	['https://example.com/bridge/', 'https://example.com/bridge'],
	['https://example.com:8443/bridge/api/sdk/v2', 'https://example.com:8443/bridge'],
	['HTTPS://bridge.example.com', 'HTTPS://bridge.example.com'],
	['http://localhost:4010', 'http://localhost:4010'],
	['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
	['http://[::1]:4010', 'http://[::1]:4010'],
	['http://10.1.2.3', 'http://10.1.2.3'],
	['http://172.16.0.1', 'http://172.16.0.1'],
	['http://172.20.0.1', 'http://172.20.0.1'],
	['http://172.31.0.1:80', 'http://172.31.0.1:80'],
	['http://192.168.1.5', 'http://192.168.1.5'],
	['http://[fd12:3456::1]', 'http://[fd12:3456::1]'],
	['http://[fc00::1]', 'http://[fc00::1]'],
	['http://bridge:4010', 'http://bridge:4010'],
	['http://bridge.localhost', 'http://bridge.localhost'],
	['http://bridge.local', 'http://bridge.local'],
	['http://a.bridge.internal/x', 'http://a.bridge.internal/x'],
];

const REJECTED = [
	'',
	'   ',
	'bridge.example.com',
	'ftp://bridge.example.com',
	'http://bridge.example.com',
	'http://8.8.8.8',
	'http://172.15.0.1',
	'http://172.32.0.1',
	'http://11.0.0.1',
	'http://128.0.0.1',
	'http://[2001:db8::1]',
	'http://169.254.169.254',
	'http://169.254.0.1:8080',
	'http://[fe80::1]',
	'http://192.169.0.1',
	'http://127.0.0.1.example.com',
	'http://10.0.0.1.example.com',
	'http://localhost.example.com',
	'http://134744072',
	'http://0x08080808',
	'http://[::ffff:8.8.8.8]',
	'http://example.com\\.local',
	'http://localhost@example.com',
	'http://user:pass@localhost',
	'http://example.com#.local',
	'http://example.com?.local',
	'http://example.com/.local',
	'https://user:pass@bridge.example.com',
	'https://bridge.example.com?x=1',
	'https://bridge example.com',
	'https://',
	'https://bridge.example.com:999999',
	'javascript:alert(1)',
];

test.each(ALLOWED)('%j is the address %j', (typed, url) => {
	expect(normalizeBaseUrl(typed)).toEqual({ ok: true, url });
});

test.each(REJECTED)('%j is rejected with a reason', (typed) => {
	expect(normalizeBaseUrl(typed)).toEqual({
		ok: false,
		problem: expect.stringMatching(/^(?:noBaseUrl|notHttps|notAnAddress)$/),
	});
});

test.each<[unknown, string]>([
	['http://bridge.example.com', 'notHttps'],
	['HTTP://bridge.example.com', 'notHttps'],
	['', 'noBaseUrl'],
	[' / ', 'noBaseUrl'],
	['/api/sdk/v2/config', 'noBaseUrl'],
	[undefined, 'noBaseUrl'],
	[['https://bridge.example.com'], 'noBaseUrl'],
	['bridge.example.com', 'notAnAddress'],
	['see http://bridge.example.com', 'notAnAddress'],
	['https://bridge.example.com:99999', 'notAnAddress'],
	['https://[1:2:3:4:5:6:7:8:9]', 'notAnAddress'],
])('what is wrong with %j is that it is %s', (typed, problem) => {
	expect(normalizeBaseUrl(typed)).toEqual({ ok: false, problem });
});

/** Each pattern took quadratic time on these. */
const TOO_LONG = [
	'/'.repeat(80_000),
	`https://bridge.example.com${'/'.repeat(80_000)}x`,
	`https://bridge.example.com${'/api/sdk/v2'.repeat(10_000)}x`,
	`https://${'a'.repeat(80_000)}.local`,
];

test.each(TOO_LONG)(
	'an address of more than 2,048 characters is rejected before any pattern runs',
	(typed) => {
		const patterns = [
			jest.spyOn(RegExp.prototype, 'exec'),
			jest.spyOn(RegExp.prototype, Symbol.replace),
			jest.spyOn(RegExp.prototype, 'test'),
		];
		const read = normalizeBaseUrl(typed);
		const calls = patterns.map(({ mock }) => mock.calls.length);
		jest.restoreAllMocks();
		expect(read).toEqual({ ok: false, problem: 'notAnAddress' });
		expect(calls).toEqual([0, 0, 0]);
	},
);

test('one of 2,048 characters is accepted', () => {
	const typed = 'https://bridge.example.com/'.padEnd(2_048, 'x');
	expect(normalizeBaseUrl(typed)).toEqual({ ok: true, url: typed });
});

describe('the credential’s test keeps the same rule', () => {
	const tested = async (baseUrl: string | null | undefined) =>
		await new CrossChainBridgeApi().authenticate(
			{ apiKey: 'sk-1', baseUrl } as ICredentialDataDecryptedObject,
			{ baseURL: baseUrl, url: '/api/sdk/v2/config' } as IHttpRequestOptions,
		);
	const LONGEST = 'https://bridge.example.com/'.padEnd(2_048, 'x');

	test.each([...ALLOWED, [LONGEST, LONGEST]])('with %j it goes to %j', async (typed, address) => {
		const { url, headers } = await tested(typed);
		expect(url).toBe(new URL(`${address}/api/sdk/v2/config`).href);
		expect(headers).toEqual({ 'x-api-key': 'sk-1' });
	});

	const NOTHING = [undefined, null, ''];

	test.each([...NOTHING, ...REJECTED, ...TOO_LONG, `${LONGEST}x`])(
		'with %j nothing is sent',
		async (typed) => {
			await expect(tested(typed)).rejects.toThrow(/Base URL/);
		},
	);
});
