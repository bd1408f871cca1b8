import type { Answer } from '../bridge/envelope';
import { isAboutThisRequestOnly, isNotFound, needsAPerson, type Refusal } from '../bridge/refusal';
import type { Look } from './watchState';

/** How the service answered a number of looks. */
export interface LookTally {
	/** Looks that the service answered, be it that it does not know the order or does not take the hash. */
	answered: number;
	/** What kept looks from being answered; what a person has to mend goes before what passes by itself. */
	trouble: Refusal | null;
}

export function emptyTally(): LookTally {
	return { answered: 0, trouble: null };
}

/** What an answer shows of an order, counted in the tally; null where the service did not answer for it. */
export function tallyLook(tally: LookTally, answer: Answer): Look | null {
	if (answer.ok || isNotFound(answer.refusal)) {
		tally.answered++;
		return answer.ok ? { kind: 'order', order: answer.data } : { kind: 'notFound' };
	}
	if (isAboutThisRequestOnly(answer.refusal)) {
		tally.answered++;
		return { kind: 'refused' };
	}
	tally.trouble = worse(tally.trouble, answer.refusal);
	return null;
}

function worse(known: Refusal | null, refusal: Refusal): Refusal {
	return known !== null && needsAPerson(known) ? known : refusal;
}
