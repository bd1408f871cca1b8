import { parseSourceHashes } from '../../../nodes/CrossChainBridge/trigger/sourceHashes';

test.each<[string, unknown, string[]]>([
	['lines', '0xa\n0xb\r\n0xc', ['0xa', '0xb', '0xc']],
	['commas, semicolons, tabs and many spaces', ' 0xa, 0xb;0xc\t\t0xd ,', ['0xa', '0xb', '0xc', '0xd']],
	['a pasted JSON list', '["0xa", "0xb"]', ['0xa', '0xb']],
	['a pasted column with quotes', "'0xa'\n`0xb`", ['0xa', '0xb']],
	['spaces that are not plain', '0xa\u00a00xb\u20280xc', ['0xa', '0xb', '0xc']],
	['nested arrays', ['0xa', ['0xb', ['0xc 0xd']]], ['0xa', '0xb', '0xc', '0xd']],
	['objects of an earlier step', [{ sourceHash: '0xa' }, { sourceHash: null }, { other: '0xb' }], ['0xa']],
	['a number', 123, ['123']],
	['repetitions in another case', '0xAB 0xab 0XAb', ['0xAB']],
	['base58 hashes, which differ in case', '5VER 5ver', ['5VER', '5ver']],
	['names of an object', '__proto__ constructor', ['__proto__', 'constructor']],
	['nothing', '', []],
	['white space', ' \n\t', []],
	['null', null, []],
	['undefined', undefined, []],
	['a boolean', true, []],
])('%s', (_name, given, expected) => {
	expect(parseSourceHashes(given)).toEqual(expected);
});
