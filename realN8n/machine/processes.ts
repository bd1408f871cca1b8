import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

interface RunOptions {
	cwd: string;
	env?: NodeJS.ProcessEnv;
	/** true: the command writes straight to this terminal, all of it to standard error. Default: its output is only returned. */
	visible?: boolean;
}

/**
 * Runs a command until it exits and returns what it wrote to standard output.
 * @throws with the last lines of its output when it ends with another code than 0 or cannot be started.
 */
export async function run(command: string, args: string[], options: RunOptions): Promise<string> {
	const child = spawn(command, args, {
		cwd: options.cwd,
		env: options.env ?? process.env,
		stdio: options.visible
			? ['inherit', process.stderr, process.stderr]
			: ['ignore', 'pipe', 'pipe'],
		// npm is a batch file there, which only a shell starts
		shell: process.platform === 'win32',
	});
	let output = '';
	let errors = '';
	child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
	child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
	const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
	if (code === 0) return output;
	throw new Error(
		`${command} ${args.join(' ')} ended with ${code ?? signal}\n${lastLines(output + errors, 40)}`.trim(),
	);
}

/** The last lines of a text, for messages about a program that failed. */
export function lastLines(text: string, count: number): string {
	return text.trimEnd().split('\n').slice(-count).join('\n');
}

/** Whether a child process is still there. */
export function isRunning(child: ChildProcess): boolean {
	return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/**
 * Sends a signal to a child that was started with `detached`, and to what it started itself: such a child
 * leads a process group of its own (Windows has none: there only the child itself).
 */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal);
	} catch (error) {
		// ESRCH: it ended in this very moment, which is what was wanted
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
	}
}

/** Ends a detached child: asks it to, and after the grace period makes it. Resolves when it has exited. */
export async function endProcess(child: ChildProcess, graceMilliseconds: number): Promise<void> {
	if (!isRunning(child)) return;
	const ended = once(child, 'exit');
	signalGroup(child, 'SIGTERM');
	const deadline = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMilliseconds);
	await ended;
	clearTimeout(deadline);
}
