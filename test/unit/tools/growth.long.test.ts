import { seededRandom } from '../../../bench/simulation/random';
import { excessiveGrowth, type Measure } from '../../growth';

const run = (size: number): string => 'a'.repeat(size);

test.each<[string, (text: string) => unknown]>([
	['in proportion', (text) => Array.from({ length: 500 }, () => text.lastIndexOf('b'))],
	['at once', (text) => text.length],
	['up to a bound', (text) => /a+$/.test(`${text.slice(0, 1000)}!`)],
])('what is read %s', (_what, read) => expect(excessiveGrowth(run, read)).toBeNull());

test.each([/a+$/, /^a*a*$/])('%s takes the square of the length', (expression) => {
	expect(excessiveGrowth(run, (text) => expression.test(`${text}!`))).toBeGreaterThan(64);
});

/** A clock of a busy machine: every run takes up to three times what it needs, and one in ten twenty times. */
function busyClock(power: number, noise: () => number): Measure {
	return (text) => {
		const [slow, stopped] = [noise(), noise()];
		return (text.length / 4_096) ** power * (1 + 2 * slow) * (stopped < 0.1 ? 20 : 1);
	};
}

test('a busy machine makes no square of what grows in proportion, and hides no square', () => {
	for (let seed = 0; seed < 500; seed++) {
		const grows = (power: number): number | null =>
			excessiveGrowth(run, () => {}, busyClock(power, seededRandom(seed)));
		expect(grows(1)).toBeNull();
		expect(grows(2)).not.toBeNull();
	}
});
