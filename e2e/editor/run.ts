import { parseArgs } from 'node:util';

import { selectors } from 'playwright-core';

import { releaseOf } from '../../realN8n/install/releases';
import { isPortTaken } from '../../realN8n/machine/ports';
import { withTemporaryRehearsal } from '../../realN8n/rehearsal/temporary';
import { CheckList } from '../checks/checkList';
import { launchChromium } from './chromium';
import { Editor } from './editor';
import { examplesPath } from './examplesPath';
import { fieldsPath } from './fieldsPath';
import { Gallery, PICTURES_FOLDER } from './gallery';
import { quotePath } from './quotePath';
import { searchPath } from './searchPath';
import { importPath } from './importPath';
import { junkPath } from './junkPath';
import { messagePath } from './messagePath';
import { orderPath } from './orderPath';
import type { EditorStage } from './stage';
import { waitPath } from './waitPath';
import { webhookPath } from './webhookPath';

const PATHS: Record<string, (stage: EditorStage) => Promise<void>> = {
	import: importPath,
	search: searchPath,
	quote: quotePath,
	order: orderPath,
	junk: junkPath,
	wait: waitPath,
	webhook: webhookPath,
	message: messagePath,
	fields: fieldsPath,
	examples: examplesPath,
};

/** The n8n lines whose editor is walked through. The pictures of the documents are those of the first. */
const LINES = ['2.41', '2.8'];
const [DEFAULT_LINE = ''] = LINES;

/** The ports of `npm start` without flags. */
const USUAL_PORTS = { n8n: 5678, sandbox: 4010 };

const HELP = `npm run e2e -- editor [flags]

What a person does in n8n's editor, in a real n8n and a Chromium of this machine (or the one that the
environment variable CHROMIUM_PATH names). Pictures of each step are in .cache/editor. The last line is
"N passed, N failed".

  --n8n <line>    ${LINES.join(' or ')} (default ${DEFAULT_LINE})
  --only <paths>  some of the paths, with commas between: ${Object.keys(PATHS).join(', ')}
  --keep-images   put the pictures that the documents show into docs/images and examples/images (n8n ${DEFAULT_LINE} only)
  --help          this text
`;

/** @throws with a sentence when one of them is taken */
async function usualPorts(): Promise<typeof USUAL_PORTS> {
	for (const port of Object.values(USUAL_PORTS)) {
		if (await isPortTaken(port))
			throw new Error(
				`Port ${port} is taken. The pictures show it, so end the program that has it.`,
			);
	}
	return USUAL_PORTS;
}

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			n8n: { type: 'string', default: DEFAULT_LINE },
			only: { type: 'string' },
			'keep-images': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	if (!LINES.includes(flags.n8n))
		throw new Error(`The paths are for n8n ${LINES.join(' and ')}. Try --help.`);
	if (flags['keep-images'] && flags.n8n !== DEFAULT_LINE)
		throw new Error(`The pictures of the documents are those of n8n ${DEFAULT_LINE}.`);
	const only = flags.only?.split(',') ?? Object.keys(PATHS);
	const unknown = only.filter((name) => PATHS[name] === undefined);
	if (unknown.length > 0) throw new Error(`There is no path "${unknown.join(', ')}". Try --help.`);
	const paths = Object.entries(PATHS).filter(([name]) => only.includes(name));

	const say = (line: string) => console.log(line);
	const checks = new CheckList(say);
	const release = releaseOf(flags.n8n);
	selectors.setTestIdAttribute('data-test-id');
	const browser = await launchChromium();
	try {
		// in the documents' pictures n8n and the sandbox have the addresses that they have for a reader
		const ports = flags['keep-images'] ? await usualPorts() : null;
		const sandbox = { port: ports?.sandbox, requestsPerMinute: 0 };
		await withTemporaryRehearsal(
			{ release, n8nPort: ports?.n8n, sandbox, say },
			async (rehearsal) => {
				const editor = await Editor.open(browser, rehearsal.n8n.url, release.line);
				const gallery = new Gallery(editor.page, flags['keep-images']);
				await checks.check('a person signs in', async () => await editor.signIn());
				for (const [name, run] of paths) {
					say(`${name}, in the editor of n8n ${release.version}`);
					await run({ rehearsal, checks, editor, gallery });
				}
			},
		);
	} finally {
		await browser.close();
	}
	say(`Pictures: ${PICTURES_FOLDER}`);
	say(checks.summary);
	process.exitCode = checks.allPassed ? 0 : 1;
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
