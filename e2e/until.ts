import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
	/** How long to look at most. */
	seconds: number;
	/** Pause between two looks. */
	everyMilliseconds?: number;
}

/**
 * Looks again and again until there is something to see, and returns it. `undefined`, `null` and `false` mean
 * "not yet"; an error of the look ends the waiting.
 * @param what names what is waited for, in the message when it does not come
 */
export async function until<T>(
	what: string,
	look: () => Promise<T | undefined | null | false> | T | undefined | null | false,
	{ seconds, everyMilliseconds = 250 }: UntilOptions,
): Promise<T> {
	const deadline = Date.now() + seconds * 1000;
	for (;;) {
		const seen = await look();
		if (seen !== undefined && seen !== null && seen !== false) return seen;
		if (Date.now() >= deadline) throw new Error(`Waited ${seconds} s for ${what}, in vain.`);
		await delay(everyMilliseconds);
	}
}
