import { parseArgs } from 'node:util';

import { checkActions } from './checks/actions';
import { checkChanging } from './checks/changing';
import { CheckList } from './checks/checkList';
import { checkCredential } from './checks/credential';
import { checkLoading } from './checks/loading';
import { UNLIMITED_REQUESTS_PER_MINUTE, type Stage } from './checks/stage';
import { checkPublishing, checkTrigger } from './checks/trigger';
import { releaseOf } from './releases';
import { withTemporaryRehearsal } from './temporaryRehearsal';

const GROUPS: Record<string, (stage: Stage) => Promise<void>> = {
	loading: checkLoading,
	credential: checkCredential,
	actions: checkActions,
	publishing: checkPublishing,
	trigger: checkTrigger,
	changing: checkChanging,
};

const HELP = `npm run test:e2e -- [flags]

The packed package in a real n8n, with a local bridge service. The last line is "N passed, N failed".

  --n8n <line>    2.8 or 2.40 (default 2.8)
  --durable       2.40 only: with its durable poll engine, which is off by default
  --only <group>  one group of checks: ${Object.keys(GROUPS).join(', ')}
  --help          this text
`;

/** Polls as jobs in the database, their state committed together with the executions that they start. */
const DURABLE_ENGINE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			n8n: { type: 'string', default: '2.8' },
			durable: { type: 'boolean', default: false },
			only: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	const release = releaseOf(flags.n8n);
	if (flags.durable && release.line !== '2.40') throw new Error('Only n8n 2.40 has the durable poll engine.');
	const groups = Object.entries(GROUPS).filter(([name]) => flags.only === undefined || name === flags.only);
	if (groups.length === 0) throw new Error(`There is no group "${flags.only}". Try --help.`);

	const say = (line: string) => console.log(line);
	const checks = new CheckList(say);
	const sandbox = { requestsPerMinute: 0 };
	const env = flags.durable ? DURABLE_ENGINE : {};
	await withTemporaryRehearsal({ release, sandbox, env, say }, async (rehearsal) => {
		const credential = await rehearsal.credential('Bridge sandbox', {
			...rehearsal.rightCredential,
			requestsPerMinute: UNLIMITED_REQUESTS_PER_MINUTE,
		});
		for (const [name, run] of groups) {
			say(`${name}, in n8n ${release.version}${flags.durable ? ' with the durable poll engine' : ''}`);
			await run({ rehearsal, checks, credential });
		}
	});
	say(checks.summary);
	process.exitCode = checks.allPassed ? 0 : 1;
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
