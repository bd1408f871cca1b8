/** Always Output Data put an empty item on the first of several outputs until n8n 3.0, as n8n's list of breaking changes says. */
describe('the empty item of Always Output Data', () => {
	beforeEach(() => jest.resetModules());

	test.each([
		['1.120.31', true],
		['2.41.1', true],
		['3.0.0', false],
		['10.2.0', false],
	])('n8n-workflow %s: %s', async (version, isAdded) => {
		jest.doMock('n8n-workflow/package.json', () => ({ version }));
		const { putsEmptyItemOnFirstOutput } =
			await import('../../../nodes/CrossChainBridge/n8n/internals');
		expect(await putsEmptyItemOnFirstOutput()).toBe(isAdded);
	});
});
