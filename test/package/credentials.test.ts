import { foreignCredentials, hiddenCredentials } from '../../tools/check-package/credentials';

const OWN = ['crossChainBridgeApi'];

test('a credential of somebody else is found, however its name got into the description', () => {
	const HEADER_AUTH = ['http', 'HeaderAuth'].join('');
	const node = {
		name: 'watch',
		credentials: [{ name: 'crossChainBridgeApi' }, { name: HEADER_AUTH }],
	};
	expect(foreignCredentials([node], OWN)).toEqual([
		'The node watch uses the credential httpHeaderAuth, which is not in this package.',
	]);
});

test("a node with the package's own credential, or with none, is without findings", () => {
	const nodes = [{ name: 'act', credentials: [{ name: 'crossChainBridgeApi' }] }, { name: 'wait' }];
	expect(foreignCredentials(nodes, OWN)).toEqual([]);
});

test.each([
	['a constant', '{ name: HEADER_AUTH, required: true }'],
	['a constant under its own name', '{ name, required: true }'],
	['a part of another object', '{ ...HEADER_AUTH }'],
	['an entry from elsewhere', 'HEADER_AUTH_CREDENTIAL'],
	['entries from elsewhere', '...MORE_CREDENTIALS'],
	['a template with a part', '{ name: `http${KIND}Auth` }'],
])('a credential that is named by %s is found with its line', (_what, entry) => {
	const source = `class Watch {\n\tdescription = {\n\t\tcredentials: [{ name: 'ownApi' }, ${entry}],\n\t};\n}\n`;
	expect(hiddenCredentials('Watch.node.ts', source)).toEqual([
		'Watch.node.ts:3 names a credential by other means than a literal.',
	]);
});

test('a whole list from elsewhere is found', () => {
	const source = 'const description = { credentials: CREDENTIALS };';
	expect(hiddenCredentials('Watch.node.ts', source)).toHaveLength(1);
});

test('credentials that are named by literals are without findings, as is another use of the word', () => {
	const source = `
		const description = { credentials: [{ name: 'ownApi', required: true }, { name: \`otherApi\` }] };
		async function read(credentials: object) { return { credentials } }
	`;
	expect(hiddenCredentials('Watch.node.ts', source)).toEqual([]);
});
