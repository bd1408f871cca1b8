import { TestCredentials } from '../engine/credentials';
import { runAction } from '../engine/n8n';
import { byId, GET_QUOTE as QUOTE, NATIVE } from '../engine/quoteFields';
import { httpAnswer, startRawServer } from './rawServer';

/** An amount in Token Units goes out in the smallest unit only if the decimals are beyond doubt. */

const network = (chainID: unknown, decimals: unknown) => ({
	chainID,
	name: 'One',
	decimals,
	tokens: { NATIVE },
});
const GET_QUOTE = { ...QUOTE, fromNetwork: byId('1'), toNetwork: byId('2') };
/** To which the transfer goes. */
const OTHER = network(2, 18);

async function sentFor(networks: unknown): Promise<string | null> {
	const server = await startRawServer(
		(socket, request) =>
			void socket.end(
				httpAnswer(
					JSON.stringify({
						success: true,
						data: request?.includes('/config') === true ? { networks } : {},
					}),
				),
			),
	);
	await runAction(
		new TestCredentials({ apiKey: 'key', baseUrl: `http://localhost:${server.port}` }),
		GET_QUOTE,
	);
	return /inputTokenAmount=(\d+)/.exec(server.received())?.[1] ?? null;
}

test.each<[string, unknown, string | null]>([
	['one network', [network(1, 18), OTHER], '500000000000000000'],
	[
		'a network that comes twice and says the same',
		[network(1, 6), network('1', '6'), OTHER],
		'500000',
	],
	['a network that comes twice with other decimals', [network(1, 18), network(1, 6), OTHER], null],
	[
		'a network that comes twice, once without decimals',
		[network(1, null), network(1, 6), OTHER],
		'500000',
	],
	['decimals that are a text of words', [network(1, 'eighteen'), OTHER], null],
	['decimals beyond a byte', [network(1, 256), OTHER], null],
	['negative decimals', [network(1, -1), OTHER], null],
	['half decimals', [network(1, 17.5), OTHER], null],
	['decimals as a list', [network(1, [18]), OTHER], null],
	['a network of another type', ['1', null, [network(1, 18)], 1, OTHER], null],
	['an empty list', [], null],
	[
		'a field named __proto__',
		[
			JSON.parse(`{"chainID":1,"__proto__":{"decimals":18},"tokens":{"NATIVE":"${NATIVE}"}}`),
			OTHER,
		],
		null,
	],
])('%s', async (_name, networks, amount) => {
	expect(await sentFor(networks)).toBe(amount);
});
