import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { PROJECT_FOLDER } from '../realN8n/machine/paths';
import { COMMANDS, USUAL_CHECKS } from './commands';

function helpOf(script: string, commands: (typeof COMMANDS)[keyof typeof COMMANDS]): string {
	const lines = Object.entries(commands).map(
		([name, { what, takes }]) => `  ${name.padEnd(10)} ${what} (${takes})`,
	);
	const usual =
		script === 'check'
			? `Without a name: ${USUAL_CHECKS.map(([name]) => name).join(' and ')}.\n`
			: '';
	return `npm run ${script} -- <name> [flags]

${lines.join('\n')}

${usual}The flags of each: npm run ${script} -- <name> --help
`;
}

/** Runs one program after the other, each in a process of its own. @returns whether all went well */
function runAll(programs: string[][]): boolean {
	const results = programs.map(
		([program = '', ...flags]) =>
			spawnSync(process.execPath, ['--import', 'tsx', join(PROJECT_FOLDER, program), ...flags], {
				stdio: 'inherit',
			}).status,
	);
	return results.every((status) => status === 0);
}

async function main(): Promise<void> {
	const [script = '', name] = process.argv.slice(2);
	const commands = Object.entries(COMMANDS).find(([each]) => each === script)?.[1] ?? {};
	const command = commands[name ?? ''];
	if (command !== undefined) {
		process.argv.splice(2, 2);
		await import(join(PROJECT_FOLDER, command.program));
	} else if (name === undefined && script === 'check') {
		const programs = USUAL_CHECKS.map(([each = '', ...usual]) => [
			commands[each]?.program ?? '',
			...usual,
		]);
		process.exitCode = runAll(programs) ? 0 : 1;
	} else if (name === undefined || name === '--help') {
		process.stdout.write(helpOf(script, commands));
	} else {
		process.stderr.write(`There is no "${name}".\n\n${helpOf(script, commands)}`);
		process.exitCode = 1;
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
