import { Container } from '@n8n/di';

import type { TestN8n } from './n8n';
import { atEnd } from './sandboxed';

/** n8n as after a restart: our modules are loaded again and n8n-core begins again, without any memory; what the database has stays. */
export function restarted(before: TestN8n): TestN8n {
	let fresh: TestN8n | undefined;
	Container.reset();
	jest.isolateModules(() => {
		const module = jest.requireActual<typeof import('./n8n')>('./n8n');
		fresh = new module.TestN8n(before.credentials, before.workflowId);
	});
	if (fresh === undefined) throw new Error('The modules could not be loaded again');
	for (const [id, data] of before.database) fresh.database.set(id, structuredClone(data));
	for (const [id, cursor] of before.durableCursors)
		fresh.durableCursors.set(id, structuredClone(cursor));
	fresh.nodes = before.nodes;
	const made = fresh;
	atEnd(async () => await made.unpublish());
	return made;
}
