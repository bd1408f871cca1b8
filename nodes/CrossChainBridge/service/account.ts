import { field } from '../orders/values';
import { normaliseBaseUrl, type BaseUrlProblem } from './baseUrl';

export type CredentialProblem = 'noKey' | 'keyNotSendable' | BaseUrlProblem;

export interface Account {
	/** Empty if there is a problem with the Base URL. */
	address: string;
	apiKey: string;
	requestsPerMinute: number;
	problem: CredentialProblem | null;
}

const STANDARD_REQUESTS_PER_MINUTE = 100;

/** What an HTTP header can carry. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

export function accountOf(credentials: unknown): Account {
	const apiKey = String(field(credentials, 'apiKey') ?? '').trim();
	const baseUrl = normaliseBaseUrl(field(credentials, 'baseUrl'));
	const keyProblem = apiKey === '' ? 'noKey' : VISIBLE_ASCII.test(apiKey) ? null : 'keyNotSendable';
	const stated = Number(field(credentials, 'requestsPerMinute'));
	return {
		address: baseUrl.ok ? baseUrl.url : '',
		apiKey,
		requestsPerMinute:
			Number.isFinite(stated) && stated >= 1 ? stated : STANDARD_REQUESTS_PER_MINUTE,
		problem: baseUrl.ok ? keyProblem : baseUrl.problem,
	};
}

export const CREDENTIAL_TEXTS: Readonly<
	Record<CredentialProblem, { message: string; description: string }>
> = {
	noKey: {
		message: 'The credential has no API key',
		description: 'Open the credential and enter the API key of the bridge.',
	},
	keyNotSendable: {
		message: 'The API key contains a character that is not allowed',
		description:
			'Only letters from A to Z, digits and ASCII symbols can be sent. Copy the key again, without spaces and invisible characters, and enter it in the credential.',
	},
	noBaseUrl: {
		message: 'The credential has no Base URL',
		description: 'Open the credential and enter the API address of the bridge.',
	},
	notHttps: {
		message: 'The Base URL must begin with https://',
		description:
			'Over http:// the API key could be read in transit. Plain http:// is allowed for this machine and for a private network only.',
	},
	notAnAddress: {
		message: 'The Base URL is not valid',
		description:
			'Enter the address only, with https:// in front and without user name, ? or #, for example https://bridge.example.com.',
	},
};
