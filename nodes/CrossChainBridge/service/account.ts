import { createHash } from 'crypto';

import { field } from '../orders/values';
import { normalizeBaseUrl } from './baseUrl';

export interface CredentialProblem {
	kind: keyof typeof TEXTS;
	/** What was entered, if the text repeats it. */
	given?: string;
}

export interface Account {
	/** Empty if there is a problem with the Base URL. */
	address: string;
	apiKey: string;
	requestsPerMinute: number;
	/** Of this address and key; the key cannot be read from it. */
	name: string;
	problem: CredentialProblem | null;
}

const STANDARD_REQUESTS_PER_MINUTE = 100;

/** What an HTTP header can carry. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** The account that a credential's fields lead to. */
export function accountOf(credentials: unknown): Account {
	const apiKey = String(field(credentials, 'apiKey') ?? '').trim();
	const baseUrl = normalizeBaseUrl(field(credentials, 'baseUrl'));
	const address = baseUrl.ok ? baseUrl.url : '';
	// An address may be spelled in several ways.
	const full = baseUrl.ok ? new URL(address).href : '';
	const given = field(credentials, 'requestsPerMinute') ?? '';
	const requestsPerMinute = given === '' ? STANDARD_REQUESTS_PER_MINUTE : limitIn(given);
	const problems: Array<CredentialProblem | false> = [
		!baseUrl.ok && { kind: baseUrl.problem },
		apiKey === '' && { kind: 'noKey' },
		!VISIBLE_ASCII.test(apiKey) && { kind: 'keyNotSendable' },
		requestsPerMinute === null && { kind: 'limitNotReadable', given: String(given).slice(0, 40) },
	];
	return {
		address,
		apiKey,
		requestsPerMinute: requestsPerMinute ?? STANDARD_REQUESTS_PER_MINUTE,
		name: createHash('sha256')
			.update(JSON.stringify([full, apiKey]))
			.digest('hex'),
		problem: problems.find((problem) => problem !== false) ?? null,
	};
}

/** A number from 1, also as digits in text: "1.000" is a thousand for many. */
function limitIn(given: unknown): number | null {
	const limit = typeof given === 'string' && /^\s*\d+\s*$/.test(given) ? Number(given) : given;
	return typeof limit === 'number' && limit >= 1 && limit < Infinity ? limit : null;
}

/** In words for people: what is wrong, and what to do. */
const TEXTS = {
	noKey: [
		'The credential has no API key',
		'Open the credential and enter the API key that you got from your bridge.',
	],
	keyNotSendable: [
		'The API key contains a character that is not allowed',
		'Only letters from A to Z, digits and ASCII symbols can be sent. Copy the key again, without spaces or invisible characters, and enter it in the credential.',
	],
	noBaseUrl: [
		'The credential has no Base URL',
		'Open the credential and enter the API address of your bridge.',
	],
	notHttps: [
		'The Base URL must begin with https://',
		'Over http:// the API key could be read in transit. Plain http:// is allowed for this machine and for a private network only.',
	],
	notAnAddress: [
		'The Base URL is not valid',
		'Enter the address only, with https:// in front and without a user name, ? or #, for example https://bridge.example.com.',
	],
	limitNotReadable: [
		"'Requests per Minute' in the credential is not a number of 1 or more",
		"It is '{given}'. Enter digits only, for example 100.",
	],
	secretNotSendable: [
		'The Webhook Secret in the credential cannot be sent in a header',
		'Use letters from A to Z, digits and ASCII symbols only, without a space at the beginning or end.',
	],
} as const;

/** A problem in words for people. */
export function credentialWords({ kind, given = '' }: CredentialProblem) {
	const [message, description] = TEXTS[kind];
	return { message, description: description.replace('{given}', () => given) };
}

/** What an HTTP header can carry as it is: visible ASCII, with spaces between. */
const SENDABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** The credential's Webhook Secret: null if there is none; not ok if no header can carry it. It is never sent to the bridge. */
export function webhookSecretOf(credentials: unknown) {
	const secret = field(credentials, 'webhookSecret') ?? '';
	if (secret === '') return { ok: true as const, secret: null };
	if (typeof secret === 'string' && SENDABLE.test(secret)) return { ok: true as const, secret };
	return { ok: false as const, ...credentialWords({ kind: 'secretNotSendable' }) };
}

/** What a credential's test says before anything is sent: a sentence for the first field that cannot be used; null if all can. */
export function credentialFault(credentials: unknown): string | null {
	const { problem } = accountOf(credentials);
	const secret = webhookSecretOf(credentials);
	const words = problem !== null ? credentialWords(problem) : secret.ok ? null : secret;
	return words && `${words.message}. ${words.description}`;
}
