/** Runs checks one after another, says how each went, and counts. A check that fails stops no other. */
export class CheckList {
	private passed = 0;
	private failed = 0;

	constructor(private readonly say: (line: string) => void) {}

	/** @param body throws when what the name says is not so */
	async check(name: string, body: () => Promise<void>): Promise<void> {
		const start = Date.now();
		try {
			await body();
			this.passed += 1;
			this.say(`  ok      ${name} (${seconds(start)} s)`);
		} catch (error) {
			this.failed += 1;
			this.say(`  FAILED  ${name} (${seconds(start)} s)`);
			this.say(indented(error instanceof Error ? (error.stack ?? error.message) : String(error)));
		}
	}

	get allPassed(): boolean {
		return this.failed === 0 && this.passed > 0;
	}

	/** "N passed, N failed" */
	get summary(): string {
		return `${this.passed} passed, ${this.failed} failed`;
	}
}

function seconds(start: number): string {
	return ((Date.now() - start) / 1000).toFixed(1);
}

function indented(text: string): string {
	return text.replace(/^/gm, '          ');
}
