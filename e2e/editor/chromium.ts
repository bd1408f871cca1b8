import { existsSync } from 'node:fs';

const USUAL_PLACES = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/usr/bin/google-chrome-stable',
	'/snap/bin/chromium',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Nothing that a browser does by itself: no sandbox inside a container, no updates, no calls outside. */
export const CHROMIUM_FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/**
 * The Chromium of this machine: the one that CHROMIUM_PATH names, or the first in the usual places.
 * @throws with a sentence that says how to get one
 */
export function chromiumPath(): string {
	const named = process.env.CHROMIUM_PATH ?? '';
	if (named !== '') {
		if (existsSync(named)) return named;
		throw new Error(`CHROMIUM_PATH names ${named}, and there is nothing.`);
	}
	const found = USUAL_PLACES.find((path) => existsSync(path));
	if (found !== undefined) return found;
	throw new Error(
		'There is no Chromium on this machine. Install one (on Debian or Ubuntu: apt-get install chromium fonts-noto-color-emoji), ' +
			'or name the program in the environment variable CHROMIUM_PATH.',
	);
}
