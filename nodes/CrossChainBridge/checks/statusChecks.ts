import type { Clock } from '../budget/clock';
import type { Permit } from '../budget/requestBudget';
import { needsTheUser, type ServiceError } from '../service/errors';
import type { BridgeService } from '../service/service';
import { Circuit } from './circuit';
import { type CheckOutcome, checkOutcome } from './outcome';

/** An order to check. Times in milliseconds since 1970. */
export interface OpenOrder {
	sourceHash: string;
	/** When it began, as whoever posted it says. */
	startedAt?: number;
	/** The best guess of its beginning. */
	postedAt?: number;
}

/** What checks and probes have shown since they were last read. */
export interface Findings {
	/** Checks to which the service has responded. */
	responses: number;
	/** Only the service can show an order: any server responds with 404. */
	hasShownOrder: boolean;
	/** Of the last check to which it has not responded. */
	error: ServiceError | null;
}

const NOTHING_FOUND: Findings = { responses: 0, hasShownOrder: false, error: null };

/** What the configuration has shown; 'notSent' where the budget had no room, or nobody waits for it any more. */
export type Probed = 'sound' | 'notSent' | ServiceError;

export interface StatusChecksOptions {
	/** The configuration says that the user has to correct key or address. */
	onAccountError(error: ServiceError): void;
	/** The credential leads to another account. */
	onMoved(): void;
}

/** Sends checks and probes of the configuration, and knows what they showed. */
export class StatusChecks {
	readonly circuit = new Circuit();

	/** By hash key. */
	readonly orders = new Map<string, OpenOrder>();

	private found = NOTHING_FOUND;

	private probing: Promise<Probed> | null = null;

	constructor(
		public service: BridgeService,
		private readonly clock: Clock,
		private readonly options: StatusChecksOptions,
	) {}

	/** What was found since the last call. */
	takeFindings(): Findings {
		const { found } = this;
		this.found = NOTHING_FOUND;
		return found;
	}

	async probed(): Promise<void> {
		await this.probing;
	}

	/** Null where the check was not sent, or nobody waits for it any more. */
	async check(key: string, permit: Permit, signal: AbortSignal): Promise<CheckOutcome | null> {
		const order = this.orders.get(key);
		if (order === undefined || this.circuit.error !== null) {
			permit.release();
			return null;
		}
		const { budget } = this.service;
		const response = await this.service.status(order.sourceHash, { permit, signal });
		if (signal.aborted || this.orders.get(key) !== order) return null;
		if (budget !== this.service.budget) {
			// The service itself may have found out that the credential was edited.
			if (!response.ok && response.error.kind === 'moved') this.options.onMoved();
			return null;
		}
		const outcome = checkOutcome(response);
		this.note(outcome);
		return outcome;
	}

	/** Asks the configuration whether key and address work, if the budget has room now; one at a time. */
	async probe(): Promise<Probed> {
		this.probing ??= this.askConfiguration().finally(() => (this.probing = null));
		return await this.probing;
	}

	private note(outcome: CheckOutcome): void {
		const isSuspect = outcome.kind === 'orderError' && outcome.isSuspect;
		if (isSuspect) this.circuit.suspect();
		if (isSuspect && this.circuit.isProbeDue(this.clock.now())) void this.probe();
		if (outcome.kind === 'transient' || isSuspect) {
			this.found = { ...this.found, error: outcome.error };
			return;
		}
		this.found = {
			...this.found,
			responses: this.found.responses + 1,
			hasShownOrder: this.found.hasShownOrder || outcome.kind === 'order',
		};
		this.circuit.noteResponse();
	}

	private async askConfiguration(): Promise<Probed> {
		const { budget } = this.service;
		const response = await this.service.configNow();
		if (response === null) return 'notSent';
		const error = response.ok ? null : response.error;
		if (error?.kind === 'moved') this.options.onMoved();
		if (budget !== this.service.budget) return 'notSent';
		const isAccountError = error !== null && needsTheUser(error, 'config');
		this.circuit.probed(error, isAccountError, this.clock.now());
		if (isAccountError) this.options.onAccountError(error);
		return error ?? 'sound';
	}
}
