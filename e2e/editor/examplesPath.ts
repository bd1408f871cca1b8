import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

import { adapted, CREDENTIAL_TYPE, EXAMPLES_FOLDER } from '../examples';
import type { WorkflowDefinition } from '../n8nTypes';
import { ensureCredential, Path, type EditorStage } from './stage';

/** A canvas on which the widest example can be read. */
const WIDE = { width: 1700, height: 900 };

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

/** Each example as a person sees it who has imported it. */
export async function examplesPath(stage: EditorStage): Promise<void> {
	const { rehearsal, editor, gallery } = stage;
	await ensureCredential(stage);
	const credential = (await rehearsal.client.credentials()).find(({ type }) => type === CREDENTIAL_TYPE);
	assert.ok(credential);
	const path = new Path(stage);
	const size = editor.page.viewportSize();
	await editor.page.setViewportSize(WIDE);
	for (const file of readdirSync(EXAMPLES_FOLDER).filter((name) => name.endsWith('.json'))) {
		const name = file.replace('.json', '');
		await path.step(`the example ${name} lies on the canvas as it was drawn`, async () => {
			const example = JSON.parse(readFileSync(`${EXAMPLES_FOLDER}/${file}`, 'utf8')) as WorkflowDefinition;
			const { nodes, connections } = adapted(example, rehearsal.control.sandbox.url, credential);
			const { id } = await rehearsal.client.createWorkflow({ name: example.name, nodes, connections });
			await editor.openWorkflow(id);
			const steps = example.nodes.filter(({ type }) => type !== STICKY_NOTE);
			for (const step of steps) await editor.part('canvas-node').filter({ hasText: step.name }).first().waitFor();
			assert.equal(await editor.part('canvas-node').count(), steps.length);
			assert.equal(await editor.part('sticky').count(), example.nodes.length - steps.length);
			await gallery.takeOfExample(name, await editor.areaOfCanvas());
		});
	}
	if (size !== null) await editor.page.setViewportSize(size);
}
