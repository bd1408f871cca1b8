const { default: Sequencer } = require('@jest/test-sequencer');

/** What takes minutes; its files are small, and by their size Jest would begin them last. */
const TAKES_LONG = /durableHistories|histories\/histories|keepChecking|security\/growth/;

module.exports = class extends Sequencer {
	sort(tests) {
		const isShort = ({ path }) => Number(!TAKES_LONG.test(path));
		return [...super.sort(tests)].sort((one, other) => isShort(one) - isShort(other));
	}
};
