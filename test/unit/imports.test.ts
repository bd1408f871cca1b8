import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../nodes/CrossChainBridge');

/** The house from the top floor down. Each room imports from the floors below its own only; '.' has the node files. */
const FLOORS = [
	['.'],
	['operations', 'methods', 'webhook'],
	['n8n'],
	['trigger'],
	['watch', 'fields', 'checks'],
	['schedule', 'service'],
	['budget', 'orders'],
	['n8n/internals'],
];

/** Rooms that know nothing of n8n. */
const PURE = ['watch', 'schedule', 'budget'];

/** What n8n does not document lies below all that uses it, so that this file is a room of its own. */
const roomOf = (file: string) =>
	file === path.join('n8n', 'internals.ts') ? 'n8n/internals' : path.dirname(file);

interface Module {
	/** Paths from ROOT, types included. */
	imported: string[];
	packages: string[];
}

const modules = new Map<string, Module>(
	fs
		.readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => {
			const text = fs.readFileSync(path.join(ROOT, file), 'utf8');
			const found = [...text.matchAll(/\b(?:from|import)\s*\(?'([^']*)'/g)];
			const names = found.map(([, from = '']) => from);
			const imported = names
				.filter((from) => from.startsWith('.'))
				.map((from) => `${path.join(path.dirname(file), from)}.ts`);
			return [file, { imported, packages: names.filter((from) => !from.startsWith('.')) }];
		}),
);

test('imports go down from floor to floor', () => {
	const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));
	const arrows = [...modules].flatMap(([file, { imported }]) =>
		imported
			.filter((other) => roomOf(other) !== roomOf(file))
			.map((other) => ({ arrow: `${file} -> ${other}`, from: roomOf(file), to: roomOf(other) })),
	);
	const isDown = ({ from, to }: { from: string; to: string }) =>
		floorOf(from) >= 0 && floorOf(from) < floorOf(to);
	expect(arrows.filter((each) => !isDown(each)).map(({ arrow }) => arrow)).toEqual([]);
	expect(arrows.length).toBeGreaterThan(100);
});

test('what is imported is there', () => {
	const missing = [...modules].flatMap(([file, { imported }]) =>
		imported.filter((other) => !modules.has(other)).map((other) => `${file} -> ${other}`),
	);
	expect(missing).toEqual([]);
});

test('watch, schedule and budget know nothing of n8n', () => {
	const knowing = [...modules].filter(
		([file, { packages }]) =>
			PURE.includes(roomOf(file)) && packages.some((name) => name.startsWith('n8n')),
	);
	expect(knowing.map(([file]) => file)).toEqual([]);
});

test('no module imports itself by way of others', () => {
	const reaches = (from: string, wanted: string, seen = new Set<string>()): boolean =>
		(modules.get(from)?.imported ?? []).some((next) => {
			if (next === wanted) return true;
			if (seen.has(next)) return false;
			seen.add(next);
			return reaches(next, wanted, seen);
		});
	expect([...modules.keys()].filter((file) => reaches(file, file))).toEqual([]);
});

test('what a comment names together with its file is declared there', () => {
	const NAMED = /`(\w+)`\s+(?:\(|in )((?:credentials|[\w-]+)\/[\w.-]+\.ts)\b/g;
	const named = [...modules.keys()].flatMap((file) => {
		const text = fs.readFileSync(path.join(ROOT, file), 'utf8').replace(/\n\s*\*\s+/g, ' ');
		return [...text.matchAll(NAMED)].map(([, name = '', where = '']) => ({ file, name, where }));
	});
	const isDeclared = ({ name, where }: (typeof named)[number]) => {
		const folder = where.startsWith('credentials/') ? path.resolve(ROOT, '../..') : ROOT;
		const present = path.join(folder, where);
		const declaration = new RegExp(
			`(?:function|class|const|^\\s+(?:private )?(?:async )?)\\s*${name}\\b[^;\\n]*[({]`,
			'm',
		);
		return fs.existsSync(present) && declaration.test(fs.readFileSync(present, 'utf8'));
	};
	expect(named.filter((each) => !isDeclared(each))).toEqual([]);
	expect(named.length).toBeGreaterThan(15);
});
