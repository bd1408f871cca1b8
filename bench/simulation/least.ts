import { SERVICE_LIMIT } from './service';

/** From an order's beginning to its final status, uniform between the two, in seconds. */
const FINISHED = { from: 5, to: 15 };
const MINUTE = 60;
/** What the budget leaves for others, as a part of the limit. */
const RESERVE = 0.05;

/** With this much room for each order it is checked after 10 and, where it is open still, after 15 s. */
const CHECKS_OF_TWO = 1.5;
const SECONDS_OF_TWO = 2.5;
/** With room for one check it is checked after 15 s, when it has certainly finished. */
const CHECKS_OF_ONE = 1;
const SECONDS_OF_ONE = FINISHED.to - (FINISHED.from + FINISHED.to) / 2;

/**
 * The least mean delay that any schedule can reach, in seconds, for orders that all begin now, finish 5 to 15 s later and are
 * checked 5 s apart, as the linear program over the checks of one order has it: a mixture of the two ways while there is room
 * for all, and a minute more for each further group of orders that fills the limit.
 */
export function leastMeanSeconds(orders: number): number {
	const requests = Math.floor(SERVICE_LIMIT * (1 - RESERVE));
	const room = Math.min(requests / orders, CHECKS_OF_TWO);
	if (room >= CHECKS_OF_ONE) {
		const part = (room - CHECKS_OF_ONE) / (CHECKS_OF_TWO - CHECKS_OF_ONE);
		return SECONDS_OF_ONE + part * (SECONDS_OF_TWO - SECONDS_OF_ONE);
	}
	let minutes = 0;
	for (let order = 0; order < orders; order++) minutes += Math.floor(order / requests);
	return SECONDS_OF_ONE + (MINUTE * minutes) / orders;
}
