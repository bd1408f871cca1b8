import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { PROJECT_FOLDER } from '../../realN8n/machine/paths';

/** What the process of the simulated day had in memory at one moment. */
export interface DaySample {
	hour: number;
	/** After everything free was freed. */
	heapBytes: number;
	/** Static data of the workflow, as JSON. */
	stateBytes: number;
	/** Entries of each Map, Set and list that module-level variables lead to, summed over places of the same kind. */
	collections: Record<string, number>;
	/** Orders that were emitted, emitted again, and all that have finished so far and were watched long enough. */
	emitted: number;
	twice: number;
	finished: number;
	requests: number;
	refused: number;
}

/** What it had in memory after so many workflows had been published and unpublished again, half of them with one key. */
export interface ChurnSample {
	workflows: number;
	heapBytes: number;
	collections: Record<string, number>;
}

export interface DayFigures {
	samples: DaySample[];
	churned: ChurnSample[];
	tookSeconds: number;
}

/** Lets the shipped modules live through a day of simulated time, in a process of their own, whose heap nothing else uses. */
export async function runDay(say: (line: string) => void): Promise<DayFigures> {
	const child = spawn(
		process.execPath,
		['--expose-gc', '--import', 'tsx', join(__dirname, 'dayProcess.ts')],
		{
			cwd: PROJECT_FOLDER,
			stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
		},
	);
	let figures: DayFigures | null = null;
	child.on('message', (message: { sample?: DaySample; figures?: DayFigures }) => {
		if (message.sample)
			say(
				`  hour ${message.sample.hour}: ${message.sample.emitted} orders emitted, ${message.sample.requests} requests`,
			);
		if (message.figures) figures = message.figures;
	});
	const [code] = (await once(child, 'exit')) as [number | null];
	if (code !== 0 || figures === null)
		throw new Error(`The simulated day ended with ${String(code)}`);
	return figures;
}
