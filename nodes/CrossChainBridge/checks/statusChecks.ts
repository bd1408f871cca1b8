import { needsTheUser, type ServiceError } from '../service/errors';
import type { BridgeService } from '../service/service';
import type { Clock, Permit } from '../budget/requestBudget';
import { Circuit } from './circuit';
import { type CheckOutcome, checkOutcome } from './outcome';

/** An order to check. Times in milliseconds since 1970. */
export interface OpenOrder {
	sourceHash: string;
	/** When it began, as whoever posted it says. */
	startedAt?: number;
	/** When it was posted: the best guess of its beginning. */
	postedAt?: number;
}

/** An open order, with when the service last answered for it; milliseconds since 1970. */
interface CheckedOrder extends OpenOrder {
	answeredAt?: number;
}

/** What checks and probes have shown since they were last read. */
export interface Findings {
	/** Checks that the service has answered. */
	answered: number;
	/** Whether one of them has shown an order, which only the service can do: any server answers 404. */
	hasShownOrder: boolean;
	/** What kept the last unanswered one from being answered. */
	error: ServiceError | null;
}

const NOTHING_FOUND: Findings = { answered: 0, hasShownOrder: false, error: null };

/** What a probe of the configuration has shown; 'notSent' where the budget had no room, or nobody waits for it any more. */
export type Probed = 'sound' | 'notSent' | ServiceError;

export interface StatusChecksOptions {
	/** Called when the configuration says that the user has to correct key or address. */
	onAccountError(error: ServiceError): void;
	/** Called when the credential leads to another account than before. */
	onMoved(): void;
}

/** Sends single status checks and probes of the configuration, and knows what they showed. When to send is the Checker's business. */
export class StatusChecks {
	readonly circuit = new Circuit();

	/** The open orders by hash key. */
	readonly orders = new Map<string, CheckedOrder>();

	private found = NOTHING_FOUND;

	private probing: Promise<Probed> | null = null;

	constructor(
		public service: BridgeService,
		private readonly clock: Clock,
		private readonly options: StatusChecksOptions,
	) {}

	/** The findings, which begin again with this. */
	takeFindings(): Findings {
		const { found } = this;
		this.found = NOTHING_FOUND;
		return found;
	}

	/** Resolves when no probe is in flight. */
	async probed(): Promise<void> {
		await this.probing;
	}

	/** Sends one check. Null where it was not sent, or nobody waits for it any more. */
	async check(key: string, permit: Permit, signal: AbortSignal): Promise<CheckOutcome | null> {
		const order = this.orders.get(key);
		if (order === undefined || this.circuit.error !== null) {
			permit.release();
			return null;
		}
		const { budget } = this.service;
		const answer = await this.service.status(order.sourceHash, { permit, signal });
		if (signal.aborted || this.orders.get(key) !== order) return null;
		if (budget !== this.service.budget) {
			// The service itself may have found out that the credential was edited.
			if (!answer.ok && answer.error.kind === 'moved') this.options.onMoved();
			return null;
		}
		const outcome = checkOutcome(answer);
		this.note(order, outcome);
		return outcome;
	}

	/** Asks the configuration whether key and address work, if the budget has room now; one at a time. */
	async probe(): Promise<Probed> {
		this.probing ??= this.askConfiguration().finally(() => (this.probing = null));
		return await this.probing;
	}

	/** What the outcome says of the service, besides of this order. */
	private note(order: CheckedOrder, outcome: CheckOutcome): void {
		const isSuspect = outcome.kind === 'orderError' && outcome.isSuspect;
		if (isSuspect) this.circuit.suspect();
		if (isSuspect && this.circuit.isProbeDue(this.clock.now())) void this.probe();
		if (outcome.kind === 'transient' || isSuspect) {
			this.found = { ...this.found, error: outcome.error };
			return;
		}
		this.found = {
			...this.found,
			answered: this.found.answered + 1,
			hasShownOrder: this.found.hasShownOrder || outcome.kind === 'order',
		};
		this.circuit.answered();
		order.answeredAt = Date.now();
	}

	private async askConfiguration(): Promise<Probed> {
		const { budget } = this.service;
		const permit = this.service.tryAcquire();
		if (permit === null) return 'notSent';
		const answer = await this.service.config(undefined, { permit });
		if (!answer.ok && answer.error.kind === 'moved') this.options.onMoved();
		if (budget !== this.service.budget) return 'notSent';
		const now = this.clock.now();
		if (answer.ok) {
			this.circuit.probed(null, false, now);
			return 'sound';
		}
		const isAccount = needsTheUser(answer.error, 'config');
		this.circuit.probed(answer.error, isAccount, now);
		if (isAccount) this.options.onAccountError(answer.error);
		return answer.error;
	}
}
