import assert from 'node:assert/strict';

import { Path, type EditorStage } from './stage';

const WRONG_KEY = 'not-the-right-one';
const NETWORKS = [
	'Ethereum (101)',
	'Base (102)',
	'Polygon (103)',
	'BNB Smart Chain (104)',
	'Solana (201)',
	'Movement (202)',
];
const SENDER = '0x52908400098527886e0f7030069857d2e4169ee7';

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
		await page.getByRole('button', { name: 'Connect to Cross-Chain Bridge' }).click();
		await editor.enterSecret(WRONG_KEY);
		await dialog.getByTestId('parameter-input-baseUrl').locator('input').fill(baseUrl);
		await editor.part('credential-save-button').click();
		await dialog.getByText('More details').click();
		await dialog.getByText('The bridge service does not accept the API key. Enter a valid one.').waitFor();
		await editor.closeMessages();
		await gallery.takeBothForDocuments('editor-credential-wrong-key', editor.credentialWindow);
		await editor.closeCredential();
	});

	await path.step('a list with a wrong key says so', async () => {
		await editor.openField('fromNetwork');
		const complaint = editor.part('rlc-error-container').filter({ visible: true });
		await complaint.getByText('The bridge service does not accept the API key').waitFor();
		await complaint.getByText('Open the credential and enter a valid API key.').waitFor();
		await gallery.takeInBothThemes('editor-list-wrong-key');
		await page.getByText('Check your credential').click();
		await editor.credentialWindow.waitFor();
	});

	await path.step('the right key turns the credential green', async () => {
		// n8n tests a credential when it is opened; an answer to that test must not come after the one to the next.
		await editor.part('credentials-config-container-test-error').or(dialog.getByText('More details')).first().waitFor();
		await editor.enterSecret(apiKey);
		await editor.part('credential-save-button').click();
		await editor.part('credentials-config-container-test-success').waitFor();
		await editor.closeMessages();
		await gallery.takeBothForDocuments('editor-credential', editor.credentialWindow);
		await editor.closeCredential();
	});

	await path.step('the list of tokens asks for the network first', async () => {
		await editor.openField('fromToken');
		await editor.part('rlc-error-container').filter({ visible: true }).getByText('Choose From Network first').waitFor();
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
		assert.match((await editor.listEntries.allInnerTexts()).join('; '), /^POL \(native token\); USDC .*; USDT .*; WETH /);
		await gallery.takeBothForDocuments('editor-lists');
		await editor.pickFromOpenList('USDT');
		await editor.untilChosen('fromToken', /^USDT/);
	});

	await path.step('another network clears the token', async () => {
		await editor.pick('fromNetwork', 'Ethereum');
		await editor.untilChosen('fromToken', /^$/);
		await editor.pick('fromToken', 'ETH');
		await editor.pick('toNetwork', 'Base');
		await editor.pick('toToken', 'USDC');
	});

	await path.step('the quote shows what would arrive', async () => {
		await editor.choose('amountUnit', 'Token Units');
		await editor.enter('amount', '0.5');
		await editor.enter('sender', SENDER);
		await editor.enter('recipient', SENDER);
		await editor.runNode();
		await editor.showOutputAs('schema');
		await editor.output.getByText('500000000000000000', { exact: true }).waitFor();
		await editor.closeMessages();
		await gallery.takeBothForDocuments('editor-quote');
	});

	await path.step('the canvas says which operation it is', async () => {
		await editor.closeNode();
		assert.match(await editor.part('canvas-default-node').last().innerText(), /Get Quote/);
		await gallery.takeInBothThemes('editor-canvas');
	});
}
