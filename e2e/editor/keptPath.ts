import assert from 'node:assert/strict';

import { ACTION_TYPE, CREDENTIAL_TYPE } from '../../realN8n/rehearsal/examples';
import { until } from '../../realN8n/machine/until';
import type { JsonObject, WorkflowDefinition } from '../../realN8n/server/types';
import { ensureCredential, node, Path, type EditorStage } from './stage';

const QUOTE = 'Get the Quote';
const ROWS = 'My Table';
const NATIVE = `0x${'0'.repeat(40)}`;
const USDC_ON_ETHEREUM = '0x166cab27f2cbb40426a5742c477d609e0716128b';
const USDC_ON_BASE = '0xb8d205cae123a8167397d526d56a965505738f8e';
const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7';
const USDC_QUOTE = /^100 USDC on Ethereum gives about 99\.85 USDC on Base/;

const byExpression = (mode: string, expression: string) => ({
	__rl: true,
	mode,
	value: `={{ ${expression} }}`,
});
const listed = (value: string, cachedResultName: string) => ({
	__rl: true,
	mode: 'list',
	value,
	cachedResultName,
});

const BY_EXPRESSIONS: JsonObject = {
	fromNetwork: byExpression('id', '$json.from'),
	fromToken: byExpression('address', '$json.token'),
	toNetwork: byExpression('id', '$json.to'),
	toToken: byExpression('address', '$json.toToken'),
	amount: '={{ $json.amount }}',
};
/** Only the networks come from the table; the tokens were typed. */
const TYPED_TOKENS: JsonObject = {
	...BY_EXPRESSIONS,
	fromToken: { __rl: true, mode: 'address', value: USDC_ON_ETHEREUM },
	toToken: { __rl: true, mode: 'address', value: USDC_ON_BASE },
};
const BY_LISTS: JsonObject = {
	fromNetwork: listed('101', 'Ethereum (101)'),
	fromToken: listed(USDC_ON_ETHEREUM, 'USDC (0x166c…128b)'),
	toNetwork: listed('102', 'Base (102)'),
	toToken: listed(USDC_ON_BASE, 'USDC (0xb8d2…8f8e)'),
	amount: '100',
};
const TOKENS = ['fromToken', 'toToken'];

/** No field of Get Quote empties another, whatever has run before: an emptied token would be another amount of money. */
export async function keptPath(stage: EditorStage): Promise<void> {
	const { editor, gallery, rehearsal } = stage;
	const { client } = rehearsal;
	await ensureCredential(stage);
	const path = new Path(stage);

	const create = async (name: string, parameters: JsonObject): Promise<string> =>
		(await client.createWorkflow(await quoting(stage, name, parameters))).id;
	let changes = 0;
	/** Changes another field of the open node, which makes n8n store all of it as the editor has it. */
	const expectKept = async (id: string, parameters: JsonObject, name = QUOTE): Promise<void> => {
		const recipient = `0x${(++changes).toString(16).padStart(40, '8')}`;
		await editor.enter('recipient', recipient);
		await editor.save();
		const stored = async () => {
			const { nodes } = await client.workflow(id);
			const found = nodes.find((each) => each.name === name)?.parameters;
			return found?.recipient === recipient && found;
		};
		const found = await until('the node to be stored', stored, { seconds: 60 });
		const valueOf = (token: unknown) => (token as { value?: unknown } | undefined)?.value;
		assert.deepEqual(
			TOKENS.map((token) => valueOf(found[token])),
			TOKENS.map((token) => valueOf(parameters[token])),
		);
	};
	/** Runs the open node, and then once more: the second time with the data of the first. */
	const runTwice = async (summary: RegExp): Promise<void> => {
		await editor.runNode();
		await editor.showOutputAs('schema');
		await editor.output.getByText(summary).waitFor();
		await editor.closeMessages();
		await editor.runNode();
		await editor.output.getByText(summary).waitFor();
		await editor.closeMessages();
	};

	for (const [what, parameters] of [
		['with expressions', BY_EXPRESSIONS],
		['with tokens that were typed, next to networks by expressions', TYPED_TOKENS],
		['with lists', BY_LISTS],
	] as const) {
		let id = '';
		await path.step(
			`${what}, the node keeps its tokens when it is opened before any data`,
			async () => {
				id = await create(`Kept ${what}`, parameters);
				await editor.openWorkflow(id);
				await editor.openNode(QUOTE);
				await editor.parameter('recipient').waitFor();
				await expectKept(id, parameters);
			},
		);

		await path.step(
			`${what}, Execute step gives the quote, twice, and the tokens stay`,
			async () => {
				await runTwice(USDC_QUOTE);
				await gallery.take(`kept ${what}`);
				await expectKept(id, parameters);
			},
		);

		await path.step(`${what}, Clear execution and another run change nothing`, async () => {
			await editor.closeNode();
			await editor.clearExecution();
			await editor.openNode(QUOTE);
			await runTwice(USDC_QUOTE);
			await expectKept(id, parameters);
			await editor.closeNode();
		});

		await path.step(
			`${what}, a copied node has the same tokens, also after it has run`,
			async () => {
				await editor.copyAllNodes(QUOTE);
				const copy = `${QUOTE}1`;
				await editor.openNode(copy);
				await runTwice(USDC_QUOTE);
				await expectKept(id, parameters, copy);
				await editor.closeNode();
			},
		);
	}

	await path.step('networks and tokens by their names, from a table', async () => {
		const names = { ...BY_EXPRESSIONS, fromNetwork: byExpression('id', '$json.fromName') };
		const symbols = {
			fromToken: byExpression('address', '$json.symbol'),
			toToken: byExpression('address', '$json.symbol'),
		};
		await editor.openWorkflow(await create('Names', { ...names, ...symbols }));
		await editor.openNode(QUOTE);
		await runTwice(USDC_QUOTE);
		await gallery.take('kept-names');
	});

	await path.step(
		'another network leaves the token as it is, and the node refuses it by name',
		async () => {
			await editor.openWorkflow(await create('Another network', BY_LISTS));
			await editor.openNode(QUOTE);
			await editor.pick('toNetwork', 'Polygon');
			await editor.untilChosen('toToken', /^USDC \(0xb8d2…8f8e\)$/);
			await editor.runNodeUntilError(
				/'To Token': 'USDC \(0xb8d2…8f8e\)' is not a token on Polygon/,
			);
			await gallery.take('kept-token-of-another-network');
			await editor.closeMessages();
		},
	);

	await path.step(
		'the list then has the tokens of the new network, and the quote is for those',
		async () => {
			await editor.openList('toToken');
			// n8n still shows what is chosen, above the entries.
			await editor.listEntries.filter({ hasText: 'Native token (POL)' }).waitFor();
			await editor.pickFromOpenList('USDT');
			await editor.untilChosen('toToken', /^USDT \(0x44d0…5af9\)$/);
			await editor.runNode();
			await editor.output
				.getByText(/^100 USDC on Ethereum gives about 99\.85 USDT on Polygon/)
				.waitFor();
			await editor.closeMessages();
		},
	);

	await path.step(
		'another network’s native token is refused, though it has the same address',
		async () => {
			const native = listed(NATIVE, 'Native token (ETH)');
			await editor.openWorkflow(await create('Native', { ...BY_LISTS, fromToken: native }));
			await editor.openNode(QUOTE);
			await editor.pick('fromNetwork', 'Polygon');
			await editor.untilChosen('fromToken', /^Native token \(ETH\)$/);
			await editor.runNodeUntilError(
				/'From Token': 'Native token \(ETH\)' is not a token on Polygon/,
			);
			await editor.closeMessages();
		},
	);

	await path.step('a node without tokens cannot run: the fields are marked', async () => {
		const { fromToken: _from, toToken: _to, ...others } = BY_LISTS;
		await editor.openWorkflow(await create('Without tokens', others));
		await editor.openNode(QUOTE);
		await editor.part('node-execute-button').click();
		await editor.page
			.getByText(/has issues/)
			.first()
			.waitFor();
		for (const token of TOKENS)
			await editor.part(`resource-locator-${token}`).getByTestId('parameter-issues').waitFor();
		await gallery.take('kept-token-missing');
		await editor.closeMessages();
	});
}

/** A table with one row, and a quote of it. */
async function quoting(
	{ rehearsal }: EditorStage,
	name: string,
	parameters: JsonObject,
): Promise<WorkflowDefinition> {
	const credential = (await rehearsal.client.credentials()).find(
		({ type }) => type === CREDENTIAL_TYPE,
	);
	assert.ok(credential);
	const row = {
		from: '101',
		to: '102',
		token: USDC_ON_ETHEREUM,
		toToken: USDC_ON_BASE,
		amount: '100',
		fromName: 'ethereum',
		symbol: 'USDC',
	};
	const start = 'When Clicking Execute';
	const to = (next: string) => ({ main: [[{ node: next, type: 'main' as const, index: 0 }]] });
	return {
		name,
		nodes: [
			node(start, 'n8n-nodes-base.manualTrigger', 1, [0, 0], {}),
			node(ROWS, 'n8n-nodes-base.set', 3.4, [220, 0], {
				mode: 'raw',
				jsonOutput: JSON.stringify(row),
			}),
			{
				...node(QUOTE, ACTION_TYPE, 1, [440, 0], {
					operation: 'getQuote',
					sender: WALLET,
					recipient: '0x8617e340b3d01fa5f11f306f4090fd50e238070d',
					...parameters,
				}),
				credentials: { [CREDENTIAL_TYPE]: { id: credential.id, name: credential.name } },
			},
		],
		connections: { [start]: to(ROWS), [ROWS]: to(QUOTE) },
		// As the editor stores it: n8n 2.41 cannot run a node a second time in a workflow that was created without it.
		pinData: {},
	};
}
