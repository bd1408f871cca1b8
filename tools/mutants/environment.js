const ProcessEnvironment = require('../../test/environment.js');

/** The mutant that a test has noticed. */
let killed;

/** The environment of all tests; once one has noticed the mutant that is active, it skips the others. Jest itself cannot stop in Stryker. */
module.exports = class extends ProcessEnvironment {
	async handleTestEvent({ name, test }) {
		const { __STRYKER_ACTIVE_MUTANT__: mutant } = process.env;
		if (mutant === undefined) return;
		if (name === 'test_fn_failure') killed = mutant;
		if (name === 'test_start' && killed === mutant) test.mode = 'skip';
	}
};
