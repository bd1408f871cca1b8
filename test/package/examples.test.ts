import fs from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(__dirname, '..', '..', 'examples');
const OURS = 'n8n-nodes-cross-chain-bridge.crossChainBridge';
/** The newest versions that n8n 2.8 has of the nodes that the examples use: an example runs in all supported lines. */
const NEWEST_VERSIONS: Record<string, number> = {
	[OURS]: 1,
	[`${OURS}Tool`]: 1,
	[`${OURS}Trigger`]: 1,
	'n8n-nodes-base.dataTable': 1.1,
	'n8n-nodes-base.emailSend': 2.1,
	'n8n-nodes-base.executeWorkflowTrigger': 1.1,
	'n8n-nodes-base.httpRequest': 4.4,
	'n8n-nodes-base.if': 2.3,
	'n8n-nodes-base.manualTrigger': 1,
	'n8n-nodes-base.scheduleTrigger': 1.3,
	'n8n-nodes-base.set': 3.4,
	'n8n-nodes-base.stickyNote': 1,
	'n8n-nodes-base.stopAndError': 1,
	'n8n-nodes-base.switch': 3.4,
	'@n8n/n8n-nodes-langchain.agent': 3.1,
	'@n8n/n8n-nodes-langchain.chatTrigger': 1.4,
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 1.3,
	'@n8n/n8n-nodes-langchain.memoryBufferWindow': 1.3,
};

interface ExampleNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: { content?: string };
	credentials?: Record<string, { id: string | null; name: string }>;
}

interface Example {
	id: string;
	name: string;
	nodes: ExampleNode[];
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
	active: boolean;
}

const files = fs.readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
const readme = fs.readFileSync(path.join(FOLDER, 'README.md'), 'utf8');

function isNote({ type }: ExampleNode): boolean {
	return type === 'n8n-nodes-base.stickyNote';
}

describe.each(files)('examples/%s', (file) => {
	const text = fs.readFileSync(path.join(FOLDER, file), 'utf8');
	const example = JSON.parse(text) as Example;
	const names = example.nodes.map(({ name }) => name);

	test('names, ids and places are its own, and it does not start by itself', () => {
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(example.nodes.map(({ id }) => id)).size).toBe(names.length);
		expect(new Set(example.nodes.map(({ position }) => position.join())).size).toBe(names.length);
		expect(example.id).toMatch(/^\w+$/);
		expect(example.active).toBe(false);
	});

	test('every line leads from one step to another, and no step is left alone', () => {
		const lines = Object.entries(example.connections).flatMap(([from, kinds]) =>
			Object.values(kinds).flatMap((outputs) => outputs.flat().map(({ node }) => [from, node])),
		);
		for (const [from, to] of lines) {
			expect(names).toContain(from);
			expect(names).toContain(to);
		}
		const linked = new Set(lines.flat());
		expect(example.nodes.filter((node) => !isNote(node) && !linked.has(node.name))).toEqual([]);
	});

	test('its nodes are in all supported n8n lines', () => {
		for (const { type, typeVersion } of example.nodes) {
			expect(Object.keys(NEWEST_VERSIONS)).toContain(type);
			expect(typeVersion).toBeLessThanOrEqual(NEWEST_VERSIONS[type] ?? 0);
		}
	});

	test('credentials are named, and nothing of them is in it', () => {
		const credentials = example.nodes.flatMap((node) => Object.values(node.credentials ?? {}));
		for (const { id, name } of credentials) {
			expect(id).toBeNull();
			expect(name).toMatch(/ account$/);
		}
		expect(text).not.toMatch(/password|bearer|apiKey/i);
	});

	test('a note on the canvas says what it does and names only steps that are there', () => {
		const notes = example.nodes.filter(isNote).map(({ parameters }) => parameters.content ?? '');
		expect(notes.length).toBeGreaterThan(0);
		const [note = ''] = notes;
		expect(note).toMatch(/^## /);
		for (const [, step] of note.matchAll(/^- \*([^*]+)\*:/gm)) expect(names).toContain(step);
	});

	test('examples/README.md has a heading for it', () => {
		expect(readme).toContain(`](${file})`);
	});
});

test('examples/README.md leads to nothing that is not there', () => {
	for (const [, target = ''] of readme.matchAll(/\]\(([^)#]+)\)/g)) {
		if (!target.includes('://')) expect(fs.existsSync(path.join(FOLDER, target))).toBe(true);
	}
});
