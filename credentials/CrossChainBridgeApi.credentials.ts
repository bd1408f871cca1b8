import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { accountOf, credentialFault } from '../nodes/CrossChainBridge/service/account';
import { API_PATH } from '../nodes/CrossChainBridge/service/baseUrl';
import { addKey } from '../nodes/CrossChainBridge/service/apiKey';

const TEST_PATH = `${API_PATH}/config`;

const TEST_MS = 15_000;

/** n8n has clearer words for a time-out than for an aborted request. */
const LEFT_FOR_TIMEOUT_MS = 500;

export class CrossChainBridgeApi implements ICredentialType {
	name = 'crossChainBridgeApi';

	displayName = 'Cross-Chain Bridge API';

	icon = {
		light: 'file:../nodes/CrossChainBridge/bridge.svg',
		dark: 'file:../nodes/CrossChainBridge/bridge.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-cross-chain-bridge/n8n-nodes-cross-chain-bridge/blob/HEAD/docs/credential.md';

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'The API key you got from your bridge. It is sent to the Base URL and nowhere else.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://bridge.example.com',
			description:
				'The API address, up to but not including /api/sdk/v2. Plain http:// is allowed for this machine and private networks only.',
		},
		{
			displayName: 'Requests per Minute',
			name: 'requestsPerMinute',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100,
			description:
				'The number of requests per minute that your key allows. If another program uses the same key, enter a lower number.',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'If you set it, calls to the webhooks of triggers with this credential must send it in the header X-Webhook-Secret. It is never sent to the bridge. Use letters from A to Z, digits and ASCII symbols only.',
		},
	];

	/**
	 * It is a function for two reasons. It adds the key only to what goes to the bridge. And in n8n 2.40 the expressions of a credential are
	 * evaluated only during polls, but most requests are sent between polls.
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { baseURL, url } = requestOptions;
		const isTest = baseURL === credentials.baseUrl && url === TEST_PATH;
		if (!isTest) return addKey(credentials, requestOptions);
		const fault = credentialFault(credentials);
		if (fault !== null) throw new Error(fault);
		return {
			...addKey(credentials, { ...requestOptions, baseURL: accountOf(credentials).address }),
			// n8n replaces the time that a test states by five minutes, and bounds no response that comes in drips.
			timeout: TEST_MS,
			abortSignal: AbortSignal.timeout(TEST_MS + LEFT_FOR_TIMEOUT_MS),
		};
	}

	test: ICredentialTestRequest = {
		request: {
			// As it was entered: authenticate() puts the address that it means in its place.
			baseURL: '={{ $credentials.baseUrl }}',
			url: TEST_PATH,
			// n8n would carry the key to the host that a redirect names.
			disableFollowRedirect: true,
		},
		// n8n takes rules of both kinds in one list, unlike its type.
		rules: [
			statusRule(401, 'The bridge does not accept the API key. Enter a valid one.'),
			statusRule(
				403,
				'The bridge or a firewall refused the test request. Check the API key and the Base URL. If both are right, ask your bridge whether it blocks this n8n.',
			),
			// Whether the configuration can be asked for without a network is not documented.
			statusRule(
				400,
				'The bridge was reached, but it did not accept the test request. The credential may still work: try Get Status.',
			),
			statusRule(
				404,
				'The Base URL does not lead to the bridge. Enter the API address, up to but not including /api/sdk/v2.',
			),
			statusRule(
				429,
				'The API key works, but its request limit has been reached. Try again in a minute.',
			),
			...[301, 302, 303, 307, 308].map((status) =>
				statusRule(status, 'The Base URL redirects to another address. Enter the final address.'),
			),
			// Applies only if reading the response has failed.
			statusRule(200, "The bridge's response was cut off. Try again."),
			bodyRule(undefined, 'The response is not from the bridge. Check the Base URL.'),
			bodyRule(false, 'The bridge rejected the request. Check the API key and the Base URL.'),
		] as ICredentialTestRequest['rules'],
	};
}

/** Before n8n 2.40 n8n shows words of its own. */
function statusRule(value: number, message: string) {
	return { type: 'responseCode' as const, properties: { value, message } };
}

/** For this value of "success"; a web page has none. */
function bodyRule(value: false | undefined, message: string) {
	return { type: 'responseSuccessBody' as const, properties: { key: 'success', value, message } };
}
