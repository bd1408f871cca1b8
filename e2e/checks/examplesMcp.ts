import assert from 'node:assert/strict';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import type { JsonObject } from '../../realN8n/server/types';
import { FILL_IN, HEADER, imported, type Scene } from './examplesScene';

/** A program that speaks MCP, with these headers. @throws what the server refuses it with */
async function connect(url: string, headers: Record<string, string>): Promise<Client> {
	const program = new Client({ name: 'stand-in', version: '1' });
	await program.connect(
		new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
	);
	return program;
}

/** The text that a tool gives. */
async function call(program: Client, name: string, given: JsonObject): Promise<string> {
	const { content } = await program.callTool({ name, arguments: given });
	return (content as Array<{ text?: string }>).map(({ text = '' }) => text).join('\n');
}

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
			await assert.rejects(connect(url, {}), { code: 403 });
			const program = await connect(url, { [HEADER.name]: HEADER.value });
			const { tools } = await program.listTools();
			assert.deepEqual(tools.map(({ name }) => name).sort(), [
				'Check_an_Order',
				'Get_a_Quote',
				'List_the_Networks',
			]);

			const [hash = ''] = await control.openOrders(1);
			await control.end(hash, 'refunded');
			assert.match(
				await call(program, 'Check_an_Order', { Source_Transaction_Hash: hash }),
				/was refunded/,
			);
			assert.match(await call(program, 'List_the_Networks', {}), /Ethereum.*Base/s);
			assert.match(
				await call(program, 'Get_a_Quote', {
					From_Network: 'Ethereum',
					From_Token: 'eth',
					To_Network: '102',
					To_Token: 'NATIVE',
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
			const another = await connect(url, { [HEADER.name]: HEADER.value });
			const selected = await call(another, 'Check_an_Order', { Source_Transaction_Hash: hash });
			await Promise.all([program.close(), another.close()]);
			assert.match(selected, /refunded/);
			assert.doesNotMatch(selected, /summary|Ethereum/);
			await client.unpublish(workflow.id);
		},
	);
}
