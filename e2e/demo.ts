import { parseArgs } from 'node:util';

import Table from 'cli-table3';

import type { OrderSummary } from '../sandbox';
import { adapted, readExample, withTriggerParameters } from './examples';
import { notificationsOf, type Notification } from './notifications';
import type { Rehearsal } from './rehearsal';
import { releaseForThisNode, releaseOf, type N8nRelease } from './releases';
import { withTemporaryRehearsal } from './temporaryRehearsal';
import { until } from './until';

const HELP = `npm run demo -- [flags]

A real n8n, a local bridge, three orders that end in three ways; shows the executions that they start.

  --json        the last line is one JSON document: {"ok","n8n","events":[{"sourceHash","event","secondsFromEnd","text"}]}
  --n8n <line>  1.123, 2.8 or 2.40 (default: the one that fits this Node.js)
  --help        this text
`;

/** The first order ends this long after it began; the publishing takes less. */
const FIRST_END_SECONDS = 15;
const SECONDS_BETWEEN_ENDS = 5;
/** Ends are seen within seconds; in an n8n where no look is made between polls, at the next poll, a minute apart. */
const LONGEST_WAIT_SECONDS = 150;

interface DemoEvent {
	sourceHash: string;
	event: string;
	/** From the order's end to the start of the execution. */
	secondsFromEnd: number;
	text: string;
}

interface DemoResult {
	/** All three ends came, each once, and nothing else. */
	ok: boolean;
	n8n: string;
	events: DemoEvent[];
}

/** Three orders that end one after another, each in another way, and one that never ends. */
async function announceOrders(rehearsal: Rehearsal): Promise<{ ending: OrderSummary[]; endless: OrderSummary }> {
	const ends = (['completed', 'refunded', 'failed'] as const).map((end, index) => ({
		end,
		endsAfterSeconds: FIRST_END_SECONDS + index * SECONDS_BETWEEN_ENDS,
	}));
	const orders = await rehearsal.control.announce([...ends, { end: 'never' }]);
	const endless = orders[ends.length];
	if (!endless) throw new Error('The sandbox announced fewer orders than it was asked for.');
	return { ending: orders.slice(0, ends.length), endless };
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

async function rehearse(rehearsal: Rehearsal, release: N8nRelease, say: (line: string) => void): Promise<DemoResult> {
	const { client, control } = rehearsal;
	const credential = await rehearsal.credential('Bridge sandbox', rehearsal.rightCredential);
	const { ending, endless } = await announceOrders(rehearsal);
	const watched = [...ending, endless].map(({ sourceHash }) => sourceHash);
	const example = adapted(readExample('watch-orders'), control.sandbox.url, credential);
	const workflow = await client.createWorkflow(
		withTriggerParameters(example, { sourceHashes: watched.join('\n') }),
	);
	await client.publish(workflow.id);
	say(`The workflow "${workflow.name}" is published and watches ${watched.length} open orders.`);
	say('Three of them are ending now, each in another way. The trigger looks every few seconds; this takes about a minute.');

	const cameAll = async () => {
		const came = new Set((await notificationsOf(client, workflow.id)).map(({ sourceHash }) => sourceHash));
		return ending.every(({ sourceHash }) => came.has(sourceHash));
	};
	try {
		await until('the three executions', cameAll, { seconds: LONGEST_WAIT_SECONDS, everyMilliseconds: 500 });
		say('All three have come. One more look shows whether anything comes twice.');
		// the fourth order stays open, so that a look at it tells that the trigger goes on
		await control.furtherLooksAt(endless.sourceHash, 1, LONGEST_WAIT_SECONDS);
	} catch (error) {
		say(error instanceof Error ? error.message : String(error));
	}
	const events = toEvents(await notificationsOf(client, workflow.id), ending);
	return { ok: areAllOnce(events, ending), n8n: release.version, events };
}

function table({ events }: DemoResult): string {
	const rows = new Table({ head: ['Order', 'Event', 'Seconds from end to start', 'Notification'], style: { head: [], border: [] } });
	for (const { sourceHash, event, secondsFromEnd, text } of events) {
		rows.push([shortened(sourceHash), event, secondsFromEnd.toFixed(1), text.replace(sourceHash, shortened(sourceHash))]);
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
	const result = await withTemporaryRehearsal({ release, say }, async (rehearsal) => await rehearse(rehearsal, release, say));
	say(table(result));
	say(result.ok ? 'All three ends started the workflow, each exactly once.' : 'This is not what should have come.');
	process.exitCode = result.ok ? 0 : 1;
	if (flags.json) say(JSON.stringify(result));
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
