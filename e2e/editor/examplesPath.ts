import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';

import { expect } from '@playwright/test';

import { EXAMPLES_FOLDER } from '../../realN8n/rehearsal/examples';
import type { WorkflowDefinition } from '../../realN8n/server/types';
import { ensureExampleCredentials, exampleWorkflow, importedExample } from './filledExamples';
import { Path, type EditorStage } from './stage';

/** A canvas on which the widest example can be read, and the highest lies above the button that runs it. */
const WIDE = { width: 1700, height: 1300 };

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

export const EXAMPLES = readdirSync(EXAMPLES_FOLDER)
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.replace('.json', ''));

/** One example: filled in it has no red mark; its picture shows it as it is imported. */
export async function examplePath(stage: EditorStage, name: string): Promise<void> {
	const { rehearsal, editor, gallery } = stage;
	await ensureExampleCredentials(stage);

	/** The example on a wide canvas, all of it. */
	const open = async (workflow: WorkflowDefinition): Promise<void> => {
		const { id } = await rehearsal.client.createWorkflow(workflow);
		await editor.openWorkflow(id);
		const nodes = workflow.nodes.filter(({ type }) => type !== STICKY_NOTE);
		for (const node of nodes)
			await editor.part('canvas-node').filter({ hasText: node.name }).first().waitFor();
		await expect(editor.part('canvas-node')).toHaveCount(nodes.length);
		await expect(editor.part('sticky')).toHaveCount(workflow.nodes.length - nodes.length);
	};

	await new Path(stage).step(
		`the example ${name}, filled in, has no red mark and notes that are not cut`,
		async () =>
			await editor.withViewport(WIDE, async () => {
				await open(await exampleWorkflow(stage, name));
				assert.equal(await editor.part('node-issues').count(), 0);
				assert.deepEqual(await editor.cutNotes(), []);
				await open(importedExample(name));
				await gallery.takeOfExample(name, await editor.areaOfCanvas());
			}),
	);
}
