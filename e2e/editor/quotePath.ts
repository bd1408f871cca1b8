import assert from 'node:assert/strict';

import type { N8nLine } from '../../realN8n/install/releases';
import { Path, type EditorStage } from './stage';

const WRONG_KEY = 'not-the-right-one';
const REJECTED_KEY_TEXT = 'The bridge does not accept the API key. Enter a valid one.';
/** n8n 2.8 has words of its own for each status. */
const WRONG_KEY_TEXT: Partial<Record<N8nLine, string>> = {
	'2.8': 'Authorization failed - please check your credentials',
	'2.41': REJECTED_KEY_TEXT,
};
const NETWORKS = [
	'Ethereum (101)',
	'Base (102)',
	'Polygon (103)',
	'BNB Smart Chain (104)',
	'Solana (201)',
	'Movement (202)',
];
const SENDER = '0x52908400098527886e0f7030069857d2e4169ee7';
const RECIPIENT = '0x8617e340b3d01fa5f11f306f4090fd50e238070d';
/** High enough for all fields of a credential, and for those of a quote. */
const HIGH = { width: 1280, height: 1120 };
/** What the picture of the credential shows: a bridge has an address with https, and the sandbox has none. */
const A_BRIDGE = 'https://bridge.example.com';
const USDC_ON_ETHEREUM = '0x166cab27f2cbb40426a5742c477d609e0716128b';

/** From an empty canvas to a quote: node, credential, lists, output. */
export async function quotePath(stage: EditorStage): Promise<void> {
	const { editor, gallery, rehearsal } = stage;
	const { page } = editor;
	const { apiKey, baseUrl } = rehearsal.rightCredential;
	const dialog = editor.part('editCredential-modal');
	const path = new Path(stage);

	await path.step('the action is added from the node panel', async () => {
		await editor.startNewWorkflow();
		await editor.addNode('bridge', 'Actions', 'Get quote');
	});

	await path.step('a list without a credential says what is missing', async () => {
		await editor.openField('fromNetwork');
		await page.getByText('Add your credential').waitFor();
		await editor.closeList();
	});

	await path.step('a wrong key turns the credential red, with what to do', async () => {
		await editor.startCredential();
		await editor.enterSecret(WRONG_KEY);
		await dialog.getByTestId('parameter-input-baseUrl').locator('input').fill(baseUrl);
		await editor.part('credential-save-button').click();
		await dialog.getByText('More details').click();
		await dialog
			.getByText(WRONG_KEY_TEXT[editor.line] ?? '')
			.first()
			.waitFor();
		await editor.closeMessages();
		await gallery.takeBothThemes('editor-credential-wrong-key');
		await editor.closeCredential();
	});

	await path.step('a list with a wrong key says so', async () => {
		await editor.openField('fromNetwork');
		const complaint = editor.part('rlc-error-container').filter({ visible: true });
		await complaint
			.getByText('The bridge does not accept the API key. Correct it in the credential.')
			.waitFor();
		await complaint.getByText('Open the credential and enter a valid API key.').waitFor();
		await gallery.takeBothThemes('editor-list-wrong-key');
		await page.getByText('Check your credential').click();
		await editor.credentialWindow.waitFor();
	});

	await path.step('the right key turns the credential green', async () => {
		// n8n tests a credential when it is opened; an answer to that test must not come after the one to the next.
		await editor
			.part('credentials-config-container-test-error')
			.or(dialog.getByText('More details'))
			.first()
			.waitFor();
		await editor.enterSecret(apiKey);
		await editor.part('credential-save-button').click();
		await editor.part('credentials-config-container-test-success').waitFor();
		await editor.closeMessages();
		await dialog
			.getByTestId('parameter-input-baseUrl')
			.locator('input')
			.evaluate((input: { value: string }, address) => {
				input.value = address;
			}, A_BRIDGE);
		await editor.withViewport(HIGH, async () => {
			await gallery.takeBothForDocuments('editor-credential', editor.credentialWindow);
		});
		await editor.closeCredential();
	});

	await path.step('the list of tokens asks for the network first', async () => {
		await editor.openField('fromToken');
		await editor
			.part('rlc-error-container')
			.filter({ visible: true })
			.getByText("Choose 'From Network' first")
			.waitFor();
		await editor.closeList();
	});

	await path.step('a search that finds nothing says so', async () => {
		await editor.openList('toNetwork');
		await editor.part('rlc-search').filter({ visible: true }).fill('no such network');
		await page.getByText('No results').waitFor();
		await editor.closeList();
	});

	await path.step('networks come from the list, by name and with search', async () => {
		await editor.openList('fromNetwork');
		assert.deepEqual(await editor.listEntries.allInnerTexts(), NETWORKS);
		await editor.pickFromOpenList('Polygon');
		await editor.untilChosen('fromNetwork', /^Polygon \(103\)$/);
	});

	await path.step('tokens are those of the chosen network, the native one first', async () => {
		await editor.openList('fromToken');
		assert.match(
			(await editor.listEntries.allInnerTexts()).join('; '),
			/^Native token \(POL\); USDC .*; USDT .*; WETH /,
		);
		await gallery.takeBothForDocuments('editor-lists', editor.nodeWindow);
		await editor.pickFromOpenList('USDT');
		await editor.untilChosen('fromToken', /^USDT/);
	});

	await path.step('another network leaves the token, and another token is chosen', async () => {
		await editor.pick('fromNetwork', 'Ethereum');
		await editor.untilChosen('fromToken', /^USDT/);
		await editor.pick('fromToken', 'Native token');
		await editor.untilChosen('fromToken', /^Native token \(ETH\)$/);
		await editor.pick('toNetwork', 'Base');
		await editor.pick('toToken', 'USDC');
	});

	await path.step(
		'the quote says in one sentence what would arrive, with Token Units as the default',
		async () => {
			await editor.enter('amount', '0.5');
			await editor.enter('sender', SENDER);
			await editor.enter('recipient', RECIPIENT);
			await editor.runNode();
			await editor.showOutputAs('schema');
			await editor.output.getByText('1248.125 USDC', { exact: true }).waitFor();
			await editor.output.getByText('receivedAtLeastAmount', { exact: true }).waitFor();
			await editor.output
				.getByText('0.5 ETH on Ethereum gives about 1248.125 USDC on Base; valid for')
				.waitFor();
			await editor.closeMessages();
			await editor.withViewport(HIGH, async () => {
				await editor.part('node-credentials-select').scrollIntoViewIfNeeded();
				await gallery.takeBothForDocuments('editor-quote', editor.nodeWindow);
			});
		},
	);

	await path.step('wrong Token Decimals stop with a sentence that names both', async () => {
		await editor.pick('fromToken', 'USDC');
		await editor.untilChosen('fromToken', /^USDC/);
		await editor.addOption('Token Decimals');
		await page.getByRole('button', { name: 'Add token' }).click();
		await editor.enter('address', USDC_ON_ETHEREUM);
		await editor.enter('decimals', '2');
		assert.match(
			await editor.runNodeInVain(),
			/'Token Decimals' is 2, but the bridge says that the token has 6 decimals/,
		);
		await editor.closeMessages();
		await gallery.takeBothThemes('editor-wrong-decimals');
	});

	await path.step('with the right ones there is a quote', async () => {
		await editor.enter('decimals', '6');
		await editor.runNode();
		await editor.output.getByText('0.5 USDC on Ethereum gives about').waitFor();
	});

	await path.step('the canvas says which operation it is', async () => {
		await editor.closeNode();
		assert.match(await editor.part('canvas-default-node').last().innerText(), /Get Quote/);
		await gallery.takeBothThemes('editor-canvas');
	});
}
