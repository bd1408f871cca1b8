import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { OrderRequest, OrderSummary } from '../sandbox';
import { adapted, ordersUrl, readExample, withTriggerParameters, type ExampleName } from './examples';
import { exitWhenInterrupted } from './interruption';
import { OWNER } from './n8nClient';
import type { StoredCredential, StoredWorkflow } from './n8nTypes';
import { DATA_FOLDER } from './paths';
import { isPortTaken } from './ports';
import { lastLines } from './processes';
import { Rehearsal } from './rehearsal';
import { releaseForThisNode, releaseOf } from './releases';

const DEFAULT_PORT = 5678;
const DEFAULT_SANDBOX_PORT = 4010;

const HELP = `npm start -- [flags]

A real n8n with the bridge nodes, a local bridge service, and two workflows to look at. Ctrl-C ends it.

  --port <n>          n8n's port (default ${DEFAULT_PORT})
  --sandbox-port <n>  the local bridge service's port (default ${DEFAULT_SANDBOX_PORT})
  --n8n <line>        1.123, 2.8 or 2.40 (default: the one that fits this Node.js)
  --fresh             forget what earlier starts have left, begin anew
  --help              this text
`;

/** Orders end one after another for a quarter of an hour. */
const SECONDS_BETWEEN_ORDERS = 30;
const ORDER_COUNT = 30;
/** From an order's begin to its end; 5 to 15 seconds are typical of the service. */
const ORDER_SECONDS = 12;

interface Flags {
	port: number;
	sandboxPort: number;
	n8n: string | undefined;
	fresh: boolean;
	help: boolean;
}

function readFlags(): Flags {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: String(DEFAULT_PORT) },
			'sandbox-port': { type: 'string', default: String(DEFAULT_SANDBOX_PORT) },
			n8n: { type: 'string' },
			fresh: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	return {
		...values,
		port: portFrom('port', values.port),
		sandboxPort: portFrom('sandbox-port', values['sandbox-port']),
		n8n: values.n8n,
	};
}

function portFrom(flag: string, text: string): number {
	const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
	if (port >= 1 && port <= 65_535) return port;
	throw new Error(`--${flag} must be a port from 1 to 65535, not "${text}".`);
}

async function checkPort(port: number, flag: string, owner: string): Promise<void> {
	if (!(await isPortTaken(port))) return;
	throw new Error(
		`Port ${port}, meant for ${owner}, is taken (perhaps by an earlier start that still runs).\n` +
			`End that program, or choose another port: npm start -- --${flag} ${port + 1}`,
	);
}

/** Orders of all three ends in turn; their hashes are known now, and one begins every half minute. */
function plannedOrders(): OrderRequest[] {
	const ends = ['completed', 'refunded', 'failed'] as const;
	return Array.from({ length: ORDER_COUNT }, (_, index) => ({
		end: ends[index % ends.length],
		beginsAfterSeconds: index * SECONDS_BETWEEN_ORDERS,
		endsAfterSeconds: ORDER_SECONDS,
	}));
}

/** The example as it was left by an earlier start (a person may have changed it), or else fresh. */
async function storedExample(
	{ client, control }: Rehearsal,
	name: ExampleName,
	credential: StoredCredential,
	whereToPost?: string,
): Promise<StoredWorkflow> {
	const example = adapted(readExample(name), control.sandbox.url, credential, whereToPost);
	const known = (await client.workflows()).find((each) => each.name === example.name);
	return known ? await client.workflow(known.id) : await client.createWorkflow(example);
}

/** Both examples in n8n; the bridging one posts to the watching one, which is published with orders that no earlier start has told of. */
async function setStage(rehearsal: Rehearsal): Promise<{ watch: StoredWorkflow; bridge: StoredWorkflow }> {
	const { client, control } = rehearsal;
	const credential = await rehearsal.credential('Bridge sandbox', rehearsal.rightCredential);
	const watch = await storedExample(rehearsal, 'watch-orders', credential);
	const whereToPost = ordersUrl(rehearsal.n8n.url, watch);
	const bridge = await storedExample(rehearsal, 'bridge-in-the-sandbox', credential, whereToPost);
	const orders: OrderSummary[] = await control.announce(plannedOrders());
	const sourceHashes = orders.map(({ sourceHash }) => sourceHash).join('\n');
	await client.updateWorkflow(watch.id, withTriggerParameters(watch, { sourceHashes }));
	await client.publish(watch.id);
	return { watch, bridge };
}

function welcome(rehearsal: Rehearsal, version: string, watch: StoredWorkflow, bridge: StoredWorkflow): string {
	const { url } = rehearsal.n8n;
	const { sandbox } = rehearsal.control;
	return `
n8n ${version} is ready:  ${url}
  E-mail    ${OWNER.email}
  Password  ${OWNER.password}

What to look at
  "${watch.name}" is published and watches ${ORDER_COUNT} orders. One ends every ${SECONDS_BETWEEN_ORDERS} s for a quarter
  of an hour: completed, refunded, failed. The trigger looks every few seconds; each end starts the workflow once:
    ${url}/workflow/${watch.id}/executions
  "${bridge.name}" is for you to run: Get Config, Get Quote, submit, Get Status. It posts its order to the
  trigger above, with a reference; the execution that starts about 12 s later names that reference:
    ${url}/workflow/${bridge.id}

The local bridge service: ${sandbox.url} (API key ${sandbox.apiKey}); its orders: ${sandbox.url}/sandbox/orders

Ctrl-C ends both. All is kept for the next start; npm start -- --fresh begins anew.
`;
}

async function main(): Promise<void> {
	const flags = readFlags();
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	const release = flags.n8n === undefined ? releaseForThisNode() : releaseOf(flags.n8n);
	let rehearsal: Rehearsal | undefined;
	exitWhenInterrupted(async () => {
		console.log('\nEnding n8n and the local bridge service …');
		await rehearsal?.stop();
		console.log('Ended.');
	});
	await checkPort(flags.port, 'port', 'n8n');
	await checkPort(flags.sandboxPort, 'sandbox-port', 'the local bridge service');
	if (flags.fresh) rmSync(DATA_FOLDER, { recursive: true, force: true });

	rehearsal = await Rehearsal.start({
		release,
		// a folder for each n8n: an older one cannot read what a newer one has written
		userFolder: join(DATA_FOLDER, `n8n-${release.line}`),
		n8nPort: flags.port,
		sandbox: { port: flags.sandboxPort },
		say: (line) => console.log(line),
	});
	const { n8n } = rehearsal;
	try {
		const { watch, bridge } = await setStage(rehearsal);
		process.stdout.write(welcome(rehearsal, release.version, watch, bridge));
	} catch (error) {
		await rehearsal.stop();
		throw error;
	}
	await n8n.ended();
	// after Ctrl-C this is as it should be, and the interruption's own code ends the program
	await rehearsal.stop();
	if (!n8n.wasStopped) throw new Error(`n8n has ended by itself.\n${lastLines(n8n.log, 20)}`);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
});
