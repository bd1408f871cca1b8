import { setTimeout as delay } from 'node:timers/promises';

interface UntilOptions {
	/** How long to wait. */
	seconds: number;
	/** Pause between two checks. */
	everyMilliseconds?: number;
}

/**
 * Checks again and again until there is something to see, and returns it. `undefined`, `null` and `false` mean
 * "not yet"; an error of the check ends the waiting.
 * @param what names what is waited for, in the message when it does not come
 */
export async function until<T>(
	what: string,
	check: () => Promise<T | undefined | null | false> | T | undefined | null | false,
	{ seconds, everyMilliseconds = 250 }: UntilOptions,
): Promise<T> {
	const deadline = Date.now() + seconds * 1000;
	for (;;) {
		const seen = await check();
		if (seen !== undefined && seen !== null && seen !== false) return seen;
		if (Date.now() >= deadline) throw new Error(`Waited ${seconds} s for ${what}, in vain.`);
		await delay(everyMilliseconds);
	}
}
