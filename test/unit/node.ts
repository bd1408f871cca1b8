import type { INode } from 'n8n-workflow';

/** A node as n8n describes it. */
export const nodeWith = (changes: Partial<INode> = {}): INode => ({
	id: '1',
	name: 'Bridge',
	type: 'bridge',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	...changes,
});
