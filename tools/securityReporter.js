/**
 * Ends a run of the suite security with one line: how many probes there were, and how many came through. A probe is a test;
 * one that fails is through. Whether the run has failed is for Jest to say.
 */
module.exports = class SecurityReporter {
	/** Called by Jest at the end of a run. */
	onRunComplete(_contexts, { testResults }) {
		const line = summaryOf(
			testResults.filter(({ displayName }) => displayName?.name === 'security'),
		);
		if (line !== null) process.stderr.write(`${line}\n`);
	}
};

/** @returns {string | null} null: none of the suite was run */
function summaryOf(files) {
	const probes = files
		.flatMap(({ testResults }) => testResults)
		.filter(({ status }) => status === 'passed' || status === 'failed');
	const broken = files.filter(({ testExecError }) => testExecError !== undefined).length;
	if (probes.length + broken === 0) return null;
	const through = probes.filter(({ status }) => status === 'failed').length;
	const unusable = broken === 0 ? '' : `, ${broken} files of them could not be run`;
	return `\nSecurity: ${probes.length} probes, ${through} through${unusable}`;
}
