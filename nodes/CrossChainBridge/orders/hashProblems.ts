const COMPLETE =
	"Enter the complete hash of the transaction on the source network, or the link to the transaction's page in a block explorer.";

/** Why a text names no order, in words for people: what is wrong, and what to do. Of several the first explains best. */
const PROBLEMS = {
	secret: [
		"'{found}' names something that must stay secret",
		`Remove it: anyone who has it can take the funds. ${COMPLETE}`,
	],
	safe: [
		"'{found}' has a hash of the Safe, which is not the hash of a transaction",
		"When the Safe has executed the transaction, copy 'Transaction hash' from its details.",
	],
	address: [
		"'{found}' looks like a wallet address, not like a transaction hash",
		'Enter the hash of the transaction. A wallet address usually has 40 digits after 0x, a transaction hash 64.',
	],
	page: [
		'\'{found}\' is about "{detail}", not about a transaction on the source network',
		COMPLETE,
	],
	cut: ["'{found}' is shortened", COMPLETE],
	digits: ["'{found}' has {detail} digits after 0x instead of 64", COMPLETE],
	noHash: ["'{found}' is not a transaction hash", COMPLETE],
	broken: [
		"The hash in '{found}' is broken by a space or a new line",
		'Join the pieces, or copy the hash again.',
	],
	several: [
		"'{found}' and '{detail}' could both be the hash",
		'Keep the hash of the transaction on the source network. If these are two orders, enter each of them separately.',
	],
	noColumn: [
		'there is no field sourceHash, {found}',
		'Give the field that has the hash one of these names: sourceHash, txHash, transactionHash, hash or tx.',
	],
} as const;

/** `found` is the text, cut for a message; `detail` is a page, the number of digits, or another hash. */
export interface HashProblem {
	kind: keyof typeof PROBLEMS;
	found: string;
	detail?: string;
}

/** A problem in words for people: what is wrong, and what to do. */
export function hashProblemWords(problem: HashProblem): [what: string, remedy: string] {
	const [what, remedy] = PROBLEMS[problem.kind];
	const { found, detail = '' } = problem;
	return [what.replace(/\{(\w+)\}/g, (_, name) => (name === 'found' ? found : detail)), remedy];
}
