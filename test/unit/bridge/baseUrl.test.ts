import { Workflow } from 'n8n-workflow';

import { BASE_URL_EXPRESSION, normaliseBaseUrl } from '../../../nodes/CrossChainBridge/bridge/baseUrl';

const ALLOWED: Array<[string, string]> = [
	['https://bridge.example.com', 'https://bridge.example.com'],
	['  https://bridge.example.com/  ', 'https://bridge.example.com'],
	['https://bridge.example.com///', 'https://bridge.example.com'],
	['https://bridge.example.com/api/sdk/v2', 'https://bridge.example.com'],
	['https://bridge.example.com/api/sdk/v2/', 'https://bridge.example.com'],
	['https://bridge.example.com/API/sdk/v2/config?chainID=1', 'https://bridge.example.com'],
	['https://bridge.example.com/api/sdk/v2/status/', 'https://bridge.example.com'],
	['https://example.com/bridge/', 'https://example.com/bridge'],
	['https://example.com:8443/bridge/api/sdk/v2', 'https://example.com:8443/bridge'],
	['HTTPS://bridge.example.com', 'HTTPS://bridge.example.com'],
	['http://localhost:4010', 'http://localhost:4010'],
	['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
	['http://[::1]:4010', 'http://[::1]:4010'],
	['http://10.1.2.3', 'http://10.1.2.3'],
	['http://172.16.0.1', 'http://172.16.0.1'],
	['http://172.31.0.1:80', 'http://172.31.0.1:80'],
	['http://192.168.1.5', 'http://192.168.1.5'],
	['http://[fd12:3456::1]', 'http://[fd12:3456::1]'],
	['http://bridge:4010', 'http://bridge:4010'],
	['http://bridge.localhost', 'http://bridge.localhost'],
	['http://bridge.local', 'http://bridge.local'],
	['http://a.bridge.internal/x', 'http://a.bridge.internal/x'],
];

const REFUSED = [
	'',
	'   ',
	'bridge.example.com',
	'ftp://bridge.example.com',
	'http://bridge.example.com',
	'http://8.8.8.8',
	'http://172.32.0.1',
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
	expect(normaliseBaseUrl(typed)).toEqual({ ok: true, url });
});

test.each(REFUSED)('%j is refused with a sentence', (typed) => {
	expect(normaliseBaseUrl(typed)).toEqual({ ok: false, message: expect.stringMatching(/^The /), description: expect.any(String) });
});

test.each([undefined, null, 5, {}, []])('%j, which is no text, is refused', (typed) => {
	expect(normaliseBaseUrl(typed).ok).toBe(false);
});

test('plain http to a public host is named as the reason', () => {
	expect(normaliseBaseUrl('http://bridge.example.com')).toMatchObject({ message: 'The Base URL must begin with https://' });
});

describe('the expression of the credential’s test keeps the same rule', () => {
	const nodeTypes = { getByName: noNode, getByNameAndVersion: noNode, getKnownTypes: () => ({}) };
	function noNode(): never {
		throw new Error('This workflow has no nodes');
	}
	const workflow = new Workflow({ id: 'x', nodes: [], connections: {}, active: false, nodeTypes });
	const evaluate = (baseUrl: unknown) =>
		workflow.expression.getParameterValue(BASE_URL_EXPRESSION, null, 0, 0, 'none', [], 'internal', { $credentials: { baseUrl } } as never);

	test.each(ALLOWED)('%j becomes %j', (typed, url) => expect(evaluate(typed)).toBe(url));

	test.each(REFUSED)('%j becomes an address that nothing can be sent to', (typed) => {
		expect(URL.canParse('/api/sdk/v2/config', String(evaluate(typed)))).toBe(false);
	});
});
