import { nameMeant } from '../../../nodes/CrossChainBridge/fields/names';

const NAMES = { destinationAddress: ['recipient'], amount: [] };

test.each<[string, string | null]>([
	['destination_address', 'destinationAddress'],
	['destinationAdress', 'destinationAddress'],
	['RECIPIENT', 'destinationAddress'],
	['recipent', null],
	['destinationAddress2', null],
	['destination2Address', null],
	['amount1', null],
	['recipient2', null],
])('%j is probably meant for %j', (name, meant) => {
	expect(nameMeant(name, NAMES)).toBe(meant);
});
