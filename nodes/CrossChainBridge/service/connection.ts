import { createHash } from 'crypto';
import { sleep } from 'n8n-workflow';

import type { Clock } from '../budget/clock';
import { RequestBudget } from '../budget/requestBudget';
import type { Account } from './account';

/** It stands still while the computer sleeps. */
export const n8nClock: Required<Clock> = {
	now: () => performance.timeOrigin + performance.now(),
	sleep,
	ofWallTime: (ms) => ms + n8nClock.now() - Date.now(),
};

/** What was sent with a key before this process, or this version of the package, began is not known. */
const BEGUN_AT = n8nClock.now();

const budgets = new Map<string, RequestBudget>();

interface Connection extends Account {
	/** Of address and key, without giving the key away. */
	name: string;
	budget: RequestBudget;
}

/** The account with the budget that all credentials with its key and address share. */
export function connectionOf(account: Account): Connection {
	// One address in whichever spelling; empty where the credential has none.
	const address = account.address === '' ? '' : new URL(account.address).href;
	const name = createHash('sha256')
		.update(JSON.stringify([address, account.apiKey]))
		.digest('hex');
	const budget = budgets.get(name) ?? new RequestBudget(n8nClock, { begunAt: BEGUN_AT });
	budgets.set(name, budget);
	return { ...account, name, budget };
}
