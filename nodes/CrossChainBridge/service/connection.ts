import { sleep } from 'n8n-workflow';

import { budgetFor, budgetName } from '../budget/budgets';
import type { Clock, RequestBudget } from '../budget/requestBudget';
import type { Account } from './account';

/** The clock of everything that waits: it never goes back, and stands still while the computer sleeps. */
export const n8nClock: Required<Clock> = {
	now: () => performance.timeOrigin + performance.now(),
	sleep,
	ofWallTime: (ms) => ms + n8nClock.now() - Date.now(),
};

/** What was sent with a key before this process, or this version of the package, began is not known. */
const BEGUN_AT = n8nClock.now();

/** An account with the budget that all with the same address and key share in this n8n process. */
interface Connection extends Account {
	/** A name of address and key that does not give the key away. */
	name: string;
	budget: RequestBudget;
}

export function connectionOf(account: Account): Connection {
	const { address, apiKey } = account;
	const budget = budgetFor({
		baseUrl: address,
		apiKey,
		clock: n8nClock,
		random: Math.random,
		begunAt: BEGUN_AT,
	});
	return { ...account, name: budgetName(address, apiKey), budget };
}

export function isSameAccount(account: Account, other: Account): boolean {
	return (
		account.address === other.address &&
		account.apiKey === other.apiKey &&
		account.problem === other.problem
	);
}
