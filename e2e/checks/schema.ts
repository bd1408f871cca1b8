import assert from 'node:assert/strict';

import axios from 'axios';

import type { Rehearsal } from '../../realN8n/rehearsal/rehearsal';
import type { JsonObject } from '../../realN8n/server/types';

const MAX_FIELDS = 10;

/**
 * Compares what came out with Simplify on with the fields that the editor shows before: those of the output schema,
 * as n8n serves it.
 * @param operation absent for a node without operations
 */
export async function assertSimplified(
	{ n8n }: Rehearsal,
	type: string,
	operation: string | undefined,
	item: JsonObject | undefined,
): Promise<void> {
	const path = [type, '1.0.0', operation].filter((part) => part !== undefined).join('/');
	const { data } = await axios.get<{ properties: JsonObject }>(`${n8n.url}/schemas/${path}.json`, {
		proxy: false,
	});
	const fields = Object.keys(item ?? {});
	assert.deepEqual(fields, Object.keys(data.properties), `the fields of ${path}`);
	assert.ok(fields.length <= MAX_FIELDS, `${path} has ${fields.length} fields`);
}
