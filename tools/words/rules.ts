/** What documents, editor texts and code say instead: the field's words, for readers who know n8n and distributed systems. */
export interface WordRule {
	say: string;
	/** Found in lower-case prose, as whole words. */
	not: RegExp;
}

export const WORD_RULES: WordRule[] = [
	{ say: 'check', not: /\blook(?:s|ed|ing)?\b(?! up\b| like\b)/ },
	{
		say: 'finishes, finished order, final status',
		not: /\b(?:an|each|every|its|their|no) ends?\b|\b(?:has|have|had) ended\b|\bends (?:that|which)\b/,
	},
	{ say: 'event, emit; for users: notified, reported', not: /\bnews\b|\btells?\b|\b(?:un)?told\b/ },
	{ say: 'apply a check result', not: /\btakes? in\b|\btook in\b/ },
	{
		say: 'service error, transient error, consecutive failed polls',
		not: /\brefusals?\b|\btroubled?\b/,
	},
	{ say: 'needs the user', not: /\bneeds? a person\b/ },
	{ say: 'permit', not: /\btickets?\b/ },
	{ say: 'queue key', not: /\blanes?\b/ },
	{ say: 'sliding-window log', not: /\bledgers?\b/ },
	{ say: 'reduced limit, circuit open', not: /\bshrunk\b|\bis blocked\b/ },
	{ say: 'expected arrivals', not: /\bnewcomers?\b/ },
	{ say: 'started at', not: /\bborn at\b/ },
	{ say: 'budget group', not: /\bfellowships?\b/ },
	{ say: 'check statistics', not: /\btall(?:y|ies)\b/ },
	{ say: 'in flight, pending results', not: /\bin the air\b|\bunread\b/ },
	{ say: 'session', not: /\blive watch(?:es)?\b/ },
	{ say: 'fix', not: /\bmend(?:s|ed|ing)?\b/ },
	{ say: 'continue, resume', not: /\b(?:go|goes|going|went|gone) on\b/ },
	{ say: 'contain', not: /\b(?:holds?|held)\b/ },
	{ say: 'up to', not: /\bat most\b(?! once)/ },
	{ say: 'only', not: /\balone\b/ },
	{ say: 'by default; of time: initially', not: /\bat first\b/ },
	{ say: 'again', not: /\banew\b/ },
	{ say: 'node', not: /\b(?:next|later|following) steps?\b/ },
	{ say: 'when you publish', not: /\b(?:a|an|the|each|every|next) publishing\b/ },
];

/** What users read, in documents and in the editor, says besides; code has a service and its answers. */
export const USER_WORD_RULES: WordRule[] = [
	{ say: 'the bridge', not: /\bbridge service\b(?! interface\b)/ },
	{ say: 'source network', not: /\bsource chains?\b/ },
	{ say: 'response', not: /\b(?:(?:bridge|service)'s|hostile|half|first) answers?\b/ },
];

/** Plain English in another sense, which code may have; lower-case, `\s` where a comment may go to the next line. */
export const CODE_IDIOMS =
	/\b(?:told\sapart|(?:holds?|held)\s(?:back|up)|look(?:s|ed|ing)?\sfor|holds\s(?:its\s)?lease|at\sfirst\sfailure)\b/g;

/** Words in code that are not ours: the file, and the text as it stands there. */
export const QUOTED: ReadonlyArray<readonly [file: string, text: string]> = [
	['e2e/checks/faults.ts', "'Old news'"],
	['e2e/checks/faults.ts', "'News'"],
	['e2e/editor/waitPath.ts', 'Open a Ticket'],
	['e2e/standIns/rssFeed.ts', '<title>News</title>'],
	['test/package/examples.test.ts', 'looks?|looked|ends?|ended|told'],
];

/** Code that is about these words. */
export const ABOUT_WORDS: readonly string[] = ['tools/words/rules.ts'];

/** How many words each shelf may have: nobody reads more. */
export interface Shelf {
	name: string;
	most: number;
	/** Whether a document, as a path from the project's top, stands there. */
	has: (document: string) => boolean;
}

export const SHELVES: Shelf[] = [
	{
		name: 'documents for users',
		most: 7_000,
		has: (document) => /^(?:README\.md|docs\/[^/]+\.md|examples\/README\.md)$/.test(document),
	},
	{
		name: 'docs/internals',
		most: 5_000,
		has: (document) => document.startsWith('docs/internals/'),
	},
];
