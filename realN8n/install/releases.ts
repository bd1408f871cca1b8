import { join } from 'node:path';

import { RELEASES_FOLDER } from '../machine/paths';
import { nodeRuntimeFor, OWN_NODE_MAJOR, type NodeMajors, type NodeRuntime } from './nodeRuntime';

/** The n8n lines that whole servers are run of. */
export type N8nLine = '2.8' | '2.41';

/** One whole n8n: where it is installed and what it needs. */
export interface N8nRelease {
	line: N8nLine;
	version: string;
	/** Folder with its own package.json and lockfile. */
	folder: string;
	/** Modules that must be compiled (or unpacked) after an installation without scripts. */
	nativeModules: string[];
	/** Whether it has the durable poll engine, and with it one copy of the static data for each trigger. */
	hasDurableEngine: boolean;
	nodeMajors: NodeMajors;
	/** Environment that only this release knows: parts that would call the outside are switched off. */
	env: Record<string, string>;
}

export const RELEASES: Record<N8nLine, N8nRelease> = {
	'2.8': {
		line: '2.8',
		version: '2.8.4',
		folder: join(RELEASES_FOLDER, 'n8n-2.8'),
		nativeModules: ['sqlite3'],
		hasDurableEngine: false,
		nodeMajors: { first: 20, last: 24 },
		env: {},
	},
	// The newest whole server whose packages are all in the registry.
	'2.41': {
		line: '2.41',
		version: '2.41.1',
		folder: join(RELEASES_FOLDER, 'n8n-2.41'),
		nativeModules: ['sqlite3', 'isolated-vm'],
		hasDurableEngine: true,
		nodeMajors: { first: 24, last: Number.POSITIVE_INFINITY },
		env: { N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,chat-hub,agents,agent-evals' },
	},
};

/** All lines, as the help of a command names them. */
export const LINE_NAMES = Object.keys(RELEASES).join(', ');

/** The newest n8n that fits the Node.js this process runs on: 2.8.4 up to Node 23, 2.41.1 from Node 24 on. */
export function releaseForThisNode(): N8nRelease {
	return RELEASES[OWN_NODE_MAJOR >= RELEASES['2.41'].nodeMajors.first ? '2.41' : '2.8'];
}

/** @throws when the text is none of the lines. */
export function releaseOf(line: string): N8nRelease {
	const release = Object.values(RELEASES).find(
		(each) => each.line === line || each.version === line,
	);
	if (release) return release;
	throw new Error(`There is no n8n ${line} here, only ${LINE_NAMES}.`);
}

/**
 * The Node.js that runs a release: this one, or the packaged one of the release's folder.
 * @throws when neither fits; the release must be installed before.
 */
export function nodeRuntimeOf(release: N8nRelease): NodeRuntime {
	return nodeRuntimeFor(`n8n ${release.version}`, release);
}
