/** Uniform in [0, 1). */
export type Random = () => number;

/** Mulberry32: small, fast, the same sequence for the same seed everywhere. */
export function seededRandom(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** One value of the standard normal distribution (Box-Muller). */
export function normal(random: Random): number {
	return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Times (ms) of a Poisson process with `perMinute` events a minute on average, within `spanMs`. */
export function poissonTimes(random: Random, perMinute: number, spanMs: number): number[] {
	const times: number[] = [];
	for (let time = 0; ;) {
		time += (-Math.log(1 - random()) * 60_000) / perMinute;
		if (time >= spanMs) return times;
		times.push(time);
	}
}
