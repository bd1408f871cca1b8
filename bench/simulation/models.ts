import type { Random } from './random';
import { normal } from './random';

/** How long orders take from their beginning to their final status, in seconds. */
export interface DurationModel {
	name: 'uniform' | 'heavyTailed';
	/** One duration. */
	draw(random: Random): number;
	/** Share of orders still open at an age; 1 before the beginning. */
	survival(age: number): number;
}

/** The spec's "typically 5 to 15 seconds", taken literally. */
export const uniform: DurationModel = {
	name: 'uniform',
	draw: (random) => 5 + 10 * random(),
	survival: (age) => Math.min(1, Math.max(0, (15 - age) / 10)),
};

interface Lognormal {
	median: number;
	sigma: number;
}

/** 10 % finish within 5 s, 90 % within 15 s. */
const FAST: Lognormal = {
	median: Math.sqrt(75),
	sigma: Math.log(15 / Math.sqrt(75)) / 1.2815515655446,
};
const SLOW: Lognormal = { median: 60, sigma: 0.8 };

/** 94 % as fast as that, 5 % slow with a median of a minute, 1 % refunded after 300 to 330 s. */
export const heavyTailed: DurationModel = {
	name: 'heavyTailed',
	draw: (random) => {
		const kind = random();
		if (kind < 0.01) return 300 + 30 * random();
		const { median, sigma } = kind < 0.06 ? SLOW : FAST;
		return median * Math.exp(sigma * normal(random));
	},
	survival: (age) =>
		0.94 * lognormalSurvival(FAST, age) +
		0.05 * lognormalSurvival(SLOW, age) +
		0.01 * Math.min(1, Math.max(0, (330 - age) / 30)),
};

function lognormalSurvival({ median, sigma }: Lognormal, age: number): number {
	return age <= 0 ? 1 : 1 - normalBelow(Math.log(age / median) / sigma);
}

/** The standard normal distribution function (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function normalBelow(value: number): number {
	const t = 1 / (1 + 0.2316419 * Math.abs(value));
	const poly =
		t *
		(0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
	const above = (Math.exp((-value * value) / 2) / Math.sqrt(2 * Math.PI)) * poly;
	return value >= 0 ? 1 - above : above;
}
