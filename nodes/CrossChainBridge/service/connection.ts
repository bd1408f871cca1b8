import { sleep } from 'n8n-workflow';

import { budgetFor, budgetName } from '../budget/budgets';
import type { Clock, RequestBudget } from '../budget/requestBudget';
import type { Account } from './account';

/**
 * The clock of everything that waits: one that never goes back, since a budget would wait for a clock set back to catch up. It
 * stands still while the computer sleeps, so it may be hours behind the wall clock.
 */
export const n8nClock: Required<Clock> = {
	now: () => performance.timeOrigin + performance.now(),
	sleep,
	ofWallTime: (ms) => ms + n8nClock.now() - Date.now(),
};

/** When this process, or this version of the package, began: what was sent with a key before is not known. */
const BEGUN_AT = n8nClock.now();

/** An account, and the request budget that everybody with the same address and key shares in this n8n process. */
export interface Connection extends Account {
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

/** Whether the credential still leads where the connection does. */
export function isSameAccount(account: Account, other: Account): boolean {
	return (
		account.address === other.address &&
		account.apiKey === other.apiKey &&
		account.problem === other.problem
	);
}
