import net from 'node:net';

import { TestCredentials } from './credentials';
import { runAction } from './n8n';
import { CrossChainBridge } from '../../nodes/CrossChainBridge/CrossChainBridge.node';

/** What the fields of the action accept and reject, whatever service answers. */

const { properties } = new CrossChainBridge().description;
const modesOf = (field: { modes?: Array<{ name: string }> }) =>
	field.modes?.map(({ name }) => name);

test('every network and token is chosen from a list first, or by its ID or address', () => {
	const locators = properties.filter(({ type }) => type === 'resourceLocator');
	expect(locators.length).toBeGreaterThanOrEqual(5);
	for (const field of locators) {
		const isToken = /token/i.test(field.name);
		expect([field.name, modesOf(field)]).toEqual([
			field.name,
			isToken ? ['list', 'address'] : ['list', 'id'],
		]);
		expect(field.default).toEqual({ mode: 'list', value: '' });
		expect(field.modes?.[0]?.typeOptions).toMatchObject({
			searchable: true,
			searchListMethod: expect.stringMatching(isToken ? /Tokens$/ : /^searchNetworks$/),
		});
	}
});

test.each([2 ** 53, -(2 ** 53), 12_345_678_901_234_567_890])(
	'%d, an integer that may have lost digits, is rejected in an object that an expression gives, before anything is sent',
	async (amount) => {
		const connect = jest.spyOn(net.Socket.prototype, 'connect');
		const credentials = new TestCredentials({
			apiKey: 'key',
			baseUrl: 'http://localhost:1',
			requestsPerMinute: 100,
		});
		const { error } = await runAction(credentials, {
			operation: 'getQuote',
			specifyQuote: 'json',
			quoteJson: `={{ ({ amount: ${amount} }) }}`,
		});
		expect(String(error?.message)).toContain('"amount"');
		expect(connect).not.toHaveBeenCalled();
		connect.mockRestore();
	},
);
