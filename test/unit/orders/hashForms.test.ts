import { wordsIn } from '../../../nodes/CrossChainBridge/orders/hashForms';

/** The words of a text that have the form of a hash or a wallet, with their places. */

const HASH = `0x${'4d'.repeat(32)}`;
const BARE = 'a1'.repeat(32);
const WALLET = `0x${'5e'.repeat(20)}`;
const SOLANA =
	'3VQk7uKzM9cJbD2hYxT5wRfN8gLpEaS4vXjB6nCqZrWmUtKyHdGePs1oF2iA9Jxm7QkVbNcTzYwLhRgDuEfMpSa';

test.each<[string, string[]]>([
	[HASH, [HASH]],
	[`${HASH} ${BARE} ${HASH} ${WALLET}`, [HASH, BARE, HASH, WALLET]],
	[`${WALLET}: ${SOLANA}, ${BARE}#0; ${SOLANA}`, [WALLET, SOLANA, BARE, SOLANA]],
	[`${BARE} ${SOLANA} ${BARE} ${SOLANA} ${HASH}`, [BARE, SOLANA, BARE, SOLANA, HASH]],
	['Rent for May', []],
])('the words of %j, each at its place', (text, words) => {
	const found = wordsIn(text).sort((one, other) => one.start - other.start);
	expect(found.map((word) => word.text)).toEqual(words);
	expect(found.map(({ start, end }) => text.slice(start, end).replace(/#\d+$/, ''))).toEqual(words);
});
