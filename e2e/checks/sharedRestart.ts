import type { Rehearsal } from '../../realN8n/rehearsal/rehearsal';

interface Waiting {
	whileDown: () => Promise<void>;
	resolve: () => void;
	reject: (error: unknown) => void;
}

/** Resolves when n8n has been restarted; `whileDown` runs while it is not there. */
export type TakePart = (whileDown?: () => Promise<void>) => Promise<void>;

/** One restart of n8n for several checks that run side by side: it comes when all of them have asked for it or are done. */
export class SharedRestart {
	private readonly waiting: Waiting[] = [];
	private hasCome = false;

	/** @param parties how many checks there are */
	constructor(
		private readonly rehearsal: Rehearsal,
		private parties: number,
	) {}

	/** Runs a check that may take part; whatever becomes of it, the others are not kept waiting for it. */
	async party(check: (takePart: TakePart) => Promise<void>): Promise<void> {
		let isTakingPart = false;
		try {
			await check(async (whileDown = async () => undefined) => {
				isTakingPart = true;
				await this.join(whileDown);
			});
		} finally {
			if (!isTakingPart) {
				this.parties -= 1;
				this.restartIfAllAreThere();
			}
		}
	}

	private async join(whileDown: () => Promise<void>): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			this.waiting.push({ whileDown, resolve, reject });
			this.restartIfAllAreThere();
		});
	}

	private restartIfAllAreThere(): void {
		if (this.hasCome || this.waiting.length < this.parties || this.waiting.length === 0) return;
		this.hasCome = true;
		const all = [...this.waiting];
		this.rehearsal
			.restartN8n(async () => {
				for (const { whileDown } of all) await whileDown();
			})
			.then(
				() => all.forEach(({ resolve }) => resolve()),
				(error: unknown) => all.forEach(({ reject }) => reject(error)),
			);
	}
}
