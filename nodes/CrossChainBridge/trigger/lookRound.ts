import type { Answer } from '../bridge/envelope';
import { isRateLimited, needsAPerson } from '../bridge/refusal';
import type { BridgeService } from '../bridge/service';
import { emptyTally, type LookTally, tallyLook } from './lookTally';
import type { Look } from './watchState';

/** How many looks are under way at once. */
const LOOKS_IN_FLIGHT = 8;

/** Asks for one order; null where nothing may be sent now, which ends the round. */
export type Ask = (sourceHash: string) => Promise<Answer> | null;

/**
 * Looks once at each of the orders, several at a time, and hands over each look as it comes. One order's trouble
 * leaves the others alone; a refused key, a wrong address or the rate limit ends the round.
 */
export async function lookAtEach(
	sourceHashes: readonly string[],
	ask: Ask,
	onLook: (sourceHash: string, look: Look) => void,
): Promise<LookTally> {
	const tally = emptyTally();
	const queue = [...sourceHashes];
	let ended = false;

	const worker = async (): Promise<void> => {
		for (let hash = queue.shift(); hash !== undefined && !ended; hash = queue.shift()) {
			const asked = ask(hash);
			if (asked === null) return;
			const answer = await asked;
			const look = tallyLook(tally, answer);
			if (look !== null) onLook(hash, look);
			ended ||= endsTheRound(answer);
		}
	};
	await Promise.all(Array.from({ length: Math.min(LOOKS_IN_FLIGHT, queue.length) }, worker));
	return tally;
}

function endsTheRound(answer: Answer): boolean {
	return !answer.ok && (needsAPerson(answer.refusal) || isRateLimited(answer.refusal));
}

/** The round of a published trigger takes only what the budget has free at this moment, and ends with the signal. */
export function asWatch(service: BridgeService, signal?: AbortSignal): Ask {
	return (sourceHash) => {
		const ticket = signal?.aborted === true ? null : service.budget.tryTake('watch');
		return ticket === null ? null : service.status(sourceHash, { ticket, signal });
	};
}
