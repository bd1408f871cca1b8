/** A file of tests as Jest hands it to reporters, as far as it is read. */
interface TestFile {
	displayName?: { name: string };
	testResults: Array<{ status: string }>;
	testExecError?: unknown;
}

declare class SecurityReporter {
	onRunComplete(contexts: Set<unknown>, results: { testResults: TestFile[] }): void;
}

export = SecurityReporter;
