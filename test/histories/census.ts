import { TROUBLES } from './service';

/** What histories are to be made of. Each kind has to occur, or what is said of all histories says nothing of it. */

const IN_BOTH_ENGINES = [
	'an order begins',
	'an order moves on',
	'an order ends',
	'an order skips states to its end',
	'an order is listed',
	'a listed order is removed',
	'a removed order is listed again',
	'an order ends while it is not listed',
	'an order is posted',
	'answer: right',
	...TROUBLES.map((trouble) => `answer: ${trouble}` as const),
	'answer: comes when nobody waits any more',
	'poll: of a new registration while an older one is looking',
	'poll: waits long for the credential',
	'poll: finds no credential',
	'poll: fails visibly',
	'publishing: polls',
	'publishing: is refused',
	'publishing: what its poll kept is thrown away',
	'restart: with the state that was saved last',
	'restart: with an older state',
	'restart: while a poll is under way',
	'n8n refuses to start the workflow',
	'an end is told',
] as const;

const ONLY_IN = {
	default: [
		'a post is taken',
		'a post is refused',
		'a posted order is removed',
		'an order is given up',
		'poll: finds another one under way',
		'poll: of a registration that is long replaced',
		'another step writes an older state of the workflow',
		'tick: brings an end',
	],
	durable: [
		'poll: is timed out by n8n',
		'poll: looks on although its workflow is no longer published',
		'publishing: finds its job at work and does not poll',
		'commit: takes long',
		'restart: while a start is being committed',
	],
} as const;

export type Kind = (typeof IN_BOTH_ENGINES)[number] | (typeof ONLY_IN)['default' | 'durable'][number];

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
		const lines = this.kinds().map((kind) => `${String(this.counts.get(kind) ?? 0).padStart(9)}  ${kind}`);
		return [`${this.histories} histories of the ${this.engine} engine; of these, so many in which`, ...lines, ''].join('\n');
	}

	private kinds(): Kind[] {
		return [...IN_BOTH_ENGINES, ...ONLY_IN[this.engine]];
	}
}
