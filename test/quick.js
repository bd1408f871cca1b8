/** Which test files `npm test` runs: those that do not say in their name that they take long, which is more than about five seconds. */
module.exports = (paths) => ({
	filtered: paths.filter((path) => !path.endsWith('.long.test.ts')).map((test) => ({ test })),
});
