import type { DurationModel } from './models';
import type { SimulatedOrder } from './run';
import type { Random } from './random';
import { poissonTimes } from './random';

/**
 * The ways in which orders reach the trigger:
 * - posted: all posted to the webhook at once, at their beginning;
 * - postedLate: all posted at once, each 20 s to 5 min after its beginning;
 * - shownLate: all posted at once, at their beginning; the service finds them a minute later;
 * - listed: in the list at publishing, each begun at some moment of the minute before, which nobody knows;
 * - stream: posted one after another, each at its beginning.
 */
export type Arrivals = 'posted' | 'postedLate' | 'shownLate' | 'listed' | 'stream';

const STREAM_MINUTES = 15;

/** The service finds an order up to this long after its beginning. */
const FOUND_WITHIN_MS = 2_000;

const SHOWN_LATE_MS = 60_000;

const LATE_MS: readonly [number, number] = [20_000, 300_000];
const LISTED_MS: readonly [number, number] = [0, 60_000];

/** Orders of one run; with `stream` the number is that of a minute. */
export function drawOrders(
	model: DurationModel,
	arrivals: Arrivals,
	orders: number,
	random: Random,
): SimulatedOrder[] {
	const isStream = arrivals === 'stream';
	const times = isStream
		? poissonTimes(random, orders, STREAM_MINUTES * 60_000)
		: Array.from({ length: orders }, () => 0);
	return times.map((addedAt) => {
		const order = orderPostedAt(addedAt, model, random, ageWhenAdded(arrivals, random));
		if (arrivals === 'shownLate') return { ...order, foundFrom: order.foundFrom + SHOWN_LATE_MS };
		return arrivals === 'listed' ? { ...order, stated: {} } : order;
	});
}

/** An order that is posted at this time, when it is so old (ms). */
export function orderPostedAt(
	addedAt: number,
	model: DurationModel,
	random: Random,
	age = 0,
): SimulatedOrder {
	const beganAt = addedAt - age;
	const finishedAt = beganAt + 1000 * model.draw(random);
	return {
		beganAt,
		foundFrom: beganAt + FOUND_WITHIN_MS * random(),
		finishedAt,
		addedAt,
		stated: { postedAt: addedAt },
	};
}

function ageWhenAdded(arrivals: Arrivals, random: Random): number {
	const range = rangeOf(arrivals);
	return range === null ? 0 : range[0] + (range[1] - range[0]) * random();
}

/** How old orders are when the trigger gets to know of them, in ms; null if they begin at that moment. */
function rangeOf(arrivals: Arrivals): readonly [number, number] | null {
	if (arrivals === 'postedLate') return LATE_MS;
	return arrivals === 'listed' ? LISTED_MS : null;
}
