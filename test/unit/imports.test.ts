import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../nodes/CrossChainBridge');

/** The folders from the top floor down: each imports from itself and from those below it. '.' has the node files. */
const FLOORS = [
	'.',
	'webhook',
	'trigger',
	'methods',
	'operations',
	'fields',
	'state',
	'checks',
	'schedule',
	'service',
	'budget',
	'orders',
	'n8n',
];

/** Between these there is nothing, although one stands above the other. */
const APART = [
	'webhook -> methods',
	'webhook -> operations',
	'trigger -> methods',
	'trigger -> operations',
	'methods -> operations',
	'operations -> state',
	'methods -> state',
	'schedule -> service',
	'schedule -> orders',
	'budget -> orders',
];

/** Each module with those that it imports, types included; paths from ROOT. */
const modules = new Map(
	fs
		.readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => {
			const imported = [
				...fs.readFileSync(path.join(ROOT, file), 'utf8').matchAll(/\bfrom '(\.[^']*)'/g),
			];
			return [
				file,
				imported.map(([, from = '']) => `${path.join(path.dirname(file), from)}.ts`),
			] as const;
		}),
);

test('imports go down from floor to floor', () => {
	const arrows = [...modules].flatMap(([file, imported]) =>
		imported.map((other) => [path.dirname(file), path.dirname(other)] as const),
	);
	const between = new Set(
		arrows.filter(([from, to]) => from !== to).map(([from, to]) => `${from} -> ${to}`),
	);
	const isDown = (arrow: string) => {
		const [from = -1, to = -1] = arrow.split(' -> ').map((folder) => FLOORS.indexOf(folder));
		return from >= 0 && from < to && !APART.includes(arrow);
	};
	expect([...between].filter((arrow) => !isDown(arrow))).toEqual([]);
	expect(between.size).toBeGreaterThan(FLOORS.length);
});

test('no module imports itself by way of others', () => {
	const reaches = (from: string, wanted: string, seen = new Set<string>()): boolean =>
		(modules.get(from) ?? []).some((next) => {
			if (next === wanted) return true;
			if (seen.has(next)) return false;
			seen.add(next);
			return reaches(next, wanted, seen);
		});
	expect([...modules.keys()].filter((file) => reaches(file, file))).toEqual([]);
});
