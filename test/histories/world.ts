import { isDeepStrictEqual } from 'node:util';

import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IDeferredPromise,
	IExecuteResponsePromiseData,
	IHttpRequestOptions,
	INodeExecutionData,
	IPollFunctions,
	IRun,
	IWebhookFunctions,
} from 'n8n-workflow';
import { createDeferredPromise, ObservableObject } from 'n8n-workflow';

import { Book, DELAYED_AFTER_MS, type Entry, isOpen, type PostedHash } from './book';
import type { Kind, Note } from './census';
import { LONGEST_WAIT_MS, Service } from './service';
import { ShippedModules } from './shipped';
import { VirtualTime } from './virtualTime';

/** An n8n in memory, with all that the trigger can see; whatever starts the workflow is compared with the book of its trigger at once. */

export interface WorldOptions {
	/** The poll engine that n8n begins with; a restart may switch it. */
	engine: 'default' | 'durable';
	/** Whether n8n starts what a trigger emits for a workflow that is no longer published. 2.40 saves the state and starts nothing. */
	startsUnpublished: boolean;
	/** Triggers in the workflow. */
	triggers: 1 | 2;
	/** Whether the list is an expression, which each poll reads again; otherwise it belongs to the published version. */
	listIsExpression: boolean;
	keepChecking: boolean;
	/** Accept Orders by Webhook; on if not stated. */
	acceptsOrders?: boolean;
	/** All if not stated, because the book expects all of them. */
	events?: readonly string[];
	requestsPerMinute: number;
	/** The durable engine: how many milliseconds the database takes for each start; the first one is committed first. */
	commitsTake: readonly number[];
	/** The durable engine: whether what was started runs for so long that it never reports back. */
	executionsRunLong: boolean;
	/** Whether n8n still polls and ticks a registration that a newer one has replaced, as 1.x and 2.8 do after an import into a running n8n. */
	leavesGhosts: boolean;
}

/** What tests of one case start from. */
export const USUAL: WorldOptions = {
	engine: 'default',
	startsUnpublished: false,
	triggers: 1,
	listIsExpression: false,
	keepChecking: true,
	requestsPerMinute: 100,
	commitsTake: [5],
	executionsRunLong: false,
	leavesGhosts: false,
};

export interface PublishOptions {
	/** Only this trigger is registered again, as n8n 2.40 does if only it was edited; null: all of them. */
	only: number | null;
	/** Whether n8n removes the registrations before it first, or when the new ones work. */
	removesFirst: boolean;
	/** It fails for a reason outside our node, after our polls, and what they saved is thrown away. */
	failsElsewhere: boolean;
	byN8n: boolean;
}

interface Registration {
	trigger: number;
	context: IPollFunctions;
	workflow: WorkflowCopy;
	list: readonly string[];
	isActive: boolean;
	/** n8n removes its schedules at that moment; one that is registered later stays. */
	isRemoved: boolean;
	/** Whether its first poll leaves the list to the next one: n8n keeps the node's data in a table of its own, and that poll cannot save it. */
	isLeftToNextPoll: boolean;
	tick: (() => void) | null;
}

/** n8n's workflow object: the static data, with n8n's own way to notice changes. */
interface WorkflowCopy {
	staticData: IDataObject & { __dataChanged?: boolean };
}

/** What the database had at one moment, and what the watches had to know then. */
interface Saved {
	column: string;
	cursors: ReadonlyMap<number, string>;
	books: readonly Book[];
}

/** A call to the webhook, and what it was answered. */
interface Answered {
	trigger: number;
	method: string;
	orders: readonly PostedHash[];
	status: number;
	body: Record<string, unknown>;
}

/** What an expression gives as the list: the orders, nothing, as in n8n for many that fail, or an error. */
export const GIVEN = ['orders', 'nothing', 'error'] as const;
export type Given = (typeof GIVEN)[number];

interface Process {
	isAlive: boolean;
	node: ReturnType<ShippedModules['startProcess']>;
}

export const CREDENTIALS = ['there', 'slow', 'gone'] as const;
export type Credential = (typeof CREDENTIALS)[number];

/** So long that n8n's durable engine gives the poll up and begins the next one while this one still waits. */
const SLOW_CREDENTIAL_MS = 70_000;

/** A commit that takes this much counts as long. */
const LONG_COMMIT_MS = 300;

/** How long a kill waits for a start that is being committed, and how often it checks. */
const AIM_MS = 5_000;
const AIM_STEP_MS = 100;

/** The durable engine polls a new job at its next poll time. */
const FIRST_RUN_MS = 2_000;

/** Longer than a call to the webhook may take. */
const MAX_ANSWER_MS = 30_000;

/** Longer than it takes to publish two triggers, also if n8n's database is slow. */
const MAX_PUBLISHING_MS = 300_000;

/** So long a process takes a start for one that is being committed (durable.ts). */
const BELIEVED_MS = 60_000;

/** The Webhook Secret of the credential. */
const SECRET = 'a secret of the callers';

const WORKFLOW_ID = 'workflow';
const POLL_BUDGET_MS = 36_000;
const POLL_TIMEOUT_MS = 45_000;
const MAX_ROUNDS = 12;

const time = new VirtualTime();
const shipped = new ShippedModules(time);

export class World {
	readonly service: Service;

	/** The list in the editor, by trigger; published the next time, or read by the next poll. */
	readonly lists: string[][];

	books: Book[];

	/** See Book. */
	private readonly firstListed: Array<Map<string, number>>;

	/** What was emitted, in its order. */
	readonly emitted: string[] = [];

	/** The same by trigger. */
	private readonly everEmitted = new Set<string>();

	private process: Process;

	/** The poll engine of now, and whether it is or was the durable one. */
	private engine: WorldOptions['engine'];

	private hasRunDurably: boolean;

	/** Whether a call of the durable engine is saved that no committed poll has read. */
	private hasUnreadCalls = false;

	private column = '{}';

	private readonly cursors = new Map<number, string>();

	private readonly saves: Saved[] = [];

	private mostBytes = 0;

	/** By trigger: how many orders the longest list had that a poll has read. */
	private readonly longestLists: number[] = [];

	/** By trigger: the list that this process has read last; null before the first one. */
	private readonly lastLists: Array<readonly string[] | null> = [];

	/** The lists of the published version. */
	private readonly publishedLists: string[][];

	/** By trigger: the registration that n8n runs, and the one that may emit. */
	private readonly atWork: Array<Registration | null>;

	private readonly inCharge: Array<Registration | null>;

	/** n8n throws when it should start something; it may have saved the state before, or the database fails, perhaps after it committed. */
	failsToStart: boolean | 'afterSaving' | 'atCommit' = false;

	private isPublished = false;

	private publishRun: Promise<void> | null = null;

	/** Starts that were given to the database so far. */
	private commits = 0;

	/** Starts that are with the database, and the orders of those that the process takes for such. */
	private uncommitted = 0;

	private readonly starting = new Set<string>();

	/** Those of them that n8n has dropped, and until when the process takes them for starts that are being committed, if no later poll tells it. */
	private readonly droppedStarts = new Map<string, number>();

	private durablePolls: Array<{ endsBy: number; lease: { isValid: boolean } } | null>;

	/** Whether n8n's durable scheduler has a job for the trigger; it outlives a restart. */
	private readonly jobs: boolean[];

	/** Registrations that are replaced, and still run. */
	private ghosts: Array<{ registration: Registration; tick: (() => void) | null }> = [];

	/** What another node of the workflow has read of the database, to write it back some time. */
	private otherNode: { column: string; books: readonly Book[] } | null = null;

	/** The copy of the static data that n8n saves for a trigger of another service in the workflow; null if it is not registered. */
	private otherTrigger: WorkflowCopy | null = null;

	private otherStarts = 0;

	/** What the list gives if it is an expression. */
	expressionGives: Given = 'orders';

	/** How reading the credential goes: n8n's database may be slow, or the credential gone. */
	credential: Credential = 'there';

	/** By trigger: when the service last responded about an order; and when there last was a problem that somebody has to correct. */
	private readonly workedAt: number[] = [];

	private problemAt = Number.NEGATIVE_INFINITY;

	/** When a list last could not be read. */
	private listProblemAt = Number.NEGATIVE_INFINITY;

	/** The last round of ticks, which applies what polls have found since the one before. */
	private tickedAt = 0;

	/** By trigger: polls that are under way, and requests without an answer; and all hashes that a poll ever read in its list. */
	private readonly underWay: number[];

	private readonly inFlight: number[];

	private readonly everListed: Array<Set<string>>;

	constructor(
		private readonly options: WorldOptions,
		private readonly note: Note,
	) {
		time.beginHistory();
		this.engine = options.engine;
		this.hasRunDurably = options.engine === 'durable';
		this.service = new Service(() => time.now(), note);
		const triggers = Array.from({ length: options.triggers }, (_, index) => index);
		this.lists = triggers.map(() => []);
		this.publishedLists = triggers.map(() => []);
		this.firstListed = triggers.map(() => new Map());
		this.books = triggers.map((_, trigger) => this.newBook(trigger));
		this.atWork = triggers.map(() => null);
		this.inCharge = triggers.map(() => null);
		this.durablePolls = triggers.map(() => null);
		this.jobs = triggers.map(() => false);
		this.underWay = triggers.map(() => 0);
		this.inFlight = triggers.map(() => 0);
		this.everListed = triggers.map(() => new Set());
		this.process = this.startProcess();
	}

	private startProcess(): Process {
		const process: Process = { isAlive: true, node: shipped.startProcess(() => process.isAlive) };
		return process;
	}

	// What happens in a history

	/** Time passes; if `ticks`, n8n's scheduler ticks each second. */
	async wait(seconds: number, ticks: boolean): Promise<void> {
		if (!ticks) {
			await time.pass(seconds * 1000);
			return;
		}
		for (let second = 0; second < seconds; second++) {
			await time.pass(1000);
			for (const ghost of this.ghosts) ghost.tick?.();
			for (const registration of this.atWork) {
				const emitted = this.emitted.length;
				registration?.tick?.();
				if (this.emitted.length > emitted) this.note('tick: emits an event');
			}
			this.tickedAt = time.now();
		}
		await time.settle();
	}

	/** n8n's scheduler polls each trigger, or this one, and does not wait. */
	poll(only: number | null = null): void {
		for (const trigger of this.lists.keys()) {
			if (only !== null && only !== trigger) continue;
			for (const { registration } of this.ghosts) {
				if (registration.trigger !== trigger) continue;
				this.note('poll: of a registration that was replaced long ago');
				void this.runPoll(registration);
			}
			if (this.engine === 'durable') this.pollDurably(trigger);
			else {
				const registration = this.atWork[trigger];
				if (registration?.isActive === true) void this.runPoll(registration);
			}
		}
	}

	/** Publishes all triggers, and removes the registrations before first, unless the options say otherwise. */
	publish(options: Partial<PublishOptions> = {}): void {
		if (this.publishRun !== null) return;
		const usual = { only: null, removesFirst: true, failsElsewhere: false, byN8n: false };
		const running = this.runPublish({ ...usual, ...options }, this.process)
			.catch((error: unknown) => void this.failed(String(error)))
			.finally(() => {
				if (this.publishRun === running) this.publishRun = null;
			});
		this.publishRun = running;
	}

	unpublish(): void {
		if (this.publishRun === null) this.unpublishNow();
	}

	/** Another node of the workflow that writes static data begins: it works on a copy of the whole column. */
	beginNode(): void {
		const books = this.saves.at(-1)?.books;
		if (this.engine === 'default' && books !== undefined)
			this.otherNode = { column: this.column, books };
	}

	/** It is done, and n8n writes its copy: what the triggers have saved meanwhile is no longer in the database. */
	endNode(): void {
		if (this.otherNode === null) return;
		if (this.otherNode.column !== this.column)
			this.note('another node writes an older state of the workflow');
		this.column = this.otherNode.column;
		this.saves.push({
			column: this.column,
			cursors: new Map(this.cursors),
			books: this.otherNode.books,
		});
		this.otherNode = null;
	}

	/** The trigger of another service starts the workflow: n8n saves the copy of the workflow that it was registered with whole. */
	async startOther(): Promise<void> {
		// It polls on its own, so that whatever runs without waiting is done by then.
		await time.settle();
		const workflow = this.otherTrigger;
		// A publication has read a list that no copy has yet: what counts then is not for this model to say.
		if (workflow === null || this.engine === 'durable' || this.publishRun !== null) return;
		if (this.atWork.some((registration) => registration?.workflow !== workflow))
			this.note('a trigger of another service saves an older copy of the workflow');
		staticData(workflow, 'node:Other').starts = ++this.otherStarts;
		this.saveColumn(workflow, []);
	}

	/** n8n is killed and started again, on the database of now, or on one that was saved so many times before. */
	restart(savesBack: number, switchesEngine = false): void {
		this.process.isAlive = false;
		this.publishRun = null;
		this.ghosts = [];
		this.otherNode = null;
		this.otherTrigger = null;
		this.lastLists.fill(null);
		this.note(
			savesBack === 0
				? 'restart: with the state that was saved last'
				: 'restart: with an older state',
		);
		if (this.underWay.some((polls) => polls > 0)) this.note('restart: while a poll is under way');
		if (this.uncommitted > 0) this.note('restart: while a start is being committed');
		this.uncommitted = 0;
		this.starting.clear();
		this.droppedStarts.clear();
		for (const trigger of this.atWork.keys()) {
			this.underWay[trigger] = 0;
			this.inFlight[trigger] = 0;
			this.replace(trigger);
			this.inCharge[trigger] = null;
			this.durablePolls[trigger] = null;
		}
		const place = this.saves.length - 1 - savesBack;
		const saved =
			place < 0
				? {
						column: '{}',
						cursors: new Map<number, string>(),
						books: this.books.map((_, trigger) => this.newBook(trigger)),
					}
				: this.saves[place];
		if (saved !== undefined) {
			this.saves.length = Math.max(0, place + 1);
			this.column = saved.column;
			this.cursors.clear();
			for (const [trigger, cursor] of saved.cursors) this.cursors.set(trigger, cursor);
			this.books = saved.books.map((book) => book.copy());
		}
		this.process = this.startProcess();
		if (switchesEngine) this.switchEngine();
		if (this.isPublished && this.engine === 'default') this.publish({ byN8n: true });
	}

	private switchEngine(): void {
		// The versions of n8n that do either have one engine.
		if (this.options.startsUnpublished || this.options.leavesGhosts) return;
		this.note('restart: in the other poll engine');
		if (this.engine === 'durable' && this.hasUnreadCalls)
			this.note('restart: in the other poll engine, with a call that no poll has read');
		this.engine = this.engine === 'durable' ? 'default' : 'durable';
		this.hasRunDurably = true;
		this.jobs.fill(this.engine === 'durable' && this.isPublished);
	}

	/** n8n is killed as soon as a start is being committed, if that happens soon. */
	async restartInCommit(): Promise<void> {
		for (let waited = 0; waited < AIM_MS && this.uncommitted === 0; waited += AIM_STEP_MS)
			await time.pass(AIM_STEP_MS);
		if (this.uncommitted > 0) this.restart(0);
	}

	private newBook(trigger: number): Book {
		return new Book(() => this.engine === 'durable', this.firstListed[trigger]);
	}

	/** A call to the webhook of a trigger; true if it was accepted. */
	async call(
		trigger: number,
		method: 'POST' | 'DELETE' | 'GET',
		orders: readonly PostedHash[],
	): Promise<boolean> {
		// It comes over the network: whatever runs without waiting is done by then.
		await time.settle();
		// While the workflow is being published it is open which list counts: what a call means then is not for this model to say.
		for (
			let waited = 0;
			this.publishRun !== null && waited < MAX_PUBLISHING_MS;
			waited += AIM_STEP_MS
		)
			await time.pass(AIM_STEP_MS);
		if (!this.isPublished) return false;
		if (method === 'POST') this.note('an order is posted');
		if (orders.some(({ replaces }) => replaces !== undefined)) this.note('an order is replaced');
		const workflow = this.workflowFromDatabase();
		const sent = { status: 0, body: {} as Record<string, unknown> };
		const body = orders.map(({ hash, reference, replaces }) => ({
			sourceHash: hash,
			...(reference === undefined ? {} : { reference }),
			...(replaces === undefined ? {} : { replaces }),
		}));
		const closed: Array<() => void> = [];
		const response = {
			closed: false,
			once: (_event: 'close', done: () => void) => void closed.push(done),
			setHeader: () => undefined,
			status: (status: number) => {
				sent.status = status;
				return { json: (answer: Record<string, unknown>) => void (sent.body = answer) };
			},
		};
		const context = {
			...this.basics(trigger, workflow),
			getMode: () => 'webhook',
			getNodeParameter: (name: string, otherwise: unknown) =>
				name === 'sourceHashes' ? this.givenList([]) : this.parameterOf(name, otherwise),
			getRequestObject: () => ({ method, headers: {}, rawBody: Buffer.alloc(0) }),
			getHeaderData: () => ({ 'x-webhook-secret': SECRET }),
			getBodyData: () => body,
			getResponseObject: () => response,
		} as unknown as IWebhookFunctions;
		this.isInCall = true;
		const answering = this.process.node.webhook.call(context);
		this.isInCall = false;
		let isAnswered = false;
		void answering.finally(() => (isAnswered = true));
		// A call may wait for a slow credential, or for the call before it.
		for (let waited = 0; !isAnswered && waited < MAX_ANSWER_MS; waited += AIM_STEP_MS)
			await time.pass(waited === 0 ? 0 : AIM_STEP_MS);
		const { webhookResponse, noWebhookResponse } = await answering;
		if (noWebhookResponse !== true) {
			sent.status = method === 'POST' ? 202 : 200;
			sent.body = webhookResponse as Record<string, unknown>;
		}
		if (method === 'POST')
			this.note(sent.status === 202 ? 'a post is accepted' : 'a post is rejected');
		if (sent.status === 202 && this.engine === 'durable') this.hasUnreadCalls = true;
		if (Number(sent.body.removed) > 0) this.note('a posted order is removed');
		if (sent.status !== 503) this.checkAnswer({ trigger, method, orders, ...sent });
		const hasChanged =
			sent.status < 300 &&
			[
				sent.body.accepted,
				sent.body.removed,
				(sent.body.alreadyWatched as unknown[] | undefined)?.length,
			].some((count) => Number(count) > 0);
		if (hasChanged && workflow.staticData.__dataChanged !== true)
			throw new Error('A call was answered, and nothing of it would be saved');
		this.saveColumn(workflow, [trigger]);
		for (const done of closed) done();
		return sent.status === 202;
	}

	/** n8n 2.40 gives a node's own data to polls, and to what a poll has begun, but not to a webhook call. */
	private isInCall = false;

	private checkAnswer(answered: Answered): void {
		if (this.engine === 'durable') return this.checkDurableAnswer(answered);
		const { trigger, method, orders, status, body } = answered;
		const book = this.bookOf(trigger);
		const size = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
		if (method === 'POST') {
			const expected = { ...book.post(orders, time.now()), status: 202 };
			const found = {
				accepted: body.accepted,
				watched: size(body.alreadyWatched),
				finished: size(body.alreadyFinished),
				status,
			};
			expectSame('The answer to a POST', found, expected);
		} else if (method === 'DELETE') {
			const removed = book.remove(
				orders.map(({ hash }) => hash),
				time.now(),
			);
			expectSame('The answer to a DELETE', [body.removed, status], [removed, 200]);
		} else {
			const open = book
				.orders()
				.filter(isOpen)
				.map(({ hash, reference, isNamed }) => ({ hash, reference, listed: isNamed }));
			const found = (body.orders as Array<Record<string, unknown>>).map(
				({ sourceHash, reference, listed }) => ({ hash: String(sourceHash), reference, listed }),
			);
			const byHash = (a: { hash: string }, b: { hash: string }) => (a.hash < b.hash ? -1 : 1);
			expectSame('The answer to a GET', found.sort(byHash), open.sort(byHash));
		}
	}

	/** It goes by the list of the last poll, so it may be older than the book; what was accepted or removed has to come true. */
	private checkDurableAnswer({ trigger, method, orders, status, body }: Answered): void {
		const book = this.bookOf(trigger);
		const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
		if (method === 'POST') {
			const finished = list(body.alreadyFinished).map(
				(each) => (each as { sourceHash: string }).sourceHash,
			);
			const isStarting = (hash: string): boolean => this.isStarting(trigger, hash);
			// One after the other, because an order that has finished changes one that it replaces only if that is watched by then.
			for (const order of orders)
				if (!finished.includes(order.hash)) book.post([order], time.now(), isStarting);
				else if (isStarting(order.hash)) book.replaceIfDropped(order, time.now());
				else book.replaceFinished(order, time.now());
			const named = Number(body.accepted) + list(body.alreadyWatched).length + finished.length;
			expectSame('The answer to a POST', [named, status], [orders.length, 202]);
			for (const hash of finished) {
				const entry = book.entries.get(hash);
				// The last one that states any: null is none.
				const stated = orders.flatMap((order) => (order.hash === hash && order.reference) || []);
				const newest = stated.at(-1) ?? book.ifDropped.get(hash) ?? entry?.reference ?? null;
				if (isStarting(hash)) book.ifDropped.set(hash, newest);
				if (entry !== undefined) entry.postedAt ??= time.now();
			}
			for (const hash of finished) {
				const entry = book.entries.get(hash);
				if (entry?.emittedAt === null && !isStarting(hash))
					throw new Error(`The answer to a POST says that ${hash} is finished`);
			}
		} else if (method === 'DELETE') {
			const notWatched = list(body.notWatched);
			// A hash that is sent twice is removed and then no longer watched.
			const times = (hash: string, all: readonly unknown[]): number =>
				all.filter((each) => each === hash).length;
			const sent = orders.map(({ hash }) => hash);
			book.remove(
				sent.filter((hash) => times(hash, notWatched) < times(hash, sent)),
				time.now(),
			);
			for (const hash of sent)
				if (notWatched.includes(hash) && this.isStarting(trigger, hash)) book.removeIfDropped(hash);
			const named = Number(body.removed) + list(body.listed).length + notWatched.length;
			expectSame('The answer to a DELETE', [named, status], [orders.length, 200]);
		} else expectSame('The answer to a GET', status, 200);
	}

	/** Whether n8n commits a start for this order now. */
	private isStarting(trigger: number, hash: string): boolean {
		return this.starting.has(`${trigger}:${hash}`);
	}

	/** All is well again: the final statuses of all watched orders are emitted, soon, and none again after another publishing. */
	async endWell(): Promise<void> {
		const final = ({ hash }: Entry) => this.service.finalStatusOf(hash);
		const isReplaced = ({ replacedAt, mayBeReplaced }: Entry) =>
			replacedAt !== null || mayBeReplaced === true;
		const isDelayed = (entry: Entry) =>
			entry.delayedAt === null && !isReplaced(entry) && final(entry) === null ? 'delayed' : null;
		// While an expression leaves out all orders, nothing is said of the interruption.
		const isChecked = (entries: Entry[]) =>
			entries.some(isOpen) || entries.every(({ emittedAt }) => emittedAt !== null);
		const stillInterrupted = () =>
			this.books.flatMap((book, trigger) =>
				book.interruption !== null && isChecked(book.orders())
					? [`resumed of trigger ${trigger}`]
					: [],
			);
		this.service.set(null);
		this.failsToStart = false;
		this.credential = 'there';
		await this.endWithoutList(final);
		// Who sees that publishing has failed, because a response from before was still on its way, publishes again.
		for (let round = 0; this.publishRun !== null || this.atWork.includes(null); round++) {
			if (round > 600) throw new Error('Publishing takes for ever');
			this.publish();
			await this.wait(1, true);
		}
		await this.wait(DELAYED_AFTER_MS / 1000 + 1, false);
		await this.untilNoneIsMissing(() => [...this.missing(isDelayed), ...stillInterrupted()]);
		this.service.finishAll();
		await this.untilNoneIsMissing(() => this.missing(final));
		this.publish();
		await this.untilNoneIsMissing(() => this.missing(final));
	}

	/** As long as the list cannot be read, what is watched already is watched on. */
	private async endWithoutList(final: (entry: Entry) => string | null): Promise<void> {
		if (!this.options.listIsExpression || this.expressionGives === 'orders') return;
		while (this.publishRun !== null) await this.wait(1, true);
		const isRegistered = [...this.lists.keys()].every((trigger) =>
			this.engine === 'durable' ? this.jobs[trigger] : this.atWork[trigger]?.isActive,
		);
		if (this.isPublished && isRegistered) {
			this.service.finishAll();
			this.note('the list cannot be read to the end');
			await this.untilNoneIsMissing(() => this.missing(final));
		}
		this.expressionGives = 'orders';
	}

	private async untilNoneIsMissing(missingNow: () => string[]): Promise<void> {
		for (let round = 0; ; round++) {
			await this.passUntilNextPoll();
			if (this.failures.length > 0) throw new Error(this.failures[0]);
			const missing = missingNow();
			if (missing.length === 0) return;
			if (round === MAX_ROUNDS) throw new Error(`Never emitted: ${missing.join(', ')}`);
			// The service may have asked for an hour without requests, and unknown hashes are checked ever more rarely.
			if (round > 2) await this.wait(600 * round, false);
		}
	}

	private async passUntilNextPoll(): Promise<void> {
		const isDurable = this.engine === 'durable';
		this.poll();
		await this.wait(isDurable ? 60 : 6, !isDurable);
		if (!isDurable && !this.options.keepChecking) {
			this.poll();
			await this.wait(2, true);
		}
	}

	/** Events that are due for watched orders and were not emitted. */
	private missing(dueEvent: (entry: Entry) => string | null): string[] {
		return this.books.flatMap((book, trigger) =>
			book.orders().flatMap((entry) => {
				const event = isOpen(entry) ? dueEvent(entry) : null;
				const name = `${entry.hash}:${event}`;
				// In the durable engine a poll whose state n8n drops may have read that it was removed: then it need not come again.
				const hasCome = this.hasRunDurably && this.everEmitted.has(`${trigger}:${name}`);
				const mayBeGone = entry.isRemovedIfDropped === true && !entry.isNamed;
				return event === null || hasCome || mayBeGone ? [] : [`${name} of trigger ${trigger}`];
			}),
		);
	}

	// n8n itself

	private async runPublish(
		{ only, removesFirst, failsElsewhere, byN8n }: PublishOptions,
		process: Process,
	): Promise<void> {
		const triggers = [...this.lists.keys()].filter(
			(trigger) => only === null || only === trigger || this.atWork[trigger] === null,
		);
		const isDurable = this.engine === 'durable';
		const before = triggers.map((trigger) => ({
			atWork: this.atWork[trigger] ?? null,
			inCharge: this.inCharge[trigger] ?? null,
			publishedList: this.publishedLists[trigger] ?? [],
			lastList: this.lastLists[trigger] ?? null,
			book: this.bookOf(trigger).copy(),
		}));
		const wasPublished = this.isPublished;
		this.isPublished = true;
		if (removesFirst || failsElsewhere) for (const trigger of triggers) this.remove(trigger);
		const registersOther = only === null || this.otherTrigger === null;
		if (registersOther && (removesFirst || failsElsewhere)) this.otherTrigger = null;
		const workflow = this.workflowFromDatabase();
		let haveFailed = failsElsewhere;
		for (const [index, trigger] of triggers.entries()) {
			const registration = this.register(trigger, workflow, byN8n);
			try {
				// The durable engine has one job for each trigger, and polls during activation only if that is new. A poll of that
				// job that is under way continues undisturbed.
				if (isDurable && this.jobs[trigger] === true)
					this.note('publish: finds its job active and does not poll');
				else {
					const known = before[index];
					if (isDurable) this.restoreBook(trigger);
					// The registration before may have polled since n8n began to publish.
					if (known !== undefined) {
						known.book = this.bookOf(trigger).copy();
						known.lastList = this.lastLists[trigger] ?? null;
					}
					this.jobs[trigger] = true;
					this.note('publish: polls');
					if (byN8n && this.listCannotBeRead())
						this.note('n8n starts while the list cannot be read');
					await this.pollAs(registration, { isFirst: true });
					if (registration.isLeftToNextPoll && process.isAlive) {
						registration.isLeftToNextPoll = false;
						this.inCharge[trigger] = registration;
					}
					if (isDurable)
						time.at(time.now() + FIRST_RUN_MS, () => {
							if (process.isAlive) this.pollDurably(trigger);
						});
				}
				if (!process.isAlive) return;
				if (failsElsewhere) {
					this.note('publish: what its poll saved is thrown away');
					continue;
				}
				const replaced = this.atWork[trigger] ?? null;
				if (replaced !== null && replaced !== registration) {
					if (this.options.leavesGhosts)
						this.ghosts.push({ registration: replaced, tick: replaced.tick });
					this.replace(trigger);
				}
				registration.isActive = true;
				this.atWork[trigger] = registration;
				this.publishedLists[trigger] = [...registration.list];
			} catch (error) {
				if (!process.isAlive) return;
				if (byN8n) throw new Error(`n8n could not start the trigger: ${String(error)}`);
				haveFailed = true;
				this.note('publish: fails');
				this.jobs[trigger] = false;
				this.publishedLists[trigger] = before[index]?.publishedList ?? [];
				this.lastLists[trigger] = before[index]?.lastList ?? null;
				registration.tick = null;
				this.atWork[trigger] = removesFirst ? null : (before[index]?.atWork ?? null);
				this.inCharge[trigger] = before[index]?.inCharge ?? null;
				this.bookOf(trigger).undoList(before[index]?.book ?? this.newBook(trigger));
			}
		}
		if (failsElsewhere) {
			for (const trigger of triggers) this.remove(trigger);
			this.isPublished = this.atWork.some((registration) => registration !== null);
			return;
		}
		if (haveFailed && this.atWork.every((registration) => registration === null))
			this.unpublishNow();
		else if (haveFailed)
			this.isPublished = wasPublished || this.atWork.some((registration) => registration !== null);
		if (!haveFailed && registersOther) this.otherTrigger = workflow;
		// Before 2.40 n8n throws away what a failed activation has saved.
		if (!haveFailed || !this.options.startsUnpublished) this.saveColumn(workflow, triggers);
		else if (workflow.staticData.__dataChanged === true)
			this.note('publish: what its poll saved is thrown away');
	}

	private unpublishNow(): void {
		this.isPublished = false;
		this.otherTrigger = null;
		for (const trigger of this.atWork.keys()) this.remove(trigger);
	}

	/** The registration before it is removed; a job of the durable engine stays. */
	private replace(trigger: number): void {
		const registration = this.atWork[trigger];
		if (registration !== null && registration !== undefined) {
			registration.isActive = false;
			registration.isRemoved = true;
			registration.tick = null;
		}
		this.atWork[trigger] = null;
	}

	/** The trigger is registered no longer; in the durable engine its job is removed, and with it the lease of its poll. */
	private remove(trigger: number): void {
		this.replace(trigger);
		// n8n ends all schedules (deregisterCrons in n8n-core), those of registrations that it has left, too.
		this.ghosts = this.ghosts.filter(({ registration }) => registration.trigger !== trigger);
		this.jobs[trigger] = false;
		const running = this.durablePolls[trigger];
		if (running !== null && running !== undefined) running.lease.isValid = false;
		this.durablePolls[trigger] = null;
	}

	private register(trigger: number, workflow: WorkflowCopy, byN8n: boolean): Registration {
		const { process } = this;
		const isDurable = this.engine === 'durable';
		// After a switch to the usual engine n8n still keeps the node's data in the table of the durable one.
		const saved = this.cursors.get(trigger) ?? (isDurable ? '{}' : null);
		const cursor = saved === null ? null : (JSON.parse(saved) as IDataObject);
		const registration: Registration = {
			trigger,
			workflow,
			list: [...((byN8n ? this.publishedLists : this.lists)[trigger] ?? [])],
			isActive: false,
			isRemoved: false,
			isLeftToNextPoll: !byN8n && cursor !== null,
			tick: null,
			context: {
				...this.basics(trigger, workflow, cursor),
				...this.pollBasics(trigger, byN8n ? 'init' : 'activate', () => registration),
				__emit: (items: INodeExecutionData[][]) => {
					if (!process.isAlive) return;
					if (this.failsToStart === 'afterSaving') this.saveColumn(workflow, [trigger]);
					if (this.failsToStart !== false) throw this.startFailed();
					if (this.inCharge[trigger] !== registration)
						throw this.failed(
							`A registration of trigger ${trigger} emits although a newer one has replaced it`,
						);
					if (workflow.staticData.__dataChanged !== true)
						throw this.failed('Something is emitted of which nothing was saved');
					if (this.isPublished || this.options.startsUnpublished) this.start(trigger, items);
					this.saveColumn(workflow, [trigger]);
				},
			} as unknown as IPollFunctions,
		};
		const expressions = new Set<string>();
		registration.context.helpers.registerCron = ({ expression }, onTick) => {
			if (isDurable) throw new Error('Ticks in the durable engine');
			if (expressions.has(expression)) throw new Error('The same ticks twice');
			expressions.add(expression);
			if (registration.isRemoved && process.isAlive)
				throw this.failed('Ticks are registered for a workflow that is no longer published');
			registration.tick = () => {
				if (process.isAlive) onTick();
			};
			// An activation that fails afterwards takes its schedules with it.
			if (this.inCharge[trigger] !== registration) registration.tick = null;
			else this.ticking(registration);
		};
		return registration;
	}

	/** Ticks come as soon as they are registered, even before the activation is done. */
	private ticking(registration: Registration): void {
		if (this.atWork[registration.trigger] === null)
			this.atWork[registration.trigger] = registration;
	}

	private async runPoll(registration: Registration): Promise<void> {
		try {
			await this.pollAs(registration, { isFirst: false });
		} catch {
			// n8n shows a failed execution; the registration stays.
			this.note('poll: fails visibly');
		}
	}

	/** One poll; from the first one of a registration on no older one may emit. */
	private async pollAs(
		registration: Registration,
		{ isFirst }: { isFirst: boolean },
	): Promise<void> {
		const { process } = this;
		const { trigger, context } = registration;
		const others = this.underWay[trigger] ?? 0;
		if (isFirst) {
			if (others + (this.inFlight[trigger] ?? 0) > 0)
				this.note('poll: of a new registration while an older one is checking');
			if (!registration.isLeftToNextPoll) this.inCharge[trigger] = registration;
		} else if (others > 0) this.note('poll: finds another one under way');
		this.underWay[trigger] = others + 1;
		try {
			await process.node.poll.call(context);
		} finally {
			if (process.isAlive) this.underWay[trigger] = (this.underWay[trigger] ?? 0) - 1;
		}
	}

	/** A poll of the durable engine, with a context of its own: a start and what is saved with it are one transaction, while the lease lasts. */
	private pollDurably(trigger: number): void {
		const running = this.durablePolls[trigger] ?? null;
		if (
			this.jobs[trigger] !== true ||
			this.publishRun !== null ||
			(running !== null && time.now() < running.endsBy)
		)
			return;
		// It ends each poll in time, whatever it waits for.
		if (running !== null) throw this.failed(`n8n timed out a poll of trigger ${trigger}`);
		const { process } = this;
		const workflow = this.workflowFromDatabase();
		const nodeData = JSON.parse(this.cursors.get(trigger) ?? '{}') as IDataObject;
		const lease = { isValid: true };
		let isOver = false;
		let written = JSON.stringify(nodeData);
		const commit = (cursor: string): void => {
			this.cursors.set(trigger, cursor);
			this.hasUnreadCalls = false;
			this.bookOf(trigger).uncommitted.clear();
			this.noteSave([trigger]);
		};
		const registration: Registration = {
			trigger,
			workflow,
			list: [...(this.publishedLists[trigger] ?? [])],
			isActive: true,
			isRemoved: false,
			isLeftToNextPoll: false,
			tick: null,
			context: {
				...this.basics(trigger, workflow, nodeData),
				...this.pollBasics(trigger, 'update', () => registration),
				getPollBudgetMs: () => POLL_BUDGET_MS,
				__commitCursor: async () => {
					const cursor = JSON.stringify(nodeData);
					if (cursor === written) return;
					written = cursor;
					await time.sleep(this.options.commitsTake[0] ?? 0);
					if (process.isAlive && lease.isValid) commit(cursor);
				},
				__emit: (
					items: INodeExecutionData[][],
					response: IDeferredPromise<IExecuteResponsePromiseData>,
					done: IDeferredPromise<IRun | undefined>,
				) => {
					if (!process.isAlive) return;
					const failsToCommit = this.failsToStart === 'atCommit';
					if (this.failsToStart !== false && !failsToCommit) throw this.startFailed();
					if (isOver) throw this.failed(`A poll of trigger ${trigger} emits although it is over`);
					if (this.inCharge[trigger] !== registration)
						throw this.failed(`A poll of trigger ${trigger} emits although a newer one has begun`);
					const cursor = JSON.stringify(nodeData);
					written = cursor;
					const takes =
						this.options.commitsTake[this.commits++ % this.options.commitsTake.length] ?? 0;
					if (takes >= LONG_COMMIT_MS) this.note('commit: takes long');
					this.uncommitted++;
					const [emittedAt, name] = [
						time.now(),
						`${trigger}:${String(items[0]?.[0]?.json.sourceHash)}`,
					];
					this.starting.add(name);
					time.at(emittedAt + takes, () => {
						if (!process.isAlive) return;
						this.uncommitted--;
						if (!lease.isValid || !this.isPublished) {
							this.droppedStarts.set(name, emittedAt + BELIEVED_MS);
							this.note('poll: still checks although its workflow is no longer published');
							response.reject(new Error('The poll no longer has its lease'));
							done.resolve(undefined);
							return;
						}
						if (failsToCommit && this.commits % 2 === 0) {
							this.droppedStarts.set(name, emittedAt + BELIEVED_MS);
							done.reject(this.startFailed());
							return;
						}
						this.starting.delete(name);
						this.start(trigger, items, emittedAt);
						commit(cursor);
						// The connection to the database broke, and it had committed.
						if (failsToCommit) done.reject(this.startFailed());
						else if (!this.options.executionsRunLong) done.resolve({} as IRun);
					});
				},
			} as unknown as IPollFunctions,
		};
		for (const [name, until] of this.droppedStarts)
			if (name.startsWith(`${trigger}:`) && time.now() >= until) {
				this.droppedStarts.delete(name);
				this.starting.delete(name);
			}
		const poll = { endsBy: time.now() + POLL_TIMEOUT_MS, lease };
		this.durablePolls[trigger] = poll;
		this.restoreBook(trigger);
		void (async () => {
			try {
				await this.pollAs(registration, { isFirst: true });
				const cursor = JSON.stringify(nodeData);
				// n8n writes nothing that it has written already.
				if (process.isAlive && lease.isValid && time.now() < poll.endsBy && cursor !== written)
					commit(cursor);
			} catch {
				// n8n shows a failed execution, and commits nothing.
				this.note('poll: fails visibly');
			}
			isOver = true;
			if (this.durablePolls[trigger] === poll) this.durablePolls[trigger] = null;
		})();
	}

	/** Each durable poll begins with what was saved last; what an earlier one only had in memory is gone. */
	private restoreBook(trigger: number): void {
		const inMemory = this.bookOf(trigger);
		const saved = this.saves.at(-1)?.books[trigger]?.copy() ?? this.newBook(trigger);
		saved.forgive(inMemory);
		this.books[trigger] = saved;
	}

	private basics(trigger: number, workflow: WorkflowCopy, nodeData: IDataObject | null = null) {
		const { process } = this;
		return {
			getWorkflow: () => ({ id: WORKFLOW_ID, name: 'workflow', active: true }),
			getNode: () => ({
				id: `node ${trigger}`,
				name: `Trigger ${trigger}`,
				type: 'trigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: { sourceHashes: this.options.listIsExpression ? '={{ $json.hashes }}' : '' },
				webhookId: `webhook-${trigger}`,
			}),
			getWorkflowStaticData: (type: string) => {
				if (type !== 'node') return staticData(workflow, type);
				if (this.isInCall) throw new Error('Poll node read its static data outside of a poll');
				return nodeData ?? staticData(workflow, `node:Trigger ${trigger}`);
			},
			getCredentials: async () => {
				const credential = await this.readCredential({
					apiKey: 'key',
					baseUrl: 'https://bridge.example.com',
					requestsPerMinute: this.options.requestsPerMinute,
					webhookSecret: SECRET,
				});
				if (this.engine === 'default') this.bookOf(trigger).uncommitted.clear();
				return credential;
			},
			helpers: {
				createDeferredPromise,
				httpRequestWithAuthentication: async (_name: string, request: IHttpRequestOptions) =>
					await this.request(process, trigger, request),
			},
		};
	}

	private parameterOf(name: string, otherwise: unknown): unknown {
		const parameters: Record<string, unknown> = {
			acceptOrders: this.options.acceptsOrders ?? true,
			delayedAfter: DELAYED_AFTER_MS / 60_000,
			events: this.options.events ?? ['anyEvent'],
			options: { checkEvery: 5, keepChecking: this.options.keepChecking },
			// With it the item has no eventId.
			simplify: false,
		};
		return name in parameters ? parameters[name] : otherwise;
	}

	private pollBasics(trigger: number, mode: string, registration: () => Registration) {
		const { options } = this;
		return {
			getMode: () => 'trigger',
			getActivationMode: () => mode,
			getNodeParameter: (name: string, otherwise: unknown) => {
				if (name !== 'sourceHashes') return this.parameterOf(name, otherwise);
				const last = this.lastLists[trigger] ?? null;
				// What the process has read last stays in force, or after a start what is saved as named by the list.
				if (this.listCannotBeRead() && (registration().isActive || mode === 'init'))
					this.readList(trigger, last ?? this.bookOf(trigger).named(), false);
				if (this.listCannotBeRead()) return this.givenList([]);
				const list = options.listIsExpression ? this.listOf(trigger) : registration().list;
				this.longestLists[trigger] = Math.max(this.longestLists[trigger] ?? 0, list.length);
				const { isLeftToNextPoll } = registration();
				const isInCharge = this.inCharge[trigger] === registration();
				if (isInCharge || isLeftToNextPoll) this.lastLists[trigger] = list;
				if (isInCharge && !isLeftToNextPoll) this.readList(trigger, list);
				// A registration that a person publishes takes its list over once it has the credential, any other at once.
				const takesOver = registration().isActive || mode !== 'activate';
				if (this.engine === 'default' && takesOver) this.bookOf(trigger).uncommitted.clear();
				return [...list];
			},
		};
	}

	private listCannotBeRead(): boolean {
		return this.options.listIsExpression && this.expressionGives !== 'orders';
	}

	private givenList(list: string[]): string[] | null {
		if (!this.listCannotBeRead()) return list;
		this.listProblemAt = time.now();
		this.note('the list cannot be read');
		if (this.expressionGives === 'error') throw new Error('The expression fails');
		return null;
	}

	private readList(trigger: number, list: readonly string[], isWhole = true): void {
		const book = this.bookOf(trigger);
		const [before, ever] = [book.copy().entries, this.everListed[trigger] ?? new Set()];
		book.readList(list, !this.options.listIsExpression, isWhole, time.now());
		if ([...before].some(([hash, { isNamed }]) => isNamed && !list.includes(hash)))
			this.note('a listed order is removed');
		for (const hash of list) {
			if (before.get(hash)?.isNamed === true) continue;
			if (!ever.has(hash)) this.note('an order is listed');
			else {
				this.note('a removed order is listed again');
				if (
					this.service.finalStatusOf(hash) !== null &&
					!this.emitted.some((eventId) => eventId.startsWith(hash))
				)
					this.note('an order finishes while it is not listed');
			}
			ever.add(hash);
		}
	}

	private startFailed(): Error {
		this.note('n8n fails to start the workflow');
		return new Error('n8n cannot start anything now');
	}

	private async readCredential(
		data: ICredentialDataDecryptedObject,
	): Promise<ICredentialDataDecryptedObject> {
		if (this.credential !== 'there') this.problemAt = time.now();
		if (this.credential === 'gone') {
			this.note('poll: finds no credential');
			throw new Error('Credential with ID "1" does not exist');
		}
		if (this.credential === 'slow') {
			this.note('poll: waits long for the credential');
			await time.sleep(SLOW_CREDENTIAL_MS);
		}
		return data;
	}

	/** An execution begins, of what was emitted at this time. */
	private start(trigger: number, items: INodeExecutionData[][], emittedAt = time.now()): void {
		const json: IDataObject = items[0]?.[0]?.json ?? {};
		const hash = String(json.sourceHash);
		const what = `trigger ${trigger} emits ${hash} as ${String(json.event)}`;
		const book = this.bookOf(trigger);
		const right = (wrong: string | null, note: Kind): void => {
			if (wrong !== null) throw this.failed(`${what}: ${wrong}`);
			this.everEmitted.add(`${trigger}:${String(json.eventId)}`);
			this.note(note);
		};
		const now = time.now();
		switch (json.event) {
			case 'watchEnded':
				return right(
					book.endWatch(hash, json.reference, now, emittedAt),
					'the watch of an order ends',
				);
			case 'interrupted': {
				const isOfList = String(json.summary).includes('the trigger goes on with what it can read');
				const workedAt = this.workedAt[trigger] ?? 0;
				const problemAt = isOfList ? this.listProblemAt : this.problemAt;
				const foundSince = this.engine === 'durable' ? now : this.tickedAt;
				const wrong = book.interrupt(now, { workedAt, problemAt, foundSince, isOfList });
				return right(wrong, 'the watching is interrupted');
			}
			case 'resumed':
				return right(book.resume(), 'the watching is resumed');
			case 'delayed':
			case 'expired': {
				const createdAt = this.service.createdAt(hash);
				const shownAt = (each: string) => this.service.shownOpenAt(each);
				const reached = { hash, reference: json.reference, createdAt, shownAt, now, emittedAt };
				const note = json.event === 'delayed' ? 'an order is delayed' : 'an order has expired';
				return right(book.reach(json.event, reached), note);
			}
		}
		if (!this.service.reported.has(`${hash}:${String(json.event)}`))
			throw this.failed(`${what}: the service never reported that`);
		if (json.eventId !== `${hash}:${String(json.event)}`)
			throw this.failed(`${what}: its eventId is ${String(json.eventId)}`);
		const wrong = book.emit(hash, json.reference, now);
		if (wrong !== null) throw this.failed(`${what}: ${wrong}`);
		this.emitted.push(String(json.eventId));
		this.everEmitted.add(`${trigger}:${String(json.eventId)}`);
		this.note('an event is emitted');
	}

	/** What is wrong may be noticed deep inside of the shipped code, which would swallow an error. */
	private failed(message: string): Error {
		this.failures.push(message);
		return new Error(message);
	}

	readonly failures: string[] = [];

	private async request(
		process: Process,
		trigger: number,
		{ url, qs, abortSignal }: IHttpRequestOptions,
	): Promise<unknown> {
		const { delayMs, response } = this.service.answer(url, String(qs?.sourceHash ?? ''));
		const signal = abortSignal as AbortSignal;
		if (delayMs >= LONGEST_WAIT_MS) time.letDeadlineCome(signal);
		this.inFlight[trigger] = (this.inFlight[trigger] ?? 0) + 1;
		return await new Promise((resolve, reject) => {
			signal.addEventListener(
				'abort',
				() => reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' })),
				{ once: true },
			);
			time.at(time.now() + delayMs, () => {
				if (!process.isAlive) return;
				this.inFlight[trigger] = (this.inFlight[trigger] ?? 0) - 1;
				if (signal.aborted) this.note('answer: comes too late');
				if (this.service.isWrong(url, response)) this.problemAt = time.now();
				// The configuration says nothing of the orders.
				else if (
					!url.endsWith('/config') &&
					response !== null &&
					[200, 400, 404].includes(response.statusCode)
				)
					this.workedAt[trigger] = time.now();
				if (response === null)
					reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
				else resolve(response);
			});
		});
	}

	// The database

	private workflowFromDatabase(): WorkflowCopy {
		const data = JSON.parse(this.column) as IDataObject;
		return {
			staticData: ObservableObject.create(data, undefined, {
				ignoreEmptyOnFirstChild: true,
			}) as WorkflowCopy['staticData'],
		};
	}

	private saveColumn(workflow: WorkflowCopy, triggers: readonly number[]): void {
		if (workflow.staticData.__dataChanged !== true) return;
		workflow.staticData.__dataChanged = false;
		this.column = JSON.stringify(workflow.staticData);
		this.noteSave(triggers);
	}

	/** In the durable engine only what these triggers know is saved. */
	private noteSave(triggers: readonly number[]): void {
		const before = this.saves.at(-1)?.books;
		const books = this.books.map((book, trigger) => {
			if (this.engine === 'durable' && !triggers.includes(trigger))
				return before?.[trigger] ?? this.newBook(trigger);
			if (this.engine === 'default' && triggers.includes(trigger)) book.uncommitted.clear();
			return book.copyWithoutUncommitted();
		});
		this.saves.push({ column: this.column, cursors: new Map(this.cursors), books });
		const most = books.reduce(
			(bytes, book, trigger) => bytes + book.mostBytes(this.longestLists[trigger] ?? 0),
			0,
		);
		// The durable engine keeps the column as the activation left it, and the usual one keeps the table of the durable one.
		this.mostBytes = this.hasRunDurably ? Math.max(this.mostBytes, most) : most;
		for (const kept of [this.column, ...this.cursors.values()]) {
			if (withoutInbox(kept).length > this.mostBytes)
				throw this.failed(`${kept.length} bytes are kept, ${this.mostBytes} are enough: ${kept}`);
		}
	}

	private bookOf(trigger: number): Book {
		const book = this.books[trigger];
		if (book === undefined) throw new Error(`No trigger ${trigger}`);
		return book;
	}

	private listOf(trigger: number): readonly string[] {
		return this.lists[trigger] ?? [];
	}
}

/** As Workflow.getStaticData of n8n-workflow. */
function staticData(workflow: WorkflowCopy, key: string): IDataObject {
	if (workflow.staticData[key] === undefined) {
		workflow.staticData[key] = ObservableObject.create(
			{},
			workflow.staticData as Required<WorkflowCopy['staticData']>,
		) as IDataObject;
	}
	return workflow.staticData[key] as IDataObject;
}

function expectSame(what: string, found: unknown, expected: unknown): void {
	if (!isDeepStrictEqual(found, expected))
		throw new Error(`${what} is ${JSON.stringify(found)}, and not ${JSON.stringify(expected)}`);
}

/** Calls that wait for a poll, and which of them are taken, are bounded by themselves: they are gone with the call after them. */
function withoutInbox(kept: string): string {
	return JSON.stringify(JSON.parse(kept), (name, value: unknown) =>
		name === 'crossChainBridgeInbox' || name === 'taken' ? undefined : value,
	);
}
