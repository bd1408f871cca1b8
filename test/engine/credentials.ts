import {
	type ICredentialDataDecryptedObject,
	ICredentialsHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeProperties,
	type IRequestOptionsSimplified,
	type Workflow,
} from 'n8n-workflow';

import { CrossChainBridgeApi } from '../../credentials/CrossChainBridgeApi.credentials';

/** Gives out one credential and signs requests as the real credential class says, by n8n's own expression engine. */
export class TestCredentials extends ICredentialsHelper {
	readonly type = new CrossChainBridgeApi();

	/** Undefined: the credential has been deleted. */
	constructor(public data: ICredentialDataDecryptedObject | undefined) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
		workflow: Workflow,
		node: INode,
	): Promise<IHttpRequestOptions> {
		const headers = Object.entries(this.type.authenticate.properties.headers ?? {}).map(([name, value]) => [
			name,
			workflow.expression.getParameterValue(
				String(value),
				null,
				0,
				0,
				node.name,
				[],
				'internal',
				{ $credentials: credentials },
				undefined,
				false,
				{},
			),
		]);
		return {
			...(requestOptions as IHttpRequestOptions),
			headers: { ...requestOptions.headers, ...Object.fromEntries(headers) },
		};
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(): Promise<never> {
		throw new Error('Not needed: the credential comes decrypted');
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		if (this.data === undefined) throw new Error('Credential with ID "1" does not exist for type "crossChainBridgeApi".');
		return this.data;
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	getCredentialsProperties(): INodeProperties[] {
		return this.type.properties;
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}
}

