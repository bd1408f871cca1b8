import { type Command, COMMANDS } from '../../../tools/commands';
import { runCommand } from '../../../tools/runCommand';

/** As it is called from a shell. @returns what it prints */
async function printedBy(...args: string[]): Promise<string> {
	const { argv } = process;
	const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
	process.argv = [...argv.slice(0, 1), 'tools/command.ts', ...args];
	try {
		await runCommand();
		return write.mock.calls.map(([text]) => String(text)).join('');
	} finally {
		process.argv = argv;
		write.mockRestore();
	}
}

const commands = Object.entries(COMMANDS).flatMap(([script, named]) =>
	Object.entries(named).map(([name, command]): [string, string, Command] => [
		script,
		name,
		command,
	]),
);

test.each(commands)(
	'npm run %s -- %s --help prints its usage and does nothing else',
	async (script, name) => {
		const printed = await printedBy(script, name, '--help');
		expect(printed).toMatch(new RegExp(`^npm run ${script} -- ${name}(?: \\[flags\\])?\n\n\\S`));
		expect(printed).toMatch(/^ {2}--\w|^No flags\.$/m);
		expect(process.exitCode ?? 0).toBe(0);
	},
);

test.each(commands.filter(([, , { flags }]) => flags !== undefined))(
	'npm run %s -- %s does nothing with a flag that it has not',
	async (script, name) => {
		await expect(printedBy(script, name, '--hlep')).rejects.toThrow('There is no flag "--hlep"');
	},
);

test.each(Object.keys(COMMANDS))('npm run %s -- --help lists all its commands', async (script) => {
	const printed = await printedBy(script, '--help');
	for (const [, name, { takes }] of commands.filter(([each]) => each === script))
		expect(printed).toMatch(new RegExp(`^ {2}${name} .*\\(${takes}\\)$`, 'm'));
});
