import { EventEmitter, once } from 'node:events';
import { rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { packedPackage } from '../realN8n/install/pack';
import {
	LINE_NAMES,
	type N8nRelease,
	releaseForThisNode,
	releaseOf,
	RELEASES,
} from '../realN8n/install/releases';
import { exitWhenInterrupted } from '../realN8n/machine/interruption';
import { DATA_FOLDER, PROJECT_FOLDER } from '../realN8n/machine/paths';
import { isPortTaken } from '../realN8n/machine/ports';
import { lastLines } from '../realN8n/machine/processes';
import { Rehearsal } from '../realN8n/rehearsal/rehearsal';
import { OWNER } from '../realN8n/server/client';
import type { OrderRequest } from '../sandbox';
import { prepareOwnWorkflows, type OwnWorkflows } from './ownWorkflows';

const DEFAULT_PORT = 5678;
const DEFAULT_SANDBOX_PORT = 4010;

const HELP = `npm start -- [flags]

A real n8n with the bridge nodes, a simulated bridge, and two workflows to try. Press Ctrl+C to stop it.

  --port <n>          n8n's port (default ${DEFAULT_PORT})
  --sandbox-port <n>  the simulated bridge's port (default ${DEFAULT_SANDBOX_PORT})
  --n8n <line>        ${LINE_NAMES} (default: the one that fits this Node.js)
  --data <folder>     where everything is kept (default .data)
  --watch             build the nodes and start n8n again whenever a source changes (npm run dev)
  --fresh             forget what earlier starts have left
  --help              this text
`;

const OTHER_OWNER = `The owner of this n8n has changed email or password: sign in with the new ones. The two workflows were left as they are.
To start over without anything that is in this n8n: npm start -- --fresh`;

/** Orders finish one after another for a quarter of an hour. */
const SECONDS_BETWEEN_ORDERS = 30;
const ORDER_COUNT = 30;
/** From the beginning of an order until it is finished; 5 to 15 seconds are typical of the service. */
const ORDER_SECONDS = 12;

interface Flags {
	port: number;
	sandboxPort: number;
	n8n: string | undefined;
	data: string;
	watch: boolean;
	fresh: boolean;
	help: boolean;
}

function readFlags(): Flags {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: String(DEFAULT_PORT) },
			'sandbox-port': { type: 'string', default: String(DEFAULT_SANDBOX_PORT) },
			n8n: { type: 'string' },
			data: { type: 'string', default: DATA_FOLDER },
			watch: { type: 'boolean', default: false },
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
		`Port ${port}, meant for ${owner}, is in use (perhaps by an earlier start that is still running).\n` +
			`Stop that program, or choose another port: npm start -- --${flag} ${port + 1}`,
	);
}

/** Orders of all three final statuses in turn; their hashes are known now, and one begins every half minute. */
function plannedOrders(): OrderRequest[] {
	const ends = ['completed', 'refunded', 'failed'] as const;
	return Array.from({ length: ORDER_COUNT }, (_, index) => ({
		end: ends[index % ends.length],
		beginsAfterSeconds: index * SECONDS_BETWEEN_ORDERS,
		endsAfterSeconds: ORDER_SECONDS,
	}));
}

/** Announces the orders and sets up the two workflows, as far as n8n lets this program. Whatever is in the way, n8n stays. */
async function setStage(rehearsal: Rehearsal): Promise<OwnWorkflows | null> {
	if (!rehearsal.isSignedIn) {
		console.log(`\n${OTHER_OWNER}`);
		return null;
	}
	try {
		const orders = await rehearsal.control.announce(plannedOrders());
		return await prepareOwnWorkflows(
			rehearsal,
			orders.map(({ sourceHash }) => sourceHash),
			console.log,
		);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		console.log(
			`\nThe two workflows of npm start could not be set up; n8n runs without them. The reason: ${reason}`,
		);
		return null;
	}
}

/** An n8n that is not the newest one here has known weaknesses, which matter less because nobody else reaches it. */
function warningOf({ line, version }: N8nRelease): string {
	const newest = RELEASES['2.41'];
	if (line === newest.line) return '';
	return `
n8n ${version} has known security holes. It listens on 127.0.0.1, so only this computer can reach it; with Node.js
${newest.nodeMajors.first} or later, npm start runs n8n ${newest.version}.
`;
}

function welcome(
	rehearsal: Rehearsal,
	release: N8nRelease,
	workflows: OwnWorkflows | null,
): string {
	const { url } = rehearsal.n8n;
	const { sandbox } = rehearsal.control;
	return `
n8n ${release.version} is ready: ${url}
${rehearsal.isSignedIn ? `  Email     ${OWNER.email}\n  Password  ${OWNER.password}\n` : ''}${warningOf(release)}${workflows ? whatToTry(url, workflows) : ''}
The simulated bridge, for a credential of your own
  Base URL  ${sandbox.url}
  API Key   ${sandbox.apiKey}
  Orders    ${sandbox.url}/sandbox/orders

Press Ctrl+C to stop. Everything is kept for the next start. To start over: npm start -- --fresh
`;
}

function whatToTry(url: string, { watch, bridge }: OwnWorkflows): string {
	return `
Try this
  1. Watch orders finish. "${watch.name}" is published and watches ${ORDER_COUNT} simulated orders.
     Every ${SECONDS_BETWEEN_ORDERS} seconds, one of them is completed, is refunded or fails, until all have finished.
     The workflow runs once for each:
       ${url}/workflow/${watch.id}/executions
  2. Make a transfer. Open "${bridge.name}" and click Execute workflow. It gets a quote,
     submits a simulated transfer and checks its status. About ${ORDER_SECONDS} seconds later,
     "${watch.name}" runs with the reference of your order:
       ${url}/workflow/${bridge.id}
`;
}

/** An editor writes several files in a row. */
const SETTLING_MS = 500;

/** Gives n8n the new nodes after each change of a source that compiles. Returns when n8n has exited. */
async function restartAfterChanges(rehearsal: Rehearsal): Promise<void> {
	const sources = new EventEmitter();
	for (const folder of ['nodes', 'credentials'])
		watch(join(PROJECT_FOLDER, folder), { recursive: true }, () => sources.emit('change'));
	console.log(
		'After each change in nodes/ or credentials/, the nodes are built and n8n starts again.',
	);
	for (;;) {
		const changed = once(sources, 'change').then(() => true);
		const ended = rehearsal.n8n.ended().then(() => false);
		if (!(await Promise.race([changed, ended]))) return;
		await delay(SETTLING_MS);
		try {
			await packedPackage(console.log);
			await rehearsal.restartN8n();
			console.log('n8n has the new nodes. Reload the page.');
		} catch (error) {
			console.log(error instanceof Error ? error.message : error);
		}
	}
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
		console.log('\nStopping n8n and the simulated bridge …');
		await rehearsal?.stop();
		console.log('Stopped.');
	});
	await checkPort(flags.port, 'port', 'n8n');
	await checkPort(flags.sandboxPort, 'sandbox-port', 'the simulated bridge');
	// a folder for each n8n: an older one cannot read what a newer one has written
	const userFolder = join(flags.data, `n8n-${release.line}`);
	if (flags.fresh) rmSync(userFolder, { recursive: true, force: true });

	rehearsal = await Rehearsal.start({
		release,
		userFolder,
		n8nPort: flags.port,
		sandbox: { port: flags.sandboxPort },
		anyOwner: true,
		say: (line) => console.log(line),
	});
	process.stdout.write(welcome(rehearsal, release, await setStage(rehearsal)));
	if (flags.watch) await restartAfterChanges(rehearsal);
	const { n8n } = rehearsal;
	await n8n.ended();
	// after Ctrl-C this is as it should be, and the interruption's own code ends the program
	await rehearsal.stop();
	if (!n8n.wasStopped) throw new Error(`n8n has stopped unexpectedly.\n${lastLines(n8n.log, 20)}`);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
});
