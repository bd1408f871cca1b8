import { test } from '@playwright/test';

import type { Rehearsal } from '../../realN8n/rehearsal/rehearsal';
import type { JsonObject, NodeDefinition } from '../../realN8n/server/types';
import type { Editor } from './editor';
import type { Gallery } from './gallery';

/** The order that README's message is about. */
export const README_ORDER = {
	inputNetwork: 101,
	outputNetwork: 102,
	inputTokenAmount: '500000000000000000',
	end: 'completed' as const,
	endsAfterSeconds: 12,
};

/** What a path through the editor is given. */
export interface EditorStage {
	rehearsal: Rehearsal;
	editor: Editor;
	gallery: Gallery;
}

/** The name that n8n gives to the first credential of ours. */
export const CREDENTIAL_NAME = 'Cross-Chain Bridge account';

/** The credential that the quote path makes in its window, for when that path has not been run. */
export async function ensureCredential({ rehearsal }: EditorStage): Promise<void> {
	if ((await rehearsal.client.credentials()).length > 0) return;
	await rehearsal.credential(CREDENTIAL_NAME, rehearsal.rightCredential);
}

/** The steps of one path: each begins where the one before stopped. */
export class Path {
	constructor(private readonly stage: EditorStage) {}

	/** Makes one step and takes a picture of what is on the screen then, well or not. */
	async step(name: string, body: () => Promise<void>): Promise<void> {
		const { gallery } = this.stage;
		await test.step(name, async () => {
			try {
				await body();
			} catch (error) {
				await gallery.take(`FAILED-${fileName(name)}`);
				throw error;
			}
			await gallery.take(fileName(name));
		});
	}
}

function fileName(text: string): string {
	return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** A node of a workflow that a path makes. */
export function node(
	name: string,
	type: string,
	typeVersion: number,
	position: [number, number],
	parameters: JsonObject,
): NodeDefinition {
	return { id: name, name, type, typeVersion, position, parameters };
}
