import { type Mutant, originalOf, randomOf, sampleOf } from '../../../tools/mutants/sample';

const ALL = Array.from({ length: 1_000 }, (_, number) => number);

test('the same seed gives the same sample, another seed another one', () => {
	const [first, again, other] = [1, 1, 2].map((seed) => sampleOf(ALL, 50, randomOf(seed)));
	expect(again).toEqual(first);
	expect(other).not.toEqual(first);
	expect(new Set(first).size).toBe(50);
});

test('a sample of more than there are is all of them', () => {
	expect(sampleOf([1, 2, 3], 10, randomOf(1)).sort()).toEqual([1, 2, 3]);
});

test('what a mutant replaces is read from its place, over several lines as well', () => {
	const source = 'const a = 1;\nif (a > 0) {\n\trun();\n}\n';
	const at = (start: [number, number], end: [number, number]): Mutant => ({
		id: '1',
		fileName: 'a.ts',
		mutatorName: 'x',
		replacement: '',
		location: {
			start: { line: start[0], column: start[1] },
			end: { line: end[0], column: end[1] },
		},
	});
	expect(originalOf(at([1, 4], [1, 9]), source)).toBe('a > 0');
	expect(originalOf(at([1, 11], [3, 1]), source)).toBe('{\n\trun();\n}');
});
