import { exampleFile } from './filledExamples';
import { Path, type EditorStage } from './stage';

/** The nodes of the example in which something is missing: credentials and fields. n8n's Discord node does not require its credential. */
const NOT_FILLED_IN = [
	'When a Bridge Order Finishes',
	'Send a Telegram Message',
	'Send a Slack Message',
	'Send an Email',
];

/** An example as it is right after its import. Runs before there is a credential: n8n chooses those that it finds. */
export async function importPath(stage: EditorStage): Promise<void> {
	const { editor } = stage;
	await new Path(stage).step(
		'an example imported from its file has a red mark where something is missing',
		async () => {
			await editor.importFile(exampleFile('notify-when-an-order-finishes'));
			for (const name of NOT_FILLED_IN)
				await editor.nodeNamed(name).getByTestId('node-issues').waitFor();
			await editor.nodeNamed('When a Bridge Order Finishes').getByTestId('node-issues').hover();
			await editor.page
				.getByText(/Credentials for .*Cross-Chain Bridge.* are not set/)
				.first()
				.waitFor();
		},
	);
}
