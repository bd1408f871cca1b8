import { FAULTS } from './service';

/** What has to occur in histories. A kind that never occurs is not covered by any of them. */

const IN_BOTH_ENGINES = [
	'an order begins',
	'an order moves on',
	'an order finishes',
	'an order skips states before it finishes',
	'an order is listed',
	'a listed order is removed',
	'a removed order is listed again',
	'an order finishes while it is not listed',
	'an order is posted',
	'a post is accepted',
	'a post is rejected',
	'a posted order is removed',
	'answer: right',
	...FAULTS.map((fault) => `answer: ${fault}` as const),
	'answer: comes too late',
	'poll: of a new registration while an older one is checking',
	'poll: waits long for the credential',
	'poll: finds no credential',
	'poll: fails visibly',
	'publish: polls',
	'publish: fails',
	'publish: what its poll saved is thrown away',
	'restart: with the state that was saved last',
	'restart: with an older state',
	'restart: while a poll is under way',
	'restart: in the other poll engine',
	'n8n fails to start the workflow',
	'an event is emitted',
	'an order is delayed',
	'an order has expired',
	'an order is replaced',
	'the watching is interrupted',
	'the watching is resumed',
	'the list cannot be read',
	'the list cannot be read to the end',
] as const;

const ONLY_IN = {
	default: [
		'the watch of an order ends',
		'poll: finds another one under way',
		'poll: of a registration that was replaced long ago',
		'another node writes an older state of the workflow',
		'a trigger of another service saves an older copy of the workflow',
		'n8n starts while the list cannot be read',
		'tick: emits an event',
	],
	durable: [
		'poll: still checks although its workflow is no longer published',
		'publish: finds its job active and does not poll',
		'commit: takes long',
		'restart: while a start is being committed',
		'restart: in the other poll engine, with a call that no poll has read',
	],
} as const;

export type Kind =
	(typeof IN_BOTH_ENGINES)[number] | (typeof ONLY_IN)['default' | 'durable'][number];

/** Takes down that something has occurred. */
export type Note = (kind: Kind) => void;

/** In how many histories each kind has occurred. */
export class Census {
	private histories = 0;

	private readonly counts = new Map<Kind, number>();

	constructor(private readonly engine: 'default' | 'durable') {}

	/** What the next history occurs in. */
	beginHistory(): Note {
		const seen = new Set<Kind>();
		this.histories++;
		return (kind) => {
			if (seen.has(kind)) return;
			seen.add(kind);
			this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
		};
	}

	/** Kinds that have not occurred at all. */
	missing(): Kind[] {
		return this.kinds().filter((kind) => !this.counts.has(kind));
	}

	/** A line for each kind. */
	table(): string {
		const lines = this.kinds().map(
			(kind) => `${String(this.counts.get(kind) ?? 0).padStart(9)}  ${kind}`,
		);
		return [
			`${this.histories} histories of the ${this.engine} engine; of these, so many in which`,
			...lines,
			'',
		].join('\n');
	}

	private kinds(): Kind[] {
		return [...IN_BOTH_ENGINES, ...ONLY_IN[this.engine]];
	}
}
