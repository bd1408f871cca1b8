import { parseArgs } from 'node:util';

import { LINE_NAMES, releaseOf } from '../../realN8n/install/releases';
import { withTemporaryRehearsal } from '../../realN8n/rehearsal/temporary';
import { DURABLE_ENGINE } from '../../realN8n/server/environment';
import { checkActions } from './actions';
import { checkChanging } from './changing';
import { CheckList } from './checkList';
import { checkCredential } from './credential';
import { checkChangingEngines } from './engines';
import { checkExamples } from './examples';
import { checkFaults } from './faults';
import { checkKey } from './key';
import { checkLoading } from './loading';
import { MARKED_KEY } from './marks';
import { checkLoad, checkPosting, checkPostingDurably } from './posting';
import { UNLIMITED_REQUESTS_PER_MINUTE, type Stage } from './stage';
import { checkPublishing, checkTrigger } from './trigger';

const GROUPS: Record<string, (stage: Stage) => Promise<void>> = {
	loading: checkLoading,
	credential: checkCredential,
	actions: checkActions,
	publishing: checkPublishing,
	trigger: checkTrigger,
	changing: checkChanging,
	examples: checkExamples,
	posting: async (stage) =>
		await (stage.durable ? checkPostingDurably(stage) : checkPosting(stage)),
	// What the durable engine refuses cannot be much.
	load: async (stage) => await (stage.durable ? undefined : checkLoad(stage)),
	// From n8n 2.40 on there are two poll engines.
	engines: async (stage) =>
		await (stage.rehearsal.options.release.hasDurableEngine && !stage.durable
			? checkChangingEngines(stage)
			: undefined),
	faults: checkFaults,
	// The last one: it searches all that the others have left.
	key: checkKey,
};

const ALL_GROUPS = Object.keys(GROUPS);

const HELP = `npm run e2e -- checks [flags]

The packed package in a real n8n, with a local bridge service. The last line is "N passed, N failed".

  --n8n <line>    ${LINE_NAMES} (default 2.8)
  --durable       2.41 only: with its durable poll engine, which is off by default
  --only <groups> some of the groups, with commas between: ${ALL_GROUPS.join(', ')}
  --skip <groups> all groups but these
  --kills <n>     how often the group posting kills n8n right after an answer (default 3)
  --real-time     the outage of the group faults lasts 10 minutes, with polls once a minute
  --help          this text
`;

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			n8n: { type: 'string', default: '2.8' },
			durable: { type: 'boolean', default: false },
			only: { type: 'string' },
			skip: { type: 'string', default: '' },
			kills: { type: 'string', default: '3' },
			'real-time': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	const release = releaseOf(flags.n8n);
	if (flags.durable && !release.hasDurableEngine)
		throw new Error('Only n8n 2.40 and later has the durable poll engine.');
	const only = flags.only?.split(',') ?? ALL_GROUPS;
	const skipped = flags.skip.split(',').filter((name) => name !== '');
	const unknown = [...only, ...skipped].filter((name) => !ALL_GROUPS.includes(name));
	if (unknown.length > 0) throw new Error(`There is no group "${unknown.join(', ')}". Try --help.`);
	const groups = Object.entries(GROUPS).filter(
		([name]) => only.includes(name) && !skipped.includes(name),
	);

	if (!/^[1-9]\d*$/.test(flags.kills))
		throw new Error('--kills must be a whole number of at least 1.');

	const say = (line: string) => console.log(line);
	const checks = new CheckList(say);
	const sandbox = { requestsPerMinute: 0, apiKey: MARKED_KEY };
	// what n8n says when it says most is searched for the key
	const level = groups.some(([name]) => name === 'key') ? 'debug' : 'info';
	const env = { ...(flags.durable ? DURABLE_ENGINE : {}), N8N_LOG_LEVEL: level };
	await withTemporaryRehearsal({ release, sandbox, env, say }, async (rehearsal) => {
		const credential = await rehearsal.credential('Bridge sandbox', {
			...rehearsal.rightCredential,
			requestsPerMinute: UNLIMITED_REQUESTS_PER_MINUTE,
		});
		for (const [name, run] of groups) {
			say(
				`${name}, in n8n ${release.version}${flags.durable ? ' with the durable poll engine' : ''}`,
			);
			await run({
				rehearsal,
				checks,
				credential,
				durable: flags.durable,
				realTime: flags['real-time'],
				kills: Number(flags.kills),
			});
		}
	});
	say(checks.summary);
	process.exitCode = checks.allPassed ? 0 : 1;
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
