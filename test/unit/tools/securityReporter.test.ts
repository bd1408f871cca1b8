import SecurityReporter from '../../../tools/securityReporter';

interface File {
	displayName: { name: string };
	testResults: Array<{ status: string }>;
	testExecError?: Error;
}

function fileOf(name: string, ...statuses: string[]): File {
	return { displayName: { name }, testResults: statuses.map((status) => ({ status })) };
}

/** What a run with these files prints last. */
function lineAfter(...testResults: File[]): string | null {
	const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
	new SecurityReporter().onRunComplete(new Set(), { testResults });
	const lines = write.mock.calls.map(([line]) => String(line));
	write.mockRestore();
	return lines[0] ?? null;
}

test('probes that were withstood and those that came through are counted, those of other suites and skipped ones are not', () => {
	const line = lineAfter(
		fileOf('security', 'passed', 'passed', 'pending'),
		fileOf('security', 'failed'),
		fileOf('unit', 'failed'),
	);
	expect(line).toContain('Security: 3 probes, 1 through\n');
});

test('a file that could not be run is named, since its probes are in no number', () => {
	expect(
		lineAfter({ ...fileOf('security'), testExecError: new Error('no such module') }),
	).toContain('0 probes, 0 through, 1 files of them could not be run');
});

test('a run without the suite says nothing', () => {
	expect(lineAfter(fileOf('unit', 'passed'))).toBeNull();
});
