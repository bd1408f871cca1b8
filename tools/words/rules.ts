/** A word that is ruled out: one thing has one name, and English is plain. There is no limit of length. */
export interface WordRule {
	say: string;
	/** Found in lower-case prose; a space stands for any white space. */
	not: RegExp;
}

/** In documents, editor texts and code alike, comments and names of tests included. DESIGN.md's table, as far as words can be found. */
export const WORD_RULES: WordRule[] = [
	{
		say: 'finishes, finished order, final status',
		not: /\b(?:an|each|every|its|their|no) ends?\b|\b(?:has|have|had) ended\b|\bends (?:that|which)\b/,
	},
	{ say: 'event, emit; for users: notified, reported', not: /\bnews\b|\buntold\b/ },
	{ say: 'service error, transient error, rate limited', not: /\brefusals?\b|\btroubled?\b/ },
	{ say: 'permit; acquire, release', not: /\btickets?\b/ },
	{ say: 'sliding-window log', not: /\bledgers?\b/ },
	{ say: 'reduced limit, circuit open', not: /\bshrunk\b/ },
	{ say: 'session', not: /\blive watch(?:es)?\b|\bfellowships?\b/ },
	{ say: 'not found', not: /\bsought\b/ },
	{
		say: 'if',
		not: /\b(?:null|absent|empty|only|except|even|also|missing|none|infinity|false|true) where\b|(?<=; |\/\/ )where (?!to |is |are |do |does |did |can |it |[^.\n]*\?)/,
	},
	{ say: 'because', not: /, since (?!then\b|when\b|which\b|it was\b|\d|n8n \d|[=+})\]])/ },
	{ say: 'otherwise', not: /[;,]\x20else\b(?! \w+=)|\bor\x20else\b/ },
	{
		say: 'after',
		not: /(?<!\b(?:left|leaves?|no|nothing|ghosts|waits?|is)\b[^.\n]{0,24} )\bbehind\b/,
	},
	{ say: 'next to, besides', not: /\bbeside\b/ },
	{ say: 'except', not: /\bbut for\b/ },
	{ say: 'anyone who', not: /\bwhoever\b|\bwhomever\b/ },
	{
		say: 'fields that, orders that, errors (a noun)',
		not: /(?<=[.;] |\/\*\* |\/\/ )what (?:is|was|has|comes|came|passes|fails|finished) (?!known|in it)[^.?:;,\n]{0,40}? (?:is|are|was|stays?|counts?|does not) (?!found)/,
	},
	{
		say: 'American spelling',
		not: /\b(?:neighbours?|honours?|licences?|behaviours?|colours?|recognise[sd]?|normalise[sd]?|labelled)\b/,
	},
];

/** In texts for users as well: in their documents and in the editor. Code has a service, and calls that are posted. */
export const USER_WORD_RULES: WordRule[] = [
	{ say: 'the bridge', not: /\bbridge service\b(?! interface\b)|\b(?:its|bridge's) operators?\b/ },
	{ say: 'source network', not: /\bsource chains?\b/ },
	{ say: 'response', not: /\b(?:(?:bridge|service)'s|hostile|half|first) answers?\b/ },
	{ say: 'name', not: /\blabels?\b|\bname of your own\b/ },
	{ say: 'send (an order), sent by webhook', not: /\b(?:posted|posting|posters?)\b/ },
	{ say: 'when you publish', not: /\b(?:a|an|the|each|every|next) publishing\b/ },
];

/** Plain English in another sense, which code may have; lower-case, `\s` where a comment may go to the next line. */
export const CODE_IDIOMS = /\b(?:behind\s(?:a|the)\s(?:proxy|busy|login))/g;

/** Words in code that are not ours: the file, and the text as it stands there. */
export const QUOTED: ReadonlyArray<readonly [file: string, text: string]> = [
	['e2e/checks/faults.ts', "'Old news'"],
	['e2e/checks/faults.ts', "'News'"],
	['e2e/editor/waitPath.ts', 'Open a Ticket'],
	['e2e/standIns/rssFeed.ts', '<title>News</title>'],
];

/** Code that is about these words. */
export const ABOUT_WORDS: readonly string[] = [
	'tools/words/rules.ts',
	'test/unit/tools/words.test.ts',
];

/** Documents for users; all others are for developers, who may read of posts and labels. */
export const FOR_USERS =
	/^(?:README\.md|SECURITY\.md|CHANGELOG\.md|docs\/[^/]+\.md|examples\/README\.md)$/;
