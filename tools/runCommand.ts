import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { PROJECT_FOLDER } from '../realN8n/machine/paths';
import { type Command, COMMANDS, USUAL_CHECKS } from './commands';

function helpOf(script: string, commands: Readonly<Record<string, Command>>): string {
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

/** The help of a program that prints none itself. */
function helpFor(
	called: string,
	{ what, takes }: Command,
	flags: Readonly<Record<string, string>>,
): string {
	const lines = Object.entries(flags).map(([flag, does]) => `  ${flag.padEnd(10)} ${does}`);
	return `${called}${lines.length > 0 ? ' [flags]' : ''}

${what} (${takes})

${lines.length > 0 ? lines.join('\n') : 'No flags.'}
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

/** Runs a program in this process, with the flags that it was given, unless these ask for its help or it has no such flag. */
async function runProgram(called: string, command: Command): Promise<void> {
	const given = process.argv.slice(4);
	const { flags, takesExpression = false } = command;
	const isKnown = (flag: string): boolean =>
		flags === undefined || flag in flags || (takesExpression && !flag.startsWith('--'));
	const unknown = given.find((flag) => !isKnown(flag));
	if (flags !== undefined && given.includes('--help')) {
		process.stdout.write(helpFor(called, command, flags));
	} else if (unknown !== undefined) {
		throw new Error(`There is no flag "${unknown}". Try --help.`);
	} else {
		process.argv.splice(2, 2);
		await import(join(PROJECT_FOLDER, command.program));
	}
}

/** Does what the command line asks for: a script of package.json, the name of one of its commands, and flags. */
export async function runCommand(): Promise<void> {
	const [script = '', name] = process.argv.slice(2);
	const commands = Object.entries(COMMANDS).find(([each]) => each === script)?.[1] ?? {};
	const command = commands[name ?? ''];
	if (command !== undefined) {
		await runProgram(`npm run ${script} -- ${name}`, command);
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
