/** Instead of a package that takes long to load: what Node loads of it once for all test files of a worker (environment.js). */
module.exports = {
	process: (_source, file) => ({ code: `module.exports = requireOnce(${JSON.stringify(file)});` }),
};
