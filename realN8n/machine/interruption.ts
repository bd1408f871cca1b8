const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

// The usual code of a program that Ctrl-C ended: 128 and the signal's number.
const INTERRUPTED = 130;

/**
 * Ends everything in good order when this program is interrupted, at any moment from now on. One Ctrl-C can
 * arrive several times (the terminal, npm and tsx each hand it on): only the first one counts.
 * @param clean ends what was started so far; children that are still starting end together with us
 * @returns a promise that resolves when the interruption came and everything has stopped
 */
function untilInterrupted(clean: () => Promise<void>): Promise<void> {
	return new Promise((resolve) => {
		let isEnding = false;
		const end = () => {
			if (isEnding) return;
			isEnding = true;
			void clean()
				.catch((error: unknown) => console.error(error instanceof Error ? error.message : error))
				.then(resolve);
		};
		for (const signal of SIGNALS) process.on(signal, end);
	});
}

/** As `untilInterrupted`, and then this program ends. */
export function exitWhenInterrupted(clean: () => Promise<void>): void {
	void untilInterrupted(clean).then(() => process.exit(INTERRUPTED));
}
