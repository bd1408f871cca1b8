/** What `npm run e2e`, `npm run bench` and `npm run check` can do: the name, the program, and for whom asks what it is and takes. */
export interface Command {
	/** From the project's folder. */
	program: string;
	what: string;
	/** On two cores, with the servers installed. */
	takes: string;
	/** What each flag does, where the program prints no help itself. */
	flags?: Readonly<Record<string, string>>;
	/** Besides flags it takes an expression that chooses what it measures. */
	takesExpression?: boolean;
}

/** The flag of the simulations. */
const JSON_FLAG = { '--json': 'standard output is one JSON document: {"rows": …}' };

export const COMMANDS: Record<'e2e' | 'bench' | 'check', Record<string, Command>> = {
	e2e: {
		checks: {
			program: 'e2e/checks/run.ts',
			what: 'groups of checks in a real n8n: loading, credential, actions, trigger, posting, examples, faults, key and others',
			takes: '10 minutes; a group 1 to 3',
		},
		editor: {
			program: 'e2e/editor/run.ts',
			what: "a user's walks through the editor, in Chromium",
			takes: '6 minutes',
		},
		kill: {
			program: 'e2e/kill/run.ts',
			what: 'n8n is killed while orders finish; each order is accounted for',
			takes: '20 seconds a kill; with --durable 90',
		},
		engines: {
			program: 'e2e/engines/run.ts',
			what: 'the engine suite on newer n8n-core, and the types of newer n8n-workflow',
			takes: '2 minutes a version',
		},
		start: {
			program: 'e2e/start/run.ts',
			what: 'npm start on what earlier starts have left',
			takes: '5 minutes',
		},
		install: {
			program: 'e2e/communityNode/run.ts',
			what: 'n8n installs and updates the package from a registry',
			takes: '5 minutes a version',
		},
		queue: {
			program: 'e2e/queue/run.ts',
			what: 'queue mode with two workers; needs PostgreSQL and Redis',
			takes: '20 minutes',
		},
	},
	bench: {
		watch: {
			program: 'bench/watch.ts',
			what: 'the schedule, in simulated time',
			takes: '5 seconds',
			flags: JSON_FLAG,
		},
		matrix: {
			program: 'bench/matrix.ts',
			what: 'the schedule in some eighty worlds, next to the one before it and an even round robin, in simulated time; with an expression the cells that match it',
			takes: '2 minutes',
			flags: JSON_FLAG,
			takesExpression: true,
		},
		picture: {
			program: 'bench/picture.ts',
			what: "draws docs/limits.md's picture from the schedule, in simulated time",
			takes: '5 seconds',
			flags: {},
		},
		waiting: {
			program: 'bench/waiting.ts',
			what: 'Wait for Completion, in simulated time',
			takes: '30 seconds',
			flags: JSON_FLAG,
		},
		processes: {
			program: 'bench/processes.ts',
			what: 'several processes with one key, in simulated time',
			takes: '7 seconds',
			flags: JSON_FLAG,
		},
		live: {
			program: 'bench/live.ts',
			what: 'a published trigger in a real n8n',
			takes: '20 minutes; a run 2 to 6',
		},
		durable: {
			program: 'bench/durable.ts',
			what: 'both poll engines of a real n8n',
			takes: '30 minutes; a run 4',
		},
	},
	check: {
		package: {
			program: 'tools/check-package/run.ts',
			what: "n8n's own scanner, on the source at HEAD and on the tarball; credentials; as a hint, the newest lint rules",
			takes: '1 minute',
		},
		strict: {
			program: 'tools/n8n-node/run.ts',
			what: "n8n's own tool, n8n-node lint, in strict mode on what is shipped: it demands its eslint.config.mjs unchanged",
			takes: '30 seconds; the first time 1 minute more',
			flags: {},
		},
		words: {
			program: 'tools/words/run.ts',
			what: 'words that are ruled out in documents, editor texts and code',
			takes: '5 seconds',
			flags: { '--strict': 'fails if there is such a word' },
		},
		histories: {
			program: 'tools/histories.ts',
			what: '100,000 random histories of each poll engine',
			takes: '70 minutes',
		},
		mutants: {
			program: 'tools/mutants/run.ts',
			what: 'changes of the nodes that no test notices, in a random sample of 300',
			takes: '2 hours',
		},
	},
};

/** What `npm run check` does without a name. */
export const USUAL_CHECKS = [['package'], ['strict'], ['words', '--strict']];
