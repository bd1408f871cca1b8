import { CREDENTIAL_NAME, ensureCredential, Path, type EditorStage } from './stage';

const SENTENCE = "Line 2 of 'Source Transaction Hashes': 'my orders' is not a transaction hash";
const A_WALLET = `0x${'8617e340b3'.repeat(4)}`;
const NOBODYS = `0x${'ab'.repeat(32)}`;

/** What is no hash, and a hash that the bridge does not know: n8n shows the sentence that names it, whatever is tried with it. */
export async function junkPath(stage: EditorStage): Promise<void> {
	const { editor, gallery, rehearsal } = stage;
	const path = new Path(stage);
	const [sourceHash = ''] = await rehearsal.control.openOrders(1);
	await ensureCredential(stage);

	await path.step('Fetch Test Event refuses the address of a wallet', async () => {
		await editor.startNewWorkflow();
		await editor.addNode('bridge', 'Triggers', 'On any final status');
		await editor.untilCredential(CREDENTIAL_NAME);
		await editor.enter('sourceHashes', `Rent: ${sourceHash}\nCar: ${A_WALLET}`);
		await editor.runNodeUntilError(/Line 2 of .* looks like a wallet address/);
		await editor.closeMessages();
	});

	await path.step('Fetch Test Event shows an order that was not found, too', async () => {
		await editor.enter('sourceHashes', `Car: ${NOBODYS}\nRent: ${sourceHash}`);
		await editor.part('node-execute-button').click();
		await editor.untilItems(2);
		await editor.showOutputAs('table');
		await editor.output
			.getByText('⏳ Order “Car”: the bridge has not found order 0xabab…abab')
			.waitFor();
		await editor.closeMessages();
	});

	await path.step('Fetch Test Event shows an order that the bridge does not accept', async () => {
		await editor.enter('sourceHashes', `Car: ${NOBODYS.slice(0, -1)}\nRent: ${sourceHash}`);
		await editor.part('node-execute-button').click();
		await editor.output
			.getByText('⏳ Order “Car”: order 0xabab…baba could not be checked.')
			.waitFor();
		await editor.output.getByText('It has 63 digits').first().waitFor();
		await editor.untilItems(2);
		await editor.closeMessages();
	});

	await path.step('Fetch Test Event refuses a damaged hash next to a hash', async () => {
		await editor.enter('sourceHashes', `Rent: ${sourceHash}, ${NOBODYS}7`);
		await editor.runNodeUntilError(/Line 1 of .* has 65 digits after 0x instead of 64/);
		await editor.closeMessages();
	});

	await path.step('Fetch Test Event refuses a line that is no hash, and names it', async () => {
		await editor.enter('sourceHashes', `Invoice 4711: ${sourceHash}\nmy orders`);
		await editor.runNodeUntilError(new RegExp(SENTENCE));
		await editor.output.getByText('Enter the complete hash of the transaction').first().waitFor();
		await editor.closeMessages();
		await gallery.takeBothThemes('editor-junk-line');
	});

	await path.step('publishing refuses it, too', async () => {
		await editor.closeNode();
		await editor.closeMessages();
		await editor.publishInVain(SENTENCE);
	});

	await path.step('Get Status refuses the address of a wallet', async () => {
		await editor.startNewWorkflow();
		await editor.addNode('bridge', 'Actions', 'Get order status');
		await editor.enter('sourceHash', A_WALLET);
		await editor.runNodeUntilError(/looks like a wallet address/);
		await editor.closeMessages();
	});
}
