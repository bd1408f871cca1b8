import fs from 'node:fs';
import path from 'node:path';

/** In each test file: writes down which mutants each of its tests has passed by. */

interface Tracking {
	currentTestId?: string;
	mutantCoverage?: {
		static: Record<string, number>;
		perTest: Record<string, Record<string, number>>;
	};
}

/** The name that the instrumented code uses. */
const holder = globalThis as unknown as { __stryker__?: Tracking };
const tracking = (holder.__stryker__ ??= {});

beforeEach(() => void (tracking.currentTestId = expect.getState().currentTestName));
afterEach(() => void delete tracking.currentTestId);

afterAll(() => {
	const { MUTANTS_COVERAGE: folder } = process.env;
	if (folder === undefined) return;
	const { testPath = '' } = expect.getState();
	const { perTest = {}, static: loading = {} } = tracking.mutantCoverage ?? {};
	const tests = Object.fromEntries(
		Object.entries(perTest).map(([name, mutants]) => [name, Object.keys(mutants)]),
	);
	fs.writeFileSync(
		path.join(folder, `${path.basename(testPath)}-${process.pid}-${performance.now()}.json`),
		JSON.stringify({ testPath, loading: Object.keys(loading), tests }),
	);
});
