import { parseArgs } from 'node:util';

import { ensureInstalled } from '../../realN8n/install/installRelease';
import { RELEASES } from '../../realN8n/install/releases';
import { exitWhenInterrupted } from '../../realN8n/machine/interruption';
import { withTemporaryRehearsal } from '../../realN8n/rehearsal/temporary';
import { CheckList } from '../checks/checkList';
import {
	checkKilledWorker,
	checkTriggerAndWorkers,
	checkWaiting,
	KEYS,
	RECOVERY_ENV,
	SERVICE_LIMIT,
} from './checks';
import { checkMultiMainNeedsLicense, checkTwoDurableMains, DURABLE_ENV } from './mains';
import { QueueServices } from './services';
import { Worker, type QueueStage } from './stage';

const PARTS = ['trigger', 'waiting', 'kill', 'mains'] as const;

const HELP = `npm run e2e -- queue [flags]

n8n in queue mode: one main process, two workers, PostgreSQL and Redis, all on this machine. The last line is "N passed, N failed".
PostgreSQL: PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE (127.0.0.1, 5432, postgres, none, postgres); the user must be allowed
to create databases. Redis: REDIS_HOST, REDIS_PORT, REDIS_PASSWORD (127.0.0.1, 6379, none). A database and a key prefix of
its own are made for the run and taken away after it.

  --only <parts>   some of the parts, with commas between: ${PARTS.join(', ')}
  --share <n>      Requests per Minute in the credential of the part "waiting" (default ${SERVICE_LIMIT}, the service's limit)
  --help           this text
`;

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			only: { type: 'string', default: PARTS.join(',') },
			share: { type: 'string', default: String(SERVICE_LIMIT) },
			help: { type: 'boolean', default: false },
		},
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	const parts = flags.only.split(',');
	const unknown = parts.filter((part) => !PARTS.some((known) => known === part));
	if (unknown.length > 0) throw new Error(`There is no part "${unknown.join(', ')}". Try --help.`);
	const share = Number(flags.share);
	if (!(Number.isInteger(share) && share >= 1))
		throw new Error('--share must be a whole number of at least 1.');

	const say = (line: string) => console.log(line);
	const checks = new CheckList(say);
	const wants = (part: (typeof PARTS)[number]) => parts.includes(part);
	await ensureInstalled(release, say);
	if (wants('trigger') || wants('waiting') || wants('kill'))
		await withServices((services) => checkQueue(services, checks, wants, share, say));
	if (wants('mains')) await withServices((services) => checkMains(services, checks, say));
	say(checks.summary);
	process.exitCode = checks.allPassed ? 0 : 1;
}

type Wants = (part: (typeof PARTS)[number]) => boolean;

const release = RELEASES['2.41'];

/** A database and a key prefix of their own, taken away after their use, Ctrl-C or not. */
async function withServices(use: (services: QueueServices) => Promise<void>): Promise<void> {
	const services = await QueueServices.open(release);
	exitWhenInterrupted(async () => await services.removeAll());
	try {
		await use(services);
	} finally {
		await services.removeAll();
	}
}

async function checkQueue(
	services: QueueServices,
	checks: CheckList,
	wants: Wants,
	share: number,
	say: (line: string) => void,
): Promise<void> {
	const env = { ...services.env, ...RECOVERY_ENV };
	const sandbox = {
		furtherKeys: Object.fromEntries(Object.values(KEYS).map((key) => [key, SERVICE_LIMIT])),
	};
	await withTemporaryRehearsal({ release, env, sandbox, say }, async (rehearsal) => {
		const workers: Worker[] = [];
		const stage: QueueStage = { rehearsal, services, checks, workers, say };
		try {
			for (const name of ['worker-1', 'worker-2']) {
				say(`Starting ${name}`);
				workers.push(await Worker.start(stage, name));
			}
			await Promise.all([
				wants('trigger') && checkTriggerAndWorkers(stage),
				wants('waiting') && checkWaiting(stage, share),
			]);
			if (wants('kill')) await checkKilledWorker(stage);
		} finally {
			await Promise.all(workers.map(async ({ server }) => await server.stop()));
		}
	});
}

async function checkMains(
	services: QueueServices,
	checks: CheckList,
	say: (line: string) => void,
): Promise<void> {
	await withTemporaryRehearsal(
		{ release, env: { ...services.env, ...DURABLE_ENV }, say },
		async (rehearsal) => {
			await checkMultiMainNeedsLicense(checks, rehearsal.options, services.env);
			await checkTwoDurableMains(services, checks, rehearsal, say);
		},
	);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
