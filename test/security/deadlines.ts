/** AbortSignal.timeout in the hands of a test: time passes when the test says so. Undone by jest.restoreAllMocks. */
export function deadlines(): { asked: number[]; pass(): void } {
	const asked: number[] = [];
	const waiting: AbortController[] = [];
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		asked.push(ms);
		const controller = new AbortController();
		waiting.push(controller);
		return controller.signal;
	});
	return {
		asked,
		pass: () => {
			for (const controller of waiting.splice(0))
				controller.abort(new DOMException('The time is over', 'TimeoutError'));
		},
	};
}
