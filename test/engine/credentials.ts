import {
	type ICredentialDataDecryptedObject,
	ICredentialsHelper,
	type IHttpRequestOptions,
	type INodeProperties,
	type IRequestOptionsSimplified,
} from 'n8n-workflow';

import { CrossChainBridgeApi } from '../../credentials/CrossChainBridgeApi.credentials';

/** Gives out one credential and adds its key to requests by the real credential class. */
export class TestCredentials extends ICredentialsHelper {
	readonly type = new CrossChainBridgeApi();

	/** n8n's credential store does not answer. */
	isHanging = false;

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
	): Promise<IHttpRequestOptions> {
		return await this.type.authenticate(credentials, requestOptions as IHttpRequestOptions);
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

	async getDecrypted(
		_additionalData: unknown,
		_node: unknown,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		if (this.isHanging) return await new Promise(() => {});
		if (this.data === undefined)
			throw new Error(`Credential with ID "1" does not exist for type "${type}".`);
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
