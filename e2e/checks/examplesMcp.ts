import assert from 'node:assert/strict';

import { McpClient } from '../standIns/mcpClient';
import { FILL_IN, HEADER, imported, type Scene } from './examplesScene';

const ETH = '0x0000000000000000000000000000000000000000';

/** The example mcp-server, published, as a program that speaks MCP finds it. */
export async function checkMcpServer(scene: Scene): Promise<void> {
	const { rehearsal, checks } = scene;
	const { client, control, n8n } = rehearsal;
	await checks.check(
		'mcp-server: the tools are listed, an order is checked and a quote is given; nobody gets in without the header',
		async () => {
			const workflow = await imported(scene, 'mcp-server', FILL_IN['mcp-server']());
			await client.publish(workflow.id);
			const url = `${n8n.url}/mcp/cross-chain-bridge`;
			await assert.rejects(McpClient.connect(url, {}), /HTTP 40[13]/);
			const program = await McpClient.connect(url, { [HEADER.name]: HEADER.value });
			const tools = await program.tools();
			assert.deepEqual(tools.map(({ name }) => name).sort(), [
				'Check_an_Order',
				'Get_a_Quote',
				'List_the_Networks',
			]);

			const [hash = ''] = await control.openOrders(1);
			await control.end(hash, 'refunded');
			assert.match(
				await program.call('Check_an_Order', { Source_Transaction_Hash: hash }),
				/was refunded/,
			);
			assert.match(await program.call('List_the_Networks', {}), /Ethereum.*Base/s);
			assert.match(
				await program.call('Get_a_Quote', {
					From_Network: '101',
					From_Token: ETH,
					To_Network: '102',
					To_Token: ETH,
					Amount: '0.5',
					Sender: '0x1111111111111111111111111111111111111111',
					Recipient: '0x2222222222222222222222222222222222222222',
				}),
				/0\.5 ETH on Ethereum gives about 0\.49925 ETH on Base/,
			);
			// What Output selects is what a program reads.
			const selecting = {
				...workflow,
				nodes: workflow.nodes.map((node) =>
					node.name === 'Check an Order'
						? {
								...node,
								parameters: { ...node.parameters, output: 'selectedFields', fields: ['status'] },
							}
						: node,
				),
			};
			await client.updateWorkflow(workflow.id, selecting);
			await client.publish(workflow.id);
			const selected = await (
				await McpClient.connect(url, { [HEADER.name]: HEADER.value })
			).call('Check_an_Order', { Source_Transaction_Hash: hash });
			assert.match(selected, /refunded/);
			assert.doesNotMatch(selected, /summary|Ethereum/);
			await client.unpublish(workflow.id);
		},
	);
}
