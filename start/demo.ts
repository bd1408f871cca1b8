import { parseArgs } from 'node:util';

import Table from 'cli-table3';

import {
	LINE_NAMES,
	type N8nRelease,
	releaseForThisNode,
	releaseOf,
} from '../realN8n/install/releases';
import { until } from '../realN8n/machine/until';
import { adapted, readExample, withTriggerParameters } from '../realN8n/rehearsal/examples';
import { notificationsOf, type Notification } from '../realN8n/rehearsal/notifications';
import type { Rehearsal } from '../realN8n/rehearsal/rehearsal';
import { withTemporaryRehearsal } from '../realN8n/rehearsal/temporary';
import type { OrderSummary } from '../sandbox';

const HELP = `npm run demo -- [flags]

A real n8n, a simulated bridge, and three orders that finish in three ways; shows the executions that they start.

  --json        the last line is one JSON document: {"ok","n8n","events":[{"sourceHash","event","secondsFromEnd","text"}]}
  --n8n <line>  ${LINE_NAMES} (default: the one that fits this Node.js)
  --help        this text
`;

/** The first order finishes this long after it began; publishing takes less. */
const FIRST_FINISH_SECONDS = 15;
const SECONDS_BETWEEN_ORDERS = 5;
/** Finished orders are seen within seconds; if nothing is checked between polls, at the next poll, a minute apart. */
const MAX_WAIT_SECONDS = 150;

interface DemoEvent {
	sourceHash: string;
	event: string;
	/** From the moment the order finishes to the start of the execution. */
	secondsFromEnd: number;
	text: string;
}

interface DemoResult {
	/** All three events came, each once, and nothing else. */
	ok: boolean;
	n8n: string;
	events: DemoEvent[];
}

/** Three orders that finish one after another, each in a different way, and one that stays open. */
async function announceOrders(
	rehearsal: Rehearsal,
): Promise<{ finishing: OrderSummary[]; open: OrderSummary }> {
	const ends = (['completed', 'refunded', 'failed'] as const).map((end, index) => ({
		end,
		endsAfterSeconds: FIRST_FINISH_SECONDS + index * SECONDS_BETWEEN_ORDERS,
	}));
	const orders = await rehearsal.control.announce([...ends, { end: 'never' }]);
	const open = orders[ends.length];
	if (!open) throw new Error('The sandbox announced fewer orders than it was asked for.');
	return { finishing: orders.slice(0, ends.length), open };
}

function toEvents(notifications: Notification[], orders: OrderSummary[]): DemoEvent[] {
	return notifications.map(({ sourceHash, event, startedAt, text }) => {
		const endsAt = orders.find((order) => order.sourceHash === sourceHash)?.endsAt ?? null;
		const milliseconds = endsAt === null ? Number.NaN : startedAt.getTime() - Date.parse(endsAt);
		return { sourceHash, event, secondsFromEnd: Math.round(milliseconds / 100) / 10, text };
	});
}

function areAllOnce(events: DemoEvent[], orders: OrderSummary[]): boolean {
	const expected = orders.map(({ sourceHash, end }) => `${sourceHash} ${end}`).sort();
	const came = events.map(({ sourceHash, event }) => `${sourceHash} ${event}`).sort();
	return JSON.stringify(came) === JSON.stringify(expected);
}

async function rehearse(
	rehearsal: Rehearsal,
	release: N8nRelease,
	say: (line: string) => void,
): Promise<DemoResult> {
	const { client, control } = rehearsal;
	const credential = await rehearsal.credential('Bridge sandbox', rehearsal.rightCredential);
	const { finishing, open } = await announceOrders(rehearsal);
	const watched = [...finishing, open].map(({ sourceHash }) => sourceHash);
	const example = adapted(readExample('watch-orders'), control.sandbox.url, credential);
	const workflow = await client.createWorkflow(
		withTriggerParameters(example, { sourceHashes: watched.join('\n') }),
	);
	await client.publish(workflow.id);
	say(`The workflow "${workflow.name}" is published and watches ${watched.length} open orders.`);
	say(
		'Three of them finish now, each in a different way. The trigger checks every few seconds; this takes about a minute.',
	);

	const cameAll = async () => {
		const came = new Set(
			(await notificationsOf(client, workflow.id)).map(({ sourceHash }) => sourceHash),
		);
		return finishing.every(({ sourceHash }) => came.has(sourceHash));
	};
	try {
		await until('the three executions', cameAll, {
			seconds: MAX_WAIT_SECONDS,
			everyMilliseconds: 500,
		});
		say('All three have come. One more check shows whether anything comes twice.');
		// the fourth order stays open: a check of it shows that the trigger continues
		await control.furtherChecksOf(open.sourceHash, 1, MAX_WAIT_SECONDS);
	} catch (error) {
		say(error instanceof Error ? error.message : String(error));
	}
	const events = toEvents(await notificationsOf(client, workflow.id), finishing);
	return { ok: areAllOnce(events, finishing), n8n: release.version, events };
}

function table({ events }: DemoResult): string {
	const rows = new Table({
		head: ['Order', 'Event', 'Seconds from finish to start', 'Notification'],
		style: { head: [], border: [] },
	});
	for (const { sourceHash, event, secondsFromEnd, text } of events) {
		rows.push([
			shortened(sourceHash),
			event,
			secondsFromEnd.toFixed(1),
			text.replace(sourceHash, shortened(sourceHash)),
		]);
	}
	return rows.toString();
}

function shortened(hash: string): string {
	return `${hash.slice(0, 10)}…${hash.slice(-6)}`;
}

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			json: { type: 'boolean', default: false },
			n8n: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	const release = flags.n8n === undefined ? releaseForThisNode() : releaseOf(flags.n8n);
	const say = (line: string) => console.log(line);
	const result = await withTemporaryRehearsal(
		{ release, say },
		async (rehearsal) => await rehearse(rehearsal, release, say),
	);
	say(table(result));
	say(
		result.ok
			? 'All three orders started the workflow, each exactly once.'
			: 'The result is not as expected: see the table.',
	);
	process.exitCode = result.ok ? 0 : 1;
	if (flags.json) say(JSON.stringify(result));
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
