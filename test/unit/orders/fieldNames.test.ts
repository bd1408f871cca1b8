import { fieldNamed, nameReader } from '../../../nodes/CrossChainBridge/orders/fieldNames';

const meant = nameReader({ destinationAddress: ['recipient'], amount: [] });

test.each<[string, string | null]>([
	['destination_address', 'destinationAddress'],
	['Destination address:', 'destinationAddress'],
	['RECIPIENT', 'destinationAddress'],
	// Another name is not corrected.
	['destinationAdress', null],
	['recipent', null],
	['destinationAddress2', null],
	['amount1', null],
	['recipient2', null],
	['montant d’amount', null],
	['金额 amount', null],
	['', null],
	['constructor', null],
])('%j means %j', (name, right) => {
	expect(meant(name)).toBe(right);
});

test.each<[string, string | null]>([
	['Started At', 'startedAt'],
	['recipient-address', 'recipient'],
	['reference_id', null],
	['start_date', null],
	['replaced', null],
])('the name %j is of the field %j', (name, field) => {
	expect(fieldNamed(name)).toBe(field);
});
