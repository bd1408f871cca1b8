import type { Random } from './random';
import { normal } from './random';

/** How long orders take from their beginning to their final status, in seconds. */
export interface DurationModel {
	name: 'uniform' | 'heavyTailed';
	/** One duration. */
	draw(random: Random): number;
}

/** The spec's "typically 5 to 15 seconds", taken literally. */
export const uniform: DurationModel = {
	name: 'uniform',
	draw: (random) => 5 + 10 * random(),
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
};
