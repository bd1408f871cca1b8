import v8 from 'node:v8';
import vm from 'node:vm';
import zlib from 'node:zlib';

import type { IDataObject } from 'n8n-workflow';

import { BOUNDS } from '../../nodes/CrossChainBridge/service/envelope';
import { runAction } from '../engine/n8n';
import { byAddress, GET_QUOTE } from '../engine/quoteFields';
import { type KeyedService, startKeyedService } from './keyedService';
import { httpAnswer } from './rawServer';
import { credentialsFor } from './ways';

/**
 * A few KB that unpack to as much as may be read: they neither occupy the process, which serves everybody, nor fill its
 * memory. In the real n8n-core, by the process's own account of its time and memory, because the machine may be busy.
 */

let service: KeyedService;
beforeAll(async () => void (service = await startKeyedService()));

const KEY = 'sk_live-51H8/x+y=Z9&w';
const hashOf = (number: number) => `0x1${number.toString(16).padStart(63, '0')}`;
const itemsOf = (count: number) =>
	Array.from({ length: count }, (_item, number) => ({ json: { hash: hashOf(number) } }));

/** An order that repeats a part until the body is as large as may be. */
function order(before: string, part: string, after: string): string {
	const frame = (parts: string) =>
		`{"success":true,"data":{"status":"pending","orderId":"0x1",${before}${parts}${after}}}`;
	const room = BOUNDS.status.bytes - Buffer.byteLength(frame(''));
	return frame(part.repeat(Math.floor(room / Buffer.byteLength(part))));
}

const BODIES: Array<[string, string]> = [
	['one long text', order('"a":"', 'a', '"')],
	['letters that become eighteen each', order('"a":"', 'ﷺ', '"')],
	['escapes', order('"a":"', String.raw`\u0073`, '"')],
	['backslashes', order('"a":"', String.raw`\\`, '"')],
	['URL-encoded text', order('"a":"', '%73', '"')],
	['nearly the key', order('"a":"', KEY.slice(0, -1), '"')],
	['as an amount', order('"input":{"amount":"', '9', '"}')],
	['as a status word', order('"status":"', 'x ', '"')],
	['as a hash', order('"input":{"txHash":"', '0xab', '"}')],
	['objects', order('"a":[', '{},', '{}]')],
	['names', order('', '"k":{},', '"z":1')],
	['large numbers', order('"a":[', '99999999999999999999,', '1]')],
];

/** CPU time in milliseconds. */
const cpuMs = (since?: NodeJS.CpuUsage) => {
	const { user, system } = process.cpuUsage(since);
	return (user + system) / 1000;
};

async function getStatus(count: number, body: string, simplify: boolean) {
	const packed = zlib.gzipSync(body);
	expect(packed.length).toBeLessThan(BOUNDS.status.bytes / 5);
	service.answer = ({ url }) =>
		url.includes('/status')
			? httpAnswer(packed, { headers: { 'Content-Encoding': 'gzip' } })
			: null;
	const parameters = { operation: 'getStatus', sourceHash: '={{ $json.hash }}', simplify };
	return await runAction(credentialsFor(service.url, KEY), parameters, {
		items: itemsOf(count),
		onError: 'continueRegularOutput',
	});
}

test.each(BODIES)(
	'%s: sixty orders a minute keep the process busy for less than 30 %, and no one blocks it for 200 ms',
	async (_what, body) => {
		await getStatus(2, body, true);
		const before = process.cpuUsage();
		const { outputs } = await getStatus(60, body, true);
		const ms = cpuMs(before);
		expect(outputs[0]).toHaveLength(60);
		// Of the 36 seconds that sixty requests take at the standard limit; and each by itself.
		expect(ms).toBeLessThan(0.3 * 36_000);
		expect(ms / 60).toBeLessThan(180);
	},
);

function heapMb(): number {
	v8.setFlagsFromString('--expose-gc');
	const collect = vm.runInNewContext('gc') as () => void;
	collect();
	return process.memoryUsage().heapUsed / 1e6;
}

test.each(BODIES.filter(([what]) => /text$|objects|names|amount|become/.test(what)))(
	'%s: two hundred items with everything in them take less than 300 MB',
	async (_what, body) => {
		const before = heapMb();
		const { outputs } = await getStatus(200, body, false);
		const used = heapMb() - before;
		expect(outputs[0]).toHaveLength(200);
		expect(used).toBeLessThan(300);
	},
);

/** Of 2.6 MB. */
const TOKENS = Object.fromEntries(
	Array.from({ length: 150_000 }, (_token, number) => [`T${number}`, `0x${number}`]),
);
const CONFIG = JSON.stringify({
	success: true,
	data: {
		networks: [101, 102].map((chainID) => ({
			...{ chainID, name: `Network ${chainID}`, baseToken: 'ETH', decimals: 18 },
			tokens: chainID === 101 ? TOKENS : { NATIVE: '0x0' },
		})),
	},
});
const LEG = { chainId: 101, token: '0x149999', amount: '5' };

test.each<[string, IDataObject]>([
	['Get Status', { operation: 'getStatus', sourceHash: '={{ $json.hash }}' }],
	['Wait for Completion', { operation: 'waitForCompletion', sourceHash: '={{ $json.hash }}' }],
	[
		'Get Quote',
		{
			...GET_QUOTE,
			...{ amountUnit: 'smallestUnit', amount: '5', fromToken: byAddress('T149999') },
			slippage: '={{ $json.hash }}',
		},
	],
])(
	'a configuration of 150,000 tokens is read once for forty items of %s, which keep the process busy for less than three seconds',
	async (_what, parameters) => {
		service.answer = ({ url }) =>
			httpAnswer(
				url.includes('/config')
					? CONFIG
					: JSON.stringify({
							success: true,
							data: { status: 'completed', input: LEG, output: LEG, tokenIn: LEG },
						}),
			);
		const before = process.cpuUsage();
		// Another key, because the configuration of the tests before this one is still remembered for theirs.
		const credentials = credentialsFor(service.url, `${KEY}2`);
		const { outputs, error } = await runAction(credentials, parameters, {
			items: itemsOf(40),
		});
		const ms = cpuMs(before);
		expect([error, outputs[0]?.length]).toEqual([undefined, 40]);
		expect(outputs[0]?.at(-1)?.json.summary).toContain('T149999');
		expect(ms).toBeLessThan(3_000);
	},
);
