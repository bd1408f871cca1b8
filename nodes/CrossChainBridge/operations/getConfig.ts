import type { IDataObject } from 'n8n-workflow';

import { networksOf, networksWithId, tokenList } from '../orders/networks';
import { NO_NETWORKS } from '../service/service';
import { networkField } from '../fields/fieldTypes';
import { inputError, itemError, optionalText, type OperationInput } from '../fields/parameters';
import { type Operation, runItems } from './operation';

async function execute(input: OperationInput): Promise<IDataObject[]> {
	const network = optionalText(input, 'Network', 'network') || undefined;
	const response = await input.service.config(network);
	const asked = { asked: 'config', labels: { chainID: 'Network' }, network } as const;
	if (!response.ok) throw itemError(input, response.error, asked);

	const networks = networksOf(response.data);
	if (networks === null) throw itemError(input, NO_NETWORKS, asked);

	// The service may ignore chainID.
	const chosen = network === undefined ? networks : networksWithId(networks, network);
	if (network !== undefined && chosen.length === 0) {
		throw inputError(
			input,
			`Network ${network} is not supported`,
			'Leave the field empty to see all networks with their IDs.',
		);
	}
	return chosen.map((network) => ({ ...network, tokenList: tokenList(network) }) as IDataObject);
}

export const getConfig: Operation = {
	option: {
		name: 'Get Config',
		value: 'getConfig',
		description:
			'Get the supported networks with their tokens and gateway addresses, one item per network',
		action: 'Get supported networks',
	},
	properties: [
		networkField(
			{
				displayName: 'Network',
				name: 'network',
				description: 'The network to get, or empty for all networks',
			},
			'All networks',
		),
	],
	run: async (input) => await runItems(input, execute),
};
