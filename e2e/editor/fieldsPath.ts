import assert from 'node:assert/strict';

import { expect } from '@playwright/test';

import { ACTION_TYPE, TRIGGER_TYPE } from '../../realN8n/rehearsal/examples';
import { ensureExampleCredentials, exampleWorkflow } from './filledExamples';
import { node, Path, type EditorStage } from './stage';

/** What the editor knows of our fields before anything has run (n8n shows that of no trigger), and what a tool of an agent has in place of Simplify. */
export async function fieldsPath(stage: EditorStage): Promise<void> {
	const { editor, gallery, rehearsal } = stage;
	await ensureExampleCredentials(stage);
	const path = new Path(stage);

	await path.step('after a node that has never run, the next one lists its fields', async () => {
		const { id } = await rehearsal.client.createWorkflow({
			name: 'Never run',
			nodes: [
				node('Order', ACTION_TYPE, 1, [0, 0], { operation: 'getStatus' }),
				node('Edit Fields', 'n8n-nodes-base.set', 3.4, [300, 0], {}),
			],
			connections: { Order: { main: [[{ node: 'Edit Fields', type: 'main', index: 0 }]] } },
		});
		await editor.openWorkflow(id);
		await editor.openNode('Edit Fields');
		const input = editor.part('ndv-input-panel');
		for (const field of ['summary', 'status', 'reference'])
			await input.getByText(field, { exact: true }).first().waitFor();
		await gallery.take('editor-schema');
		await editor.closeNode();
	});

	await path.step('as a tool the node has Output with its fields, and no Simplify', async () => {
		const example = await exampleWorkflow(stage, 'agent-where-is-my-order');
		const { id } = await rehearsal.client.createWorkflow(example);
		await editor.openWorkflow(id);
		await editor.openNode('Check the Order');
		await editor.parameter('toolDescription').waitFor();
		await editor.choose('output', 'Selected Fields');
		await editor.parameter('fields').waitFor();
		await gallery.take('editor-tool');
		assert.equal(await editor.parameter('simplify').count(), 0);
	});

	await path.step(
		'each operation has a tool description of its own, which another operation replaces',
		async () => {
			const { id } = await rehearsal.client.createWorkflow({
				name: 'Tool',
				nodes: [node('Tool', `${ACTION_TYPE}Tool`, 1, [0, 0], { operation: 'getStatus' })],
				connections: {},
			});
			await editor.openWorkflow(id);
			await editor.openNode('Tool');
			const description = editor.parameter('toolDescription').locator('textarea');
			await expect(description).toHaveValue(/^Get the status of a cross-chain transfer/);
			await editor.choose('operation', 'Get Quote');
			await editor.parameter('fromToken').waitFor();
			await gallery.take('editor-tool-quote');
			await expect(description).toHaveValue(/^Get a quote for a cross-chain transfer/);
		},
	);

	await path.step('a trigger of Completed only says what starts nothing', async () => {
		for (const [event, notices] of [
			['anyFinalStatus', 0],
			['completed', 1],
		] as const) {
			const { id } = await rehearsal.client.createWorkflow({
				name: event,
				nodes: [node('Trigger', TRIGGER_TYPE, 1, [0, 0], { events: [event] })],
				connections: {},
			});
			await editor.openWorkflow(id);
			await editor.openNode('Trigger');
			await editor.parameter('events').waitFor();
			await expect(
				editor.page.getByText('Only the selected events start the workflow'),
			).toHaveCount(notices);
		}
		await gallery.take('editor-completed-only');
	});
}
