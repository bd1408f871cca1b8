import { sleep } from 'n8n-workflow';

import { budgetFor, budgetName } from '../budget/budgets';
import type { Clock } from '../budget/clock';
import type { RequestBudget } from '../budget/requestBudget';
import type { Account } from './account';

/** It stands still while the computer sleeps. */
export const n8nClock: Required<Clock> = {
	now: () => performance.timeOrigin + performance.now(),
	sleep,
	ofWallTime: (ms) => ms + n8nClock.now() - Date.now(),
};

/** What was sent with a key before this process, or this version of the package, began is not known. */
const BEGUN_AT = n8nClock.now();

interface Connection extends Account {
	name: string;
	budget: RequestBudget;
}

/** The account with the budget that all credentials with its key and address share. */
export function connectionOf(account: Account): Connection {
	// One address in whichever spelling; empty where the credential has none.
	const address = account.address === '' ? '' : new URL(account.address).href;
	const name = budgetName(address, account.apiKey);
	const budget = budgetFor(name, n8nClock, { random: Math.random, begunAt: BEGUN_AT });
	return { ...account, name, budget };
}
