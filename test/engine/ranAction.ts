import type { IDataObject } from 'n8n-workflow';

import { type ActionOptions, runAction } from './n8n';
import type { Rehearsal } from './sandboxed';

/** Runs the action node; its first item, its error, and its hints in one text. */
export async function ranAction(
	{ credentials }: Rehearsal,
	parameters: IDataObject,
	options: ActionOptions = {},
) {
	const { outputs, error, run } = await runAction(credentials, parameters, options);
	const hints = run.data.resultData.runData.Bridge?.[0]?.hints ?? [];
	return {
		outputs,
		item: outputs.flat()[0]?.json,
		error,
		hints: hints.map(({ message }) => message).join(' '),
	};
}
