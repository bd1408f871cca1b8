import { excessiveGrowth } from '../../growth';

const run = (size: number): string => 'a'.repeat(size);

test.each<[string, (text: string) => unknown]>([
	['in proportion', (text) => Array.from({ length: 500 }, () => text.lastIndexOf('b'))],
	['at once', (text) => text.length],
	['up to a bound', (text) => /a+$/.test(`${text.slice(0, 1000)}!`)],
])('what is read %s', (_what, read) => expect(excessiveGrowth(run, read)).toBeNull());

test('what takes the square of the length', () => {
	expect(excessiveGrowth(run, (text) => /a+$/.test(`${text}!`))).toBeGreaterThan(39);
});
