import path from 'node:path';

import { COMMANDS, USUAL_CHECKS } from '../../tools/commands';
import { filesIn, read } from './files';

const workflows = filesIn('.github/workflows', /./).map((file) => ({
	name: path.basename(file),
	text: read(file),
}));

function textOf(name: string): string {
	return workflows.find((workflow) => workflow.name === name)?.text ?? '';
}

/** The part of a workflow that belongs to one job. */
function jobOf(text: string, job: string): string {
	const [, rest = ''] = text.split(`\n  ${job}:\n`);
	return rest.split(/\n {2}\S/)[0] ?? '';
}

test('there is one workflow for changes, one for each night, one for each week and one that publishes', () => {
	const names = workflows.map(({ name }) => name.replace('.yml', ''));
	expect(names.sort()).toEqual(['ci', 'publish', 'weekly', 'whole']);
});

test('some workflow runs each command of npm run check and npm run e2e', () => {
	const all = [...workflows.map(({ text }) => text), read('.ci/run')].join('\n');
	const called = [...all.matchAll(/npm run (e2e|check) -- (\w+)/g)].map(([, ...names]) =>
		names.join(' '),
	);
	const commands = (['e2e', 'check'] as const).flatMap((script) =>
		Object.keys(COMMANDS[script]).map((name) => `${script} ${name}`),
	);
	const usual = USUAL_CHECKS.map(([name = '']) => `check ${name}`);
	expect(commands.filter((name) => ![...called, ...usual].includes(name))).toEqual([]);
});

test('n8n in queue mode is tested with the images of compose.yaml', () => {
	const images = [...textOf('weekly.yml').matchAll(/image: (\S+)/g)].map(([, image]) => image);
	expect(images).toHaveLength(2);
	for (const image of images) expect(read('compose.yaml')).toContain(`image: ${image}\n`);
});

test('everything is run each night, on demand and before a version is published', () => {
	const whole = textOf('whole.yml');
	for (const moment of ['schedule:', 'workflow_dispatch:', 'workflow_call:'])
		expect(whole).toContain(`\n  ${moment}\n`);
	expect(whole).toContain('- run: .ci/run\n');
	expect(jobOf(textOf('publish.yml'), 'whole')).toContain('uses: ./.github/workflows/whole.yml\n');
});

test('a change is checked on each Node.js that n8n runs on', () => {
	const ci = textOf('ci.yml');
	expect(ci).toContain('node: [20, 22, 24]\n');
	const commands = [
		'npm ci',
		'npm run lint',
		'npx prettier --check .',
		'npm run test:all',
		'npm run check',
	];
	for (const command of commands) expect(ci).toContain(`run: ${command}\n`);
});

describe.each(workflows)('$name', ({ text }) => {
	test('every action is pinned by its commit, with the version next to it', () => {
		const uses = [...text.matchAll(/uses:\s*(.+)/g)].map(([, action = '']) => action);
		expect(uses.length).toBeGreaterThan(0);
		for (const action of uses.filter((each) => each !== './.github/workflows/whole.yml'))
			expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	});

	test('permissions are set, and nothing may be written but by the job that publishes', () => {
		expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)$/m);
		expect(text.replace(jobOf(text, 'publish'), '')).not.toMatch(/:\s*write/);
	});

	test('no key or token is in it or handed to it', () => {
		expect(text).not.toMatch(/secrets\.|_authToken|NODE_AUTH_TOKEN/);
	});

	test('what somebody else writes (titles, branch names) is put into no command', () => {
		for (const [, command = ''] of text.matchAll(/run: (.+)/g))
			expect(command).not.toContain('${{');
	});
});

const publishFile = textOf('publish.yml');

test('a version is published only from its tag, which is on main, after lint, tests and scan, and scanned afterwards', () => {
	expect(publishFile).toContain("tags: ['v[0-9]+.[0-9]+.[0-9]+']");
	expect(publishFile).not.toMatch(/pull_request|workflow_dispatch|workflow_run/);
	const check = jobOf(publishFile, 'check');
	expect(check).toContain('fetch-depth: 0');
	expect(check).toContain('run: git merge-base --is-ancestor "$GITHUB_SHA" origin/main\n');
	expect(check).toContain(
		`run: test "$GITHUB_REF_NAME" = "v$(node -p "require('./package.json').version")"\n`,
	);
	for (const command of ['npm ci', 'npm run lint', 'npm run test:all'])
		expect(check).toContain(`- run: ${command}\n`);
	expect(jobOf(publishFile, 'publish')).toContain('needs: [check, whole]\n');
	const scan = jobOf(publishFile, 'scan');
	expect(scan).toContain('needs: publish');
	expect(scan).toContain('npm run check -- package --published');
});

test('what is published is the file that was packed before the tests, which the tests and the scanner were given', () => {
	const check = jobOf(publishFile, 'check');
	const steps = [
		'npm run build',
		'mv "$(npm pack --silent)" package.tgz',
		'npm run test:all\n        env:\n          PACKAGE_TARBALL: package.tgz',
		'check -- package --tarball package.tgz',
		'sha256sum --check',
		'actions/upload-artifact@',
	];
	expect(steps.map((step) => check.indexOf(step))).not.toContain(-1);
	expect(steps.map((step) => check.indexOf(step))).toEqual(
		steps.map((step) => check.indexOf(step)).sort((a, b) => a - b),
	);
	const publish = jobOf(publishFile, 'publish');
	expect(publish).toContain('SHA256: ${{ needs.check.outputs.sha256 }}');
	const order = [
		'actions/download-artifact@',
		'sha256sum --check --strict',
		'npm publish ./package.tgz --provenance --access public --ignore-scripts',
	].map((step) => publish.indexOf(step));
	expect(order).not.toContain(-1);
	expect(order).toEqual([...order].sort((a, b) => a - b));
});

test('the job that can sign as this repository runs nothing of ours, in an environment that GitHub protects', () => {
	const publish = jobOf(publishFile, 'publish');
	expect(publish).toMatch(/^ {4}environment: npm$/m);
	expect(publish.match(/permissions:\n(?: {6}.*\n)+/)?.[0].match(/^ {6}[\w-]+: \w+$/gm)).toEqual([
		'      id-token: write',
	]);
	expect(publish).not.toMatch(
		/actions\/checkout|npm (?:ci|i|install|run|test|exec|pack)\b|npx|node -/,
	);
	expect(publish.match(/run: .+/g)).toHaveLength(2);
	expect(publish).toMatch(/node-version: \d+\.\d+\.\d+$/m);
	expect(publishFile.replace(publish, '')).not.toContain('id-token');
});
