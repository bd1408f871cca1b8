import { PluginKind } from '@stryker-mutator/api/plugin';

/**
 * A checker of Stryker that lets a sample of the mutants through: those whose numbers MUTANTS_IDS has, or otherwise MUTANTS_COUNT random ones,
 * the same for the same MUTANTS_SEED. It calls all others mutants that do not compile, so that no test runs for them.
 */
class Sample {
	async init() {}

	/** Stryker hands check() one group after the other; in one group it sees all mutants. */
	async group(mutants) {
		return [mutants.map(({ id }) => id)];
	}

	async check(mutants) {
		const ids = mutants.map(({ id }) => id).sort((one, other) => Number(one) - Number(other));
		const sample = new Set(process.env.MUTANTS_IDS?.split(',') ?? randomOnes(ids));
		const passed = { status: 'passed' };
		const left = { status: 'compileError', reason: 'not in the sample' };
		return Object.fromEntries(ids.map((id) => [id, sample.has(id) ? passed : left]));
	}
}

function randomOnes(ids) {
	const { MUTANTS_COUNT, MUTANTS_SEED } = process.env;
	const random = randomOf(Number(MUTANTS_SEED));
	const places = new Map(ids.map((id) => [id, random()]));
	return ids
		.sort((one, other) => places.get(one) - places.get(other))
		.slice(0, Number(MUTANTS_COUNT));
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function randomOf(seed) {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

export const strykerPlugins = [
	{ kind: PluginKind.Checker, name: 'sample', factory: () => new Sample() },
];
