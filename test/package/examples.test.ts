import { filesIn, read } from './files';

const OURS = 'n8n-nodes-cross-chain-bridge.crossChainBridge';
/** The newest versions that n8n 2.8 has of the nodes that the examples use: an example runs in all supported lines. */
const NEWEST_VERSIONS: Record<string, number> = {
	[OURS]: 1,
	[`${OURS}Tool`]: 1,
	[`${OURS}Trigger`]: 1,
	'n8n-nodes-base.dataTable': 1.1,
	'n8n-nodes-base.discord': 2,
	'n8n-nodes-base.emailSend': 2.1,
	'n8n-nodes-base.errorTrigger': 1,
	'n8n-nodes-base.executeWorkflowTrigger': 1.1,
	'n8n-nodes-base.form': 2.5,
	'n8n-nodes-base.formTrigger': 2.5,
	'n8n-nodes-base.googleSheetsTrigger': 1,
	'n8n-nodes-base.httpRequest': 4.4,
	'n8n-nodes-base.if': 2.3,
	'n8n-nodes-base.manualTrigger': 1,
	'n8n-nodes-base.scheduleTrigger': 1.3,
	'n8n-nodes-base.set': 3.4,
	'n8n-nodes-base.slack': 2.4,
	'n8n-nodes-base.splitInBatches': 3,
	'n8n-nodes-base.stickyNote': 1,
	'n8n-nodes-base.stopAndError': 1,
	'n8n-nodes-base.switch': 3.4,
	'n8n-nodes-base.telegram': 1.2,
	'@n8n/n8n-nodes-langchain.agent': 3.1,
	'@n8n/n8n-nodes-langchain.chatTrigger': 1.4,
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 1.3,
	'@n8n/n8n-nodes-langchain.mcpTrigger': 2,
	'@n8n/n8n-nodes-langchain.memoryBufferWindow': 1.3,
};

interface ExampleNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	onError?: string;
	parameters: Record<string, unknown> & { content?: string; width?: number; height?: number };
}

interface Example {
	name: string;
	nodes: ExampleNode[];
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
	active: boolean;
}

const files = filesIn('examples', /\.json$/);
const exampleIn = (file: string) => JSON.parse(read(file)) as Example;

/** Fields that each user fills in. */
const FILLED_IN_BY_THE_USER: Record<string, string[]> = {
	[`${OURS}Trigger`]: ['sourceHashes'],
	'n8n-nodes-base.discord': [],
	'n8n-nodes-base.emailSend': ['fromEmail', 'toEmail'],
	'n8n-nodes-base.googleSheetsTrigger': ['documentId', 'sheetName'],
	'n8n-nodes-base.slack': ['channelId'],
	'n8n-nodes-base.telegram': ['chatId'],
};

/** Where each app's node has its text. */
const TEXT_FIELD: Record<string, string> = {
	'n8n-nodes-base.discord': 'content',
	'n8n-nodes-base.emailSend': 'text',
	'n8n-nodes-base.slack': 'text',
	'n8n-nodes-base.telegram': 'text',
};

/** The value of a field, or of a locator. */
function shownValue(value: unknown): unknown {
	return typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
}

/** Height of a note in pixels: 20 for each line, with 6.6 for each letter, headings larger, and room around it. */
function heightOf(content: string, width: number): number {
	const heights = content.split('\n').map((line) => {
		if (line === '') return 14;
		const isHeading = line.startsWith('## ');
		const letters = line.replace(/[*`]/g, '').length * (isHeading ? 1.5 : 1);
		return Math.ceil(letters / ((width - 40) / 6.6)) * (isHeading ? 30 : 20);
	});
	return heights.reduce((sum, height) => sum + height, 44);
}

function isNote({ type }: ExampleNode): boolean {
	return type === 'n8n-nodes-base.stickyNote';
}

describe.each(files)('%s', (file) => {
	const text = read(file);
	const example = exampleIn(file);
	const names = example.nodes.map(({ name }) => name);

	test('names, ids and places are its own, and it does not start by itself', () => {
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(example.nodes.map(({ id }) => id)).size).toBe(names.length);
		expect(new Set(example.nodes.map(({ position }) => position.join())).size).toBe(names.length);
		expect(example.active).toBe(false);
	});

	test('n8n gives each import an id and addresses of its own: none is in it that everybody would share', () => {
		expect(example).not.toHaveProperty('id');
		expect(text).not.toContain('webhookId');
	});

	test('every line leads from one node to another, and no node is left unconnected', () => {
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

	test('no credential is in it, so that n8n marks each node that needs one, and no key', () => {
		// A note may name the field and its header.
		expect(text.replaceAll(/Webhook[ -]Secret/g, '')).not.toMatch(
			/"credentials"|password|api-?key|sandbox-key|authorization|bearer|secret/i,
		);
		// letters and digits in a row, long and without a word in them, as keys are. Hashes of orders begin with 0x.
		expect(text.match(/(?<![\w-])(?!0x)(?=\w*\d)(?=\w*[a-zA-Z])\w{24,}/g) ?? []).toEqual([]);
	});

	test('it has our nodes, except those that call the trigger of another one, and what n8n runs when one fails', () => {
		expect(text.includes(OURS)).toBe(
			!/(?:what-am-i-watching|rows-of-a-google-sheet|error-workflow)\.json$/.test(file),
		);
	});

	test('what must be filled in is empty, which n8n marks: nothing that seems to be right', () => {
		for (const { type, parameters } of example.nodes) {
			for (const name of FILLED_IN_BY_THE_USER[type] ?? []) {
				const value = shownValue(parameters[name]);
				// An expression takes what another node has, which is empty.
				if (String(value).startsWith('=')) continue;
				expect([name, value]).toEqual([name, '']);
			}
		}
		expect(text).not.toMatch(/example\.(com|org)|your-|<your/i);
	});

	test('the notes are large enough for their text', () => {
		for (const { parameters } of example.nodes.filter(isNote)) {
			const { content = '', width = 0, height = 0 } = parameters;
			expect(height).toBeGreaterThanOrEqual(heightOf(content, width));
		}
	});

	test('its names and texts are in the words of the field', () => {
		const words = [
			example.name,
			...names,
			...example.nodes.map(({ parameters }) => parameters.content ?? ''),
		].join('\n');
		expect(words).not.toMatch(
			/\b(looks?|looked|ends?|ended|told|mails?|steps?|your mark|tick off)\b/i,
		);
	});

	test('a note on the canvas says what it does and names only nodes that are there', () => {
		const notes = example.nodes.filter(isNote).map(({ parameters }) => parameters.content ?? '');
		expect(notes.length).toBeGreaterThan(0);
		const [note = ''] = notes;
		expect(note).toMatch(/^## /);
		for (const [, name] of note.matchAll(/^- \*([^*]+)\*:/gm)) expect(names).toContain(name);
	});

	test('examples/README.md has a heading for it', () => {
		expect(read('examples/README.md')).toContain(`](${file.replace('examples/', '')})`);
	});
});

test('one example has Telegram, Slack, Discord and email, each with the summary as its text', () => {
	const { nodes } = exampleIn('examples/notify-when-an-order-finishes.json');
	const texts = nodes.flatMap(({ type, parameters }) =>
		TEXT_FIELD[type] === undefined ? [] : [[type, parameters[TEXT_FIELD[type]]]],
	);
	expect(texts.map(([type]) => type).sort()).toEqual(Object.keys(TEXT_FIELD));
	for (const [, text] of texts) expect(text).toMatch(/^=\{\{ \$json\.summary \}\}/);
});

test('no data table of an example has a name that is a part of another one: n8n would take the one for the other', () => {
	const tables = files
		.map((file) => /"tableName": "([^"]+)"/.exec(read(file))?.[1]?.toLowerCase())
		.filter((name) => name !== undefined);
	expect(tables.length).toBeGreaterThan(1);
	for (const name of tables) expect(tables.filter((other) => other.includes(name))).toEqual([name]);
});

test('no error of our nodes is swallowed: it stops the execution, or goes where it is shown', () => {
	const tolerant = files.flatMap((file) =>
		exampleIn(file)
			.nodes.filter(({ type, onError }) => type.startsWith(OURS) && onError !== undefined)
			.map(({ name, onError }) => [file, name, onError]),
	);
	expect(tolerant).toEqual([
		// The money may have been sent: the message is that of an order that is still open.
		['examples/approve-bridge-wait.json', 'Wait for Completion', 'continueRegularOutput'],
		['examples/bridge-and-wait.json', 'Wait for Completion', 'continueRegularOutput'],
		// The form shows it.
		['examples/bridge-by-hand.json', 'Get Status', 'continueRegularOutput'],
		// The table shows it, and the execution stops with it if no order could be checked.
		['examples/watch-list-in-a-data-table.json', 'Get Status', 'continueErrorOutput'],
	]);
});

test('a quote is submitted only after a person has read it, or if it has a certain minimum; the sandbox moves no money', () => {
	const submitting = files.flatMap((file) => {
		const { nodes, connections } = exampleIn(file);
		const submits = nodes.filter(({ parameters }) =>
			String(parameters.jsonBody).includes('transactions:'),
		);
		return submits.flatMap(({ name }) =>
			Object.entries(connections).flatMap(([from, { main = [] }]) =>
				main.flatMap((targets, output) =>
					targets.some(({ node }) => node === name) ? [[file, from, output]] : [],
				),
			),
		);
	});
	expect(submitting).toEqual([
		['examples/approve-bridge-wait.json', 'Approved in Time?', 0],
		['examples/bridge-and-wait.json', 'Is There a Minimum?', 0],
		['examples/bridge-in-the-sandbox.json', 'Get Quote', 0],
	]);
	const { nodes, connections } = exampleIn('examples/bridge-and-wait.json');
	const { parameters } = nodes.find(({ name }) => name === 'Is There a Minimum?') ?? {};
	expect(parameters?.conditions).toMatchObject({
		conditions: [
			{ leftValue: '={{ $json.receivedAtLeast }}', operator: { operation: 'notEmpty' } },
		],
	});
	expect(connections['Is There a Minimum?']?.main?.[1]).toMatchObject([
		{ node: 'It Was Not Sent' },
	]);
});

test('amounts in examples are in token units', () => {
	for (const file of files) {
		for (const { type, parameters } of exampleIn(file).nodes)
			if (parameters.operation === 'getQuote' && type === OURS)
				expect(parameters).toMatchObject({ amountUnit: 'tokenUnits', amount: '0.5' });
	}
});

test.each([
	[
		{ receivedAtLeast: '496700 smallest units of USDC' },
		/^Add the option Token Decimals to Get Quote/,
	],
	[
		{
			receivedAtLeast: null,
			summary: '⚠️ The bridge states a different amount (4) than you asked for.',
		},
		/^This quote has no minimum to compare: ⚠️ The bridge states a different amount/,
	],
])('quote-watch says why it cannot compare a quote: %j', (quote, words) => {
	const { nodes } = exampleIn('examples/quote-watch.json');
	const compared = nodes.find(({ name }) => name === 'Is It Above the Target?')?.parameters;
	const [, expression = ''] =
		/"leftValue":"=\{\{ (.*?) \}\}"/.exec(JSON.stringify(compared?.conditions)) ?? [];
	const value: unknown = new Function('$json', `return ${expression}`)({
		...quote,
		receivedAtLeastAmount: null,
	});
	expect(value).toMatch(words);
});

test.each(['one-message-a-day', 'what-am-i-watching'])(
	'%s says nothing of an order without a status but that: it may not have been checked',
	(name) => {
		const order = {
			sourceHash: `0x${'1'.repeat(64)}`,
			status: null,
			since: '2026-11-21T11:29:46Z',
		};
		const output = { body: { orders: [order] } };
		const [expression = ''] = exampleIn(`examples/${name}.json`).nodes.flatMap(({ parameters }) =>
			textsIn(parameters).filter((text) => text.includes('order.status')),
		);
		const [, code = ''] = /^=\{\{ (.*) \}\}$/s.exec(expression) ?? [];
		const shown: unknown = new Function('$json', '$', 'DateTime', `return ${code}`)(
			output,
			() => ({ first: () => ({ json: output }) }),
			{ fromISO: () => ({ toRelative: () => '5 minutes ago' }) },
		);
		expect(shown).toMatch(/(: |")no status yet, added 5 minutes ago/);
	},
);

/** The texts in a value, at any depth. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
