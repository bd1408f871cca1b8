import * as core from 'n8n-core';
import type { ICredentialsDecrypted } from 'n8n-workflow';

import { CrossChainBridgeApi } from '../../credentials/CrossChainBridgeApi.credentials';
import { TestCredentials } from '../engine/credentials';
import { contextOfOtherNode } from './executeContext';

/** The credential's test as n8n's CredentialsTester makes it: its request through the real RoutingNode, then its rules. */
export async function testCredential(data: {
	apiKey: string;
	baseUrl: string;
	webhookSecret?: string;
}): Promise<{ status: 'OK' | 'Error'; message: string }> {
	const { test } = new CrossChainBridgeApi();
	const name = 'crossChainBridgeApi';
	const { context, type } = contextOfOtherNode(new TestCredentials(data), [
		{
			displayName: 'Temp',
			name: 'temp',
			type: 'string',
			routing: { request: test.request },
			default: '',
		},
	]);
	const decrypted: ICredentialsDecrypted = { id: '1', name: 'Bridge', type: name, data };
	try {
		const response = await new core.RoutingNode(context, type, decrypted).runNode();
		const body = response?.[0]?.[0]?.json ?? {};
		for (const rule of test.rules ?? []) {
			if (
				rule.type === 'responseSuccessBody' &&
				body[rule.properties.key] === rule.properties.value
			)
				return { status: 'Error', message: rule.properties.message };
		}
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		return { status: 'Error', message: messageOf(error, test.rules ?? []) };
	}
}

function messageOf(
	error: unknown,
	rules: ReadonlyArray<{ type: string; properties: { value?: unknown; message: string } }>,
): string {
	const cause: unknown = fieldOf(error, 'cause');
	const response = fieldOf(cause, 'response');
	if (response !== undefined) {
		const status = fieldOf(response, 'status');
		const rule = rules.find(
			({ type, properties }) => type === 'responseCode' && properties.value === status,
		);
		if (rule !== undefined) return rule.properties.message;
		if (Number(status) < 199 || Number(status) > 299)
			return String(fieldOf(response, 'statusText') ?? '');
		return String(fieldOf(error, 'message'));
	}
	return String(fieldOf(cause, 'code') ?? fieldOf(error, 'message'));
}

function fieldOf(source: unknown, name: string): unknown {
	return typeof source === 'object' && source !== null ? Reflect.get(source, name) : undefined;
}
