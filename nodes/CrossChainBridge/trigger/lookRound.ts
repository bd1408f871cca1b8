import { isAboutThisRequestOnly, isNotFound, isRateLimited, needsAPerson, type Refusal } from '../bridge/refusal';
import type { BridgeService } from '../bridge/service';
import type { Look } from './watchState';

/** How many looks are under way at once. */
const LOOKS_IN_FLIGHT = 8;

export interface RoundResult {
	/** Looks that the service answered, be it that it does not know the order. */
	answered: number;
	/** Looks that showed an order or said that it is not known: proof that key and address are right. */
	confirmed: number;
	/** What kept looks from being answered; what a person has to mend goes before what passes by itself. */
	trouble: Refusal | null;
}

/**
 * Looks once at each of the orders, several at a time, and hands over each look as it comes. One order's trouble
 * leaves the others alone; a refused key, a wrong address or the rate limit ends the round. `goOn` says before each
 * request whether the round may go on.
 */
export async function lookAtEach(
	sourceHashes: readonly string[],
	service: BridgeService,
	onLook: (sourceHash: string, look: Look) => void,
	goOn: () => boolean,
): Promise<RoundResult> {
	const result: RoundResult = { answered: 0, confirmed: 0, trouble: null };
	const queue = [...sourceHashes];
	let ended = false;

	const worker = async (): Promise<void> => {
		for (let hash = queue.shift(); hash !== undefined && !ended && goOn(); hash = queue.shift()) {
			const answer = await service.status(hash);
			const look = lookOf(answer);
			if (look !== null) {
				result.answered++;
				result.confirmed++;
				onLook(hash, look);
			} else if (!answer.ok) {
				if (isAboutThisRequestOnly(answer.refusal)) result.answered++;
				else result.trouble = worse(result.trouble, answer.refusal);
				ended ||= needsAPerson(answer.refusal) || isRateLimited(answer.refusal);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(LOOKS_IN_FLIGHT, queue.length) }, worker));
	return result;
}

function lookOf(answer: Awaited<ReturnType<BridgeService['status']>>): Look | null {
	if (answer.ok) return { kind: 'order', order: answer.data };
	return isNotFound(answer.refusal) ? { kind: 'notFound' } : null;
}

function worse(known: Refusal | null, refusal: Refusal): Refusal {
	return known !== null && needsAPerson(known) ? known : refusal;
}
