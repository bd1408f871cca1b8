import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');
const FOLDER = path.join(ROOT, '.github', 'workflows');
const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

const workflows = fs.readdirSync(FOLDER).map((name) => ({ name, text: fs.readFileSync(path.join(FOLDER, name), 'utf8') }));

function textOf(name: string): string {
	return workflows.find((workflow) => workflow.name === name)?.text ?? '';
}

/** The part of a workflow that belongs to one job. */
function jobOf(text: string, job: string): string {
	const [, rest = ''] = text.split(`\n  ${job}:\n`);
	return rest.split(/\n {2}\S/)[0] ?? '';
}

test('there is one workflow for changes and one for publishing', () => {
	expect(workflows.map(({ name }) => name).sort()).toEqual(['ci.yml', 'publish.yml']);
});

describe.each(workflows)('$name', ({ text }) => {
	test('every action is pinned by its commit, with the version beside it', () => {
		const uses = [...text.matchAll(/uses:\s*(.+)/g)].map(([, action = '']) => action);
		expect(uses.length).toBeGreaterThan(0);
		for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	});

	test('permissions are set, and nothing may be written but by the job that publishes', () => {
		expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)$/m);
		expect(text.replace(jobOf(text, 'publish'), '')).not.toMatch(/:\s*write/);
	});

	test('the commands that it calls exist', () => {
		const called = [...text.matchAll(/run: (?:npm run ([\w:]+)|npm (test)|(\.ci\/run))/g)].map(([, script, test, file]) => script ?? test ?? file ?? '');
		expect(called.length).toBeGreaterThan(0);
		for (const name of called) expect(name in scripts || fs.existsSync(path.join(ROOT, name))).toBe(true);
	});

	test('no key or token is in it or handed to it', () => {
		expect(text).not.toMatch(/secrets\.|_authToken|NODE_AUTH_TOKEN/);
	});

	test('what somebody else writes (titles, branch names) is put into no command', () => {
		for (const [, command = ''] of text.matchAll(/run: (.+)/g)) expect(command).not.toContain('${{');
	});
});

test('a version is published from its tag alone, by OIDC with provenance, after lint, tests and check, and scanned afterwards', () => {
	const text = textOf('publish.yml');
	expect(text).toContain("tags: ['v[0-9]+.[0-9]+.[0-9]+']");
	expect(text).not.toMatch(/pull_request|workflow_dispatch/);
	const check = jobOf(text, 'check');
	for (const command of ['npm ci', 'npm run lint', 'npm test', 'npm run check:package']) expect(check).toContain(`- run: ${command}\n`);
	const publish = jobOf(text, 'publish');
	expect(publish).toContain('needs: check');
	expect(publish).toContain('id-token: write');
	expect(publish).toContain('npm publish --provenance');
	const scan = jobOf(text, 'scan');
	expect(scan).toContain('needs: publish');
	expect(scan).toContain('npm run check:package -- --published');
});
