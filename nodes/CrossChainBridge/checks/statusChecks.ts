import { needsTheUser, type ServiceError } from '../service/errors';
import type { BridgeService } from '../service/service';
import type { Clock, Permit } from '../budget/requestBudget';
import { Circuit } from './circuit';
import { type CheckOutcome, outcomeOf } from './outcome';

/** An order to check. Times in milliseconds since 1970. */
export interface OpenOrder {
	sourceHash: string;
	/** When it began, as whoever posted it says. */
	startedAt?: number;
	/** When it was posted: the best guess of its beginning. */
	postedAt?: number;
	/** Minimum time between its checks, where it is not that of all. */
	intervalMs?: number;
}

/** What is known of the checks of one open order; milliseconds since 1970. */
export interface CheckedOrder extends OpenOrder {
	checkedAt?: number;
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
	/** Called for what each check has shown, by hash key. */
	onOutcome(key: string, outcome: CheckOutcome): void;
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

	/** How long the last answers took, or time-outs, so that a caller can ask in time to have them fresh. */
	onAnswerTime: (ms: number) => void = () => undefined;

	private readonly inFlight = new Set<Promise<unknown>>();

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

	/** Resolves when nothing is in flight. */
	async settled(): Promise<void> {
		await Promise.all(this.inFlight);
	}

	/**
	 * Sends one check and passes on what it shows, to `learn` first: whoever gets the outcome may drop the order at once. null where
	 * it was not sent, or nobody waits for it any more.
	 */
	async check(
		key: string,
		permit: Permit,
		signal?: AbortSignal,
		learn?: (outcome: CheckOutcome) => void,
	): Promise<CheckOutcome | null> {
		const order = this.orders.get(key);
		if (order === undefined || this.circuit.error !== null) {
			permit.release();
			return null;
		}
		const { budget } = this.service;
		const sentAt = this.clock.now();
		order.checkedAt = sentAt;
		const asking = this.service.status(order.sourceHash, { permit, signal });
		this.inFlight.add(asking);
		const answer = await asking.finally(() => this.inFlight.delete(asking));
		if (signal?.aborted === true || this.orders.get(key) !== order) return null;
		if (budget !== this.service.budget) {
			// The answer of an account that is no longer in use; or the service itself has found out that the credential was edited.
			if (!answer.ok && answer.error.kind === 'moved') this.options.onMoved();
			return null;
		}
		this.onAnswerTime(this.clock.now() - sentAt);
		const outcome = outcomeOf(answer);
		const isSuspect = outcome.kind === 'orderError' && outcome.isSuspect;
		if (outcome.kind === 'transient' || isSuspect)
			this.found = { ...this.found, error: outcome.error };
		else {
			const { answered, hasShownOrder, error } = this.found;
			this.found = {
				answered: answered + 1,
				hasShownOrder: hasShownOrder || outcome.kind === 'order',
				error,
			};
			this.circuit.sound();
			order.answeredAt = Date.now();
		}
		if (isSuspect) this.circuit.suspect();
		learn?.(outcome);
		this.options.onOutcome(key, outcome);
		return outcome;
	}

	/** Asks the configuration whether key and address work, if the budget has room now; one at a time. */
	async probe(signal?: AbortSignal): Promise<Probed> {
		this.probing ??= this.askConfiguration(signal).finally(() => (this.probing = null));
		return await this.probing;
	}

	private async askConfiguration(signal?: AbortSignal): Promise<Probed> {
		const { budget } = this.service;
		const permit = budget.tryAcquire('interactive');
		if (permit === null) return 'notSent';
		const answer = await this.service.config(undefined, { permit, signal });
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
