import fc from 'fast-check';

import { isHash, orderKey } from '../../../nodes/CrossChainBridge/orders/hashForms';
import {
	type HashProblem,
	hashProblemWords,
} from '../../../nodes/CrossChainBridge/orders/hashProblems';
import { readHash, readLine, readRow } from '../../../nodes/CrossChainBridge/orders/sourceHash';
import { shown } from '../shownWord';

/** The one reader of hashes: for a field, a line of the list, a row and a post. */

const A = `0x${'a1'.repeat(32)}`;
const B = `0x${'B2'.repeat(32)}`;
const WALLET = `0x${'d4'.repeat(20)}`;
const PADDED = `0x${'0'.repeat(24)}${'d4'.repeat(20)}`;
const BARE = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';
const SOLANA =
	'5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const SUI = 'CDVTiGSH6WfnRmwxTkk8c8FVqgfHvH1xBwkk2S4dC7sP';
const TON = 'k9n8LqI7mZ1wXyY+3/uV0aBcDeFgHiJkLmNoPqRsTuU=';
const TON_URL = 'k9n8LqI7mZ1wXyY-3_uV0aBcDeFgHiJkLmNoPqRsTuU';
const FILECOIN = `bafy2bz${'a2b3c'.repeat(11)}`;
const MD5 = 'd41d8cd98f00b204e9800998ecf8427e';
const UUID = 'd290f1ee-6c54-4b01-90e6-d701748f0851';
const SAFE = `multisig_${WALLET}_${A}`;
const CLICK = 'IwAR0'.concat('aBc3dEf6gHj8kMn2'.repeat(5)).slice(0, 80);
const encoded = encodeURIComponent(`https://etherscan.io/tx/${A}`);
const link = `https://etherscan.io/tx/${A}`;

type Named = [hash: string, name?: string | null, link?: string | null];

const read = (text: string): Named | HashProblem['kind'] => {
	const one = readHash(text);
	return one.ok ? [one.hash, one.name, one.link] : one.problem.kind;
};

test.each<[string, string, Named]>([
	// The hash, in any wrapping.
	['a hash', A, [A]],
	['white space around it', `\t${A}\n`, [A]],
	['brackets', `(${A})`, [A]],
	['square brackets', `[${A}]`, [A]],
	['quotes', `"${A}"`, [A]],
	['curly quotes', `“${A}”`, [A]],
	['backticks and a comma', `\`${A}\`,`, [A]],
	['bold', `**${A}**`, [A]],
	['Markdown for italic', `_${A}_`, [A]],
	['a list item', `- ${A}`, [A]],
	['the end of a sentence', `${A}.`, [A]],
	['0X', A.replace('0x', '0X'), [A.replace('0x', '0X')]],
	['a chain before it, as CAIP writes it', `eip155:1:${A}`, [A, 'eip155:1']],
	['a chain and tx', `eip155:1/tx:${A}`, [A, 'eip155:1/tx']],
	['a column’s name before it', `"sourceHash": "${A}",`, [A]],
	['another column’s name', `"txHash": "${A}"`, [A]],
	['the same hash twice', `${A} ${A.toUpperCase().replace('0X', '0x')}`, [A]],
	['an ellipsis after all of it', `${A}…`, [A]],
	// Invisible characters.
	['a soft hyphen inside', `${A.slice(0, 20)}\u00ad${A.slice(20)}`, [A]],
	['a zero-width space inside', `${A.slice(0, 40)}\u200b${A.slice(40)}`, [A]],
	['a zero-width space after it', `${A}\u200b`, [A]],
	['a word joiner between 0 and x', `0\u2060x${A.slice(2)}`, [A]],
	['a mark of byte order', `\ufeff${A}`, [A]],
	['directions around it', `\u202a${A}\u202c`, [A]],
	['isolates around it', `\u2066${A}\u2069`, [A]],
	['a variation selector', `${A.slice(0, 9)}\ufe0f${A.slice(9)}`, [A]],
	['a tag', `${A.slice(0, 9)}\u{e0041}${A.slice(9)}`, [A]],
	['a control', `${A.slice(0, 9)}\u0000${A.slice(9)}`, [A]],
	['a combining grapheme joiner', `${A.slice(0, 9)}\u034f${A.slice(9)}`, [A]],
	// Names.
	['a name', `Rent: ${A}`, [A, 'Rent']],
	['a name after it', `${A} Invoice 4711`, [A, 'Invoice 4711']],
	['a name around it', `from Ann ${A} to Bob`, [A, 'from Ann to Bob']],
	['a name in brackets', `${A} (Ann)`, [A, '(Ann)']],
	['a name without a space', `ref_${A}`, [A, 'ref']],
	['a name that touches it', `ref${A}`, [A, 'ref']],
	['a name in another script', `订单${A}`, [A, '订单']],
	['a name in another script around it', `订单${A}租金`, [A, '订单 租金']],
	...['()', '„“', '«»', '“”', '``', "''", '""', '{}', '[]', '（）', '<>'].flatMap(
		([open = '', close = '']): Array<[string, string, Named]> => [
			[`a name around it in ${open}${close}`, `Rent ${open}${A}${close} May`, [A, 'Rent May']],
			[
				`a name around it in ${open}${close} with spaces`,
				`Rent ${open} ${A} ${close} May`,
				[A, 'Rent May'],
			],
		],
	),
	['a name around it in brackets that touch it', `Rent(${A})May`, [A, 'Rent May']],
	['a name that ends like a label after it', `${A} My order ID`, [A, 'My order ID']],
	['a name with commas, dashes and signs', `ACME, Inc. – 3 = ${A}`, [A, 'ACME, Inc. – 3']],
	['a name of 32 hexadecimal digits', `${MD5}: ${A}`, [A, MD5]],
	['cells with two IDs of 32 digits', `${A}\t${MD5}\t${MD5}`, [A, `${MD5} ${MD5}`]],
	['a name that is a UUID', `${UUID}: ${A}`, [A, UUID]],
	['a name that only begins with destination', `Destination Base: ${A}`, [A, 'Destination Base']],
	['a name with a payout', `Payout Ann: ${A}`, [A, 'Payout Ann']],
	['a payout that the user sends', `payout tx: ${A}`, [A, 'payout tx']],
	['the same, longer', `Payout transaction Ann: ${A}`, [A, 'Payout transaction Ann']],
	['the same, with its hash', `Payout hash: ${A}`, [A, 'Payout hash']],
	['a name that leads to it', `Link to tx: ${A}`, [A, 'Link to tx']],
	...[
		'Sold out tx',
		'Sold-out tx',
		'checkout tx',
		'cash_out_tx',
		'about tx',
		'filled tx',
		'Refill tx',
		'Never received tx',
		'Received ETH, tx',
		'Tx to Ann',
		'Tx in',
	].map((name): [string, string, [string, string]] => [
		`a name with a word of the destination’s: ${name}`,
		`${name}: ${A}`,
		[A, name],
	]),
	['a name with a secret', `Secret Santa, ${A}`, [A, 'Secret Santa']],
	['a name that is a seed round', `Seed round: ${A}`, [A, 'Seed round']],
	['initials', `SK: ${A}`, [A, 'SK']],
	['other initials', `Ann (PK) ${A}`, [A, 'Ann (PK)']],
	['a word that some have for a secret', `Seed ${A}`, [A, 'Seed']],
	[
		'the warning of a mail after a link',
		`Your transfer: ${link} — Never share your private key or seed phrase`,
		[A, 'Your transfer: — Never share your private key or seed phrase', link],
	],
	[
		'the warning of a mail before a hash',
		`Never share your private key or seed phrase.\n${A}`,
		[A, 'Never share your private key or seed phrase'],
	],
	[
		'the same around it',
		`Keep your mnemonic safe. ${A} Secret keys stay with you`,
		[A, 'Keep your mnemonic safe. Secret keys stay with you'],
	],
	[
		'the same next to the link of an explorer with a parameter',
		`Never share your private key: https://explorer/?tx=${A} - private key`,
		[A, 'Never share your private key: - private key', `https://explorer/?tx=${A}`],
	],
	[
		'the same in a field of JSON',
		`{"note":"Never share your private key","hash":"${A}","name":"Ann"}`,
		[A, 'Ann'],
	],
	['an empty field for a secret', `{"privateKey":null,"hash":"${A}"}`, [A]],
	// A wallet next to a complete hash is no order.
	[
		'a message with a wallet',
		`I sent 0.5 ETH from ${WALLET}. Tx: ${A}`,
		[A, `I sent 0.5 ETH from ${WALLET}. Tx`],
	],
	['cells with a wallet', `${A}\t${WALLET}\t0.5 ETH`, [A, `${WALLET} 0.5 ETH`]],
	[
		'the page of a block explorer',
		`Transaction Hash:\n${A}\nFrom:\n${WALLET}\nTo:\n${WALLET}`,
		[A, `Transaction Hash: From: ${WALLET} To: ${WALLET}`],
	],
	['a shortened wallet', `Rent (0x8617…070d): ${A}`, [A, 'Rent (0x8617…070d)']],
	['nothing but a shortened wallet', `0x8617…070d: ${A}`, [A, '0x8617…070d']],
	['one with dots', `Ann 0x8617...070d ${BARE}`, [BARE, 'Ann 0x8617...070d']],
	['one of Solana', `Ann 3VQk…Jxm9 ${SOLANA}`, [SOLANA, 'Ann 3VQk…Jxm9']],
	['a wallet with a name, after a comma', `Rent: ${A}, to ${WALLET}`, [A, `Rent: , to ${WALLET}`]],
	[
		'a wallet that its entry says to be one',
		`Tx: ${A}, From: 0x8617…070d; recipientAddress: ${WALLET}`,
		[A, `Tx: , From: 0x8617…070d; recipientAddress: ${WALLET}`],
	],
	['a wallet in the entry of the hash', `ACME, Inc (${WALLET}) ${A}`, [A, `ACME, Inc (${WALLET})`]],
	[
		'cells with a wallet and an amount',
		`Ann\t${WALLET}\t1,000 USDC\t${A}`,
		[A, `Ann ${WALLET} 1,000 USDC`],
	],
	[
		'a link to a wallet after a comma',
		`${A}, https://etherscan.io/address/${WALLET}`,
		[A, `https://etherscan.io/address/${WALLET}`],
	],
	[
		'a link to a wallet',
		`${A} https://etherscan.io/address/${WALLET}`,
		[A, `https://etherscan.io/address/${WALLET}`],
	],
	['a wallet in 32 bytes next to a hash', `${A} ${PADDED}`, [A, PADDED]],
	['a raw wallet of TON next to a hash', `Ann 0:${BARE} ${A}`, [A, `Ann 0:${BARE}`]],
	...[TON, `0x${'a1'.repeat(48)}`, `oo${'nDmRk7vQ'.repeat(6)}A`, 'AB23'.repeat(13), FILECOIN].map(
		(hash): [string, string, Named] => [
			`a wallet next to a hash of another form: ${hash}`,
			`Ann ${WALLET} ${hash}`,
			[hash, `Ann ${WALLET}`],
		],
	),
	[
		'a wallet of Cardano',
		`${A} addr1${'q9vf3zld0s'.repeat(9)}`,
		[A, `addr1${'q9vf3zld0s'.repeat(9)}`],
	],
	[
		'a wallet next to what a link names as its transaction',
		`Ann ${WALLET} https://nearblocks.io/txns/${SUI}`,
		[SUI, `Ann ${WALLET}`, `https://nearblocks.io/txns/${SUI}`],
	],
	['a link of a country', `https://explorer.pk/tx/${A}`, [A, null, `https://explorer.pk/tx/${A}`]],
	[
		'a long name',
		`Invoice-2026-11-27-Customer-Mueller-GmbH-4711: ${A}`,
		[A, 'Invoice-2026-11-27-Customer-Mueller-GmbH-4711'],
	],
	['a very long name', `${'a long name '.repeat(30)}: ${A}`, [A, 'a long name '.repeat(30).trim()]],
	['the hash once more, shortened', `0xa1a1…a1a1: ${A}`, [A]],
	['a name next to an ID', `Order 4711, ID 5: ${A}`, [A, 'Order 4711, ID 5']],
	['a name in HTML', `<td>Rent</td><td>${A}</td>`, [A, 'Rent']],
	['a name in two cells', `<td>Rent</td><td>May</td><td>${A}</td>`, [A, 'Rent May']],
	['a link in HTML', `<p><a class="x" href="${link}">Rent</a></p>`, [A, 'Rent', link]],
	['a name in angle brackets', `<Ann> ${A}`, [A, 'Ann']],
	['a name that begins with 0x', `0xRent: ${A}`, [A, '0xRent']],
	['a name of 0x and a few digits', `0xBABE, ${A}`, [A, '0xBABE']],
	['a name of 0x and 16 digits', `0x0123456789abcdef: ${A}`, [A, '0x0123456789abcdef']],
	['a name that is a commit', `${'0f'.repeat(20)} ${A}`, [A, '0f'.repeat(20)]],
	['a name that is a number of 50 digits', `${'50'.repeat(25)}, ${A}`, [A, '50'.repeat(25)]],
	[
		'a name that is a range',
		`10th...12th, INV001...INV005: ${A}`,
		[A, '10th...12th, INV001...INV005'],
	],
	['a name with an ellipsis', `Rent2026...paid ${A}`, [A, 'Rent2026...paid']],
	['a range of years in a list', `2026...2027, Rent: ${A}`, [A, '2026...2027, Rent']],
	['words with an ellipsis in a list', `Rent...paid, Ann: ${A}`, [A, 'Rent...paid, Ann']],
	['a name of 44 letters and digits', `${'a1bz'.repeat(11)}, ${A}`, [A, 'a1bz'.repeat(11)]],
	['a name that begins with a number', `${'50'.repeat(25)}-7, ${A}`, [A, `${'50'.repeat(25)}-7`]],
	['a wallet that a name touches', `${WALLET}Tom: ${A}`, [A, `${WALLET}Tom`]],
	['a name with an order’s ID', `Order ID 4711: ${A}`, [A, 'Order ID 4711']],
	['a name before its label', `My order, hash: ${A}`, [A, 'My order, hash']],
	['a name with a border', `Border ID: ${A}`, [A, 'Border ID']],
	[
		'a link as its name',
		`${A} https://shop.example/orders/4711`,
		[A, 'https://shop.example/orders/4711'],
	],
	[
		'a link with a click ID as its name',
		`${A} https://shop.example/?fbclid=${CLICK}`,
		[A, `https://shop.example/?fbclid=${CLICK}`],
	],
	[
		'a receipt as its name',
		`${A} https://pay.example/receipts/${CLICK}`,
		[A, `https://pay.example/receipts/${CLICK}`],
	],
	['its beginning', `${A.slice(0, 30)}, ${A}`, [A]],
	['its beginning with an ellipsis', `${A.slice(0, 30)}… ${A}`, [A]],
	['its first and its last digits', `${A.slice(0, 30)}…${A.slice(-8)}: ${A}`, [A]],
	['the same without 0x', `a1a1…a1a1: ${A}`, [A]],
	[
		'the title of its page',
		`Transaction Hash: ${A.slice(0, 12)}... | Etherscan ${link}`,
		[A, 'Transaction Hash: | Etherscan', link],
	],
	['its link, shortened', `${link.slice(0, 40)}… ${A}`, [A]],
	['one of Solana once more, shortened', `5VER…kQUW: ${SOLANA}`, [SOLANA]],
	['a column’s name in brackets', `${A} (tx hash)`, [A]],
	['an object that is not quite JSON', `{sourceHash: '${A}'}`, [A]],
	['an object with a comma after it', `{"sourceHash":"${A}"},`, [A]],
	['the place of an output of Bitcoin', `txid:${BARE}:0`, [BARE]],
	['the place of an output of Cardano', `${BARE}#12`, [BARE]],
	['a number after a hash', `${A}:5`, [A, '5']],
	['an amount after 64 digits', `${BARE}:5ETH`, [BARE, '5ETH']],
	['the end of a sentence after a hash of Solana', `See ${SOLANA}.`, [SOLANA, 'See']],
	// JSON.
	['JSON', `{"sourceHash":"${A}"}`, [A]],
	['JSON with a name', ` {"txHash": "${A}", "Name": "Rent", "orderId": "${B}"}\n`, [A, 'Rent']],
	['JSON with a name next to the hash', `{"hash":"Rent: ${A}"}`, [A, 'Rent']],
	['JSON with a number as its name', `{"hash":"${A}","reference":7}`, [A, '7']],
	['JSON with a link', `{"hash":"${link}"}`, [A, null, link]],
	['an item of another node as JSON', `{"json":{"hash":"${A}"}}`, [A]],
	['a JSON list of one', `[[{"hash":"${A}"}]]`, [A]],
	['a JSON list of one hash', `["${A}"]`, [A]],
	// Other forms, where nothing better stands.
	['64 bare digits', BARE, [BARE]],
	['64 capitals', BARE.toUpperCase(), [BARE.toUpperCase()]],
	['64 digits with a name', `Ann: ${BARE}`, [BARE, 'Ann']],
	['64 digits after an underscore', `ref_${BARE}`, [BARE, 'ref']],
	['of Solana', SOLANA, [SOLANA]],
	['of Sui', SUI, [SUI]],
	['of TON', TON, [TON]],
	['of TON for links', TON_URL, [TON_URL]],
	['of Algorand', 'AB23'.repeat(13), ['AB23'.repeat(13)]],
	['of Tezos', `oo${'nDmRk7vQ'.repeat(6)}A`, [`oo${'nDmRk7vQ'.repeat(6)}A`]],
	['of Filecoin', FILECOIN, [FILECOIN]],
	['of Hedera', `0x${'a1'.repeat(48)}`, [`0x${'a1'.repeat(48)}`]],
	['of Starknet, without its zero', `0x${'a'.repeat(63)}`, [`0x${'a'.repeat(63)}`]],
	['of Starknet with a number', `0x${'a'.repeat(63)} 1`, [`0x${'a'.repeat(63)}`, '1']],
	['of Starknet with an amount', `0x${'a'.repeat(63)} 5 ETH`, [`0x${'a'.repeat(63)}`, '5 ETH']],
	[
		'of Starknet without two zeros, with an amount',
		`0x${'a'.repeat(62)} 10 USDC`,
		[`0x${'a'.repeat(62)}`, '10 USDC'],
	],
	// Links.
	['a link', link, [A, null, link]],
	['a link with a name', `Rent: ${link}`, [A, 'Rent', link]],
	['a name that touches a link', `Rent=${link}`, [A, 'Rent', link]],
	['Slack’s form', `<${link}>`, [A, null, link]],
	['Slack’s form with words', `<${link}|Rent>`, [A, 'Rent', link]],
	['Markdown’s form', `[Rent](${link})`, [A, '[Rent]', link]],
	['Markdown’s form with the hash', `[0xa1a1…a1a1](${link})`, [A, null, link]],
	['the end of a sentence', `See ${link}.`, [A, 'See', link]],
	['capitals', `HTTPS://ETHERSCAN.IO/TX/${A}`, [A, null, `HTTPS://ETHERSCAN.IO/TX/${A}`]],
	['no scheme', `etherscan.io/tx/${A}`, [A, null, link]],
	['no scheme, but www', `www.a.example/tx/${A}`, [A, null, `https://www.a.example/tx/${A}`]],
	['no scheme, but a port', `a.example:8443/tx/${A}`, [A, null, `https://a.example:8443/tx/${A}`]],
	['a redirect without a scheme', `www.google.com/url?q=${link}`, [A, null, link]],
	['a query after', `${link}?a=${WALLET}`, [A, null, `${link}?a=${WALLET}`]],
	['a fragment after', `${link}#eventlog`, [A, null, `${link}#eventlog`]],
	['an ending', `https://a.example/${A}.html`, [A, null, `https://a.example/${A}.html`]],
	['in the query', `https://a.example/?tx=${A}&n=1`, [A, null, `https://a.example/?tx=${A}&n=1`]],
	['&amp;', `https://a.example/?n=1&amp;tx=${A}`, [A, null, `https://a.example/?n=1&tx=${A}`]],
	['in the fragment', `https://a.example/#${A}`, [A, null, `https://a.example/#${A}`]],
	[
		'in a route',
		`https://a.example/#/tx/${BARE}?x=1`,
		[BARE, null, `https://a.example/#/tx/${BARE}?x=1`],
	],
	['in a route with !', `https://a.example/#!/tx/${A}`, [A, null, `https://a.example/#!/tx/${A}`]],
	['a click ID', `${link}?fbclid=${CLICK}`, [A, null, `${link}?fbclid=${CLICK}`]],
	[
		'the page that led to it',
		`${link}?ref=${link.replace(A, B)}`,
		[A, null, `${link}?ref=${link.replace(A, B)}`],
	],
	['a click ID with the form of a hash', `${link}?gclid=${B}`, [A, null, `${link}?gclid=${B}`]],
	['another parameter with a hash', `${link}?from=${B}`, [A, null, `${link}?from=${B}`]],
	[
		'0x in the query before 64 digits',
		`https://a.example/${BARE}?tx=${A}`,
		[A, null, `https://a.example/${BARE}?tx=${A}`],
	],
	[
		'a number after it',
		`https://axelarscan.io/gmp/${A}-2`,
		[A, null, `https://axelarscan.io/gmp/${A}-2`],
	],
	[
		'an account before it',
		`https://a.example/account/${WALLET}/tx/${A}`,
		[A, null, `https://a.example/account/${WALLET}/tx/${A}`],
	],
	['a redirect', `https://www.google.com/url?q=${encoded}&sa=D`, [A, null, link]],
	['a redirect that is not encoded', `https://www.google.com/url?q=${link}&sa=D`, [A, null, link]],
	[
		'two redirects',
		`https://l.example/?u=${encodeURIComponent(`https://www.google.com/url?q=${encoded}`)}`,
		[A, null, link],
	],
	['a link that is encoded', encoded, [A, null, link]],
	['one with http', encoded.replace('https', 'http'), [A, null, link.replace('https', 'http')]],
	[
		'a redirect to http',
		`https://www.google.com/url?q=http://a.example/tx/${A}`,
		[A, null, `http://a.example/tx/${A}`],
	],
	...['', 'id=', 'source=', 'sourceId=', 'q=', 'query=', 'search=', 'sig=', 'txSig=', 'txId='].map(
		(name): [string, string, Named] => [
			`a signature in the query after '${name}'`,
			`https://a.example/?${name}${SOLANA}`,
			[SOLANA, null, `https://a.example/?${name}${SOLANA}`],
		],
	),
	[
		'a parameter that only begins like one of tracking',
		`https://a.example/?refTx=${A}`,
		[A, null, `https://a.example/?refTx=${A}`],
	],
	[
		'a step that only begins like a page',
		`https://a.example/blockscan/${A}`,
		[A, null, `https://a.example/blockscan/${A}`],
	],
	['one that is encoded twice', encodeURIComponent(encoded), [A, null, link]],
	[
		'an encoded hash',
		`https://a.example/?tx=%30x${A.slice(2)}`,
		[A, null, `https://a.example/?tx=%30x${A.slice(2)}`],
	],
	['an encoded space', `https://a.example/%20${A}`, [A, null, `https://a.example/%20${A}`]],
	['a broken code', `https://a.example/%E0/${A}`, [A, null, `https://a.example/%E0/${A}`]],
	[
		'of Solana',
		`https://solscan.io/tx/${SOLANA}?cluster=x`,
		[SOLANA, null, `https://solscan.io/tx/${SOLANA}?cluster=x`],
	],
	[
		'of Sui',
		`https://suiscan.xyz/mainnet/tx/${SUI}`,
		[SUI, null, `https://suiscan.xyz/mainnet/tx/${SUI}`],
	],
	[
		'of NEAR',
		`https://nearblocks.io/txns/${SUI}`,
		[SUI, null, `https://nearblocks.io/txns/${SUI}`],
	],
	[
		'of TON',
		`https://tonscan.org/tx/${encodeURIComponent(TON)}#top`,
		[TON, null, `https://tonscan.org/tx/${encodeURIComponent(TON)}#top`],
	],
	[
		'a signature in the query',
		`https://a.example/?signature=${SOLANA}`,
		[SOLANA, null, `https://a.example/?signature=${SOLANA}`],
	],
	[
		'of Filecoin, which has messages',
		`https://filfox.info/en/message/${FILECOIN}`,
		[FILECOIN, null, `https://filfox.info/en/message/${FILECOIN}`],
	],
	[
		'a step that begins with transaction',
		`https://pikespeak.ai/transaction-viewer/${SUI}`,
		[SUI, null, `https://pikespeak.ai/transaction-viewer/${SUI}`],
	],
	['after the hash', `${A} ${link}`, [A, null, link]],
	['after the hash, with a name', `Rent ${A}: ${link}`, [A, 'Rent', link]],
	[
		'after a link that is not kept',
		`https://etherscan.io@evil.example/tx/${A} ${link}`,
		[A, null, link],
	],
	...['txHash', 'sourceTxHash', 'source_tx_hash', 'tx', 'hash', 'transactionId', 'srcTxHash'].map(
		(name): [string, string, Named] => [
			`an order, and its transaction in ${name}`,
			`https://bridge.example/order/${B}?${name}=${A}`,
			[A, null, `https://bridge.example/order/${B}?${name}=${A}`],
		],
	),
	[
		'an order, and the link to its transaction in tx',
		`https://bridge.example/order/${B}?tx=${encoded}`,
		[A, null, link],
	],
	[
		'an order, and its transaction in another form',
		`https://bridge.example/order/${B}?signature=${SOLANA}`,
		[SOLANA, null, `https://bridge.example/order/${B}?signature=${SOLANA}`],
	],
	[
		'a transaction before a parameter of the same name',
		`${link}?tx=${B}`,
		[A, null, `${link}?tx=${B}`],
	],
	[
		'a transaction in another form before any parameter',
		`https://solscan.io/tx/${SOLANA}?from=${B}`,
		[SOLANA, null, `https://solscan.io/tx/${SOLANA}?from=${B}`],
	],
	[
		'an order alone',
		`https://bridge.example/order/${A}`,
		[A, null, `https://bridge.example/order/${A}`],
	],
	[
		'the transactions of a wallet',
		`https://a.example/transactions/${WALLET}/${A}`,
		[A, null, `https://a.example/transactions/${WALLET}/${A}`],
	],
	[
		'an order before a parameter that does not name a transaction',
		`https://bridge.example/order/${A}?id=${B}&destTxHash=${B}`,
		[A, null, `https://bridge.example/order/${A}?id=${B}&destTxHash=${B}`],
	],
	[
		'a transaction, and the one that paid it out',
		`https://bridge.example/order/${A}?txOut=${B}`,
		[A, null, `https://bridge.example/order/${A}?txOut=${B}`],
	],
	[
		'a transaction that was paid out next to another',
		`https://a.example/?id=${A}&txOut=${B}`,
		[A, null, `https://a.example/?id=${A}&txOut=${B}`],
	],
	['a port', `http://127.0.0.1:4000/${A}`, [A, null, `http://127.0.0.1:4000/${A}`]],
	// Links that hide where they lead are not kept.
	['a user before the host', `https://etherscan.io@evil.example/tx/${A}`, [A]],
	['a user and a password', `https://etherscan.io:443@evil.example/tx/${A}`, [A]],
	['a port that is none', `https://etherscan.io:x@evil.example/tx/${A}`, [A]],
	['an encoded user', `https://etherscan.io%40evil.example/tx/${A}`, [A]],
	['a letter that looks like another', `https://еtherscan.io/tx/${A}`, [A]],
])('%s', (_what, text, [hash, name = null, kept = null]) => {
	expect(read(text)).toEqual([hash, name, kept]);
});

test.each<[string, string, HashProblem['kind']]>([
	['nothing', ' ', 'noHash'],
	['words', 'not a hash', 'noHash'],
	['words about a secret', 'my seed phrase is safe', 'noHash'],
	['null', 'null', 'noHash'],
	['undefined', 'undefined', 'noHash'],
	['an object as text', '[object Object]', 'noHash'],
	['an error of a sheet', '#N/A', 'noHash'],
	['a dash', '-', 'noHash'],
	['a UUID', UUID, 'noHash'],
	['a UUID without dashes', MD5, 'noHash'],
	['a label of many letters', 'Invoice-2026-11-27-Customer-Mueller-GmbH-4711', 'noHash'],
	['63 bare digits', 'a'.repeat(63), 'noHash'],
	['44 small letters', `${'abcdefghjk'.repeat(4)}abcd`, 'noHash'],
	['zeros next to a hash', `${A}, 0x${'0'.repeat(64)}`, 'noHash'],
	['45 letters and digits next to a hash', `${A}, ${'a1bcz'.repeat(9)}`, 'noHash'],
	['the same after a dash', `${A}, INV-${'a1bcz'.repeat(9)}`, 'noHash'],
	['64 digits after a letter', `x${BARE}`, 'noHash'],
	['64 digits after a letter that looks like x', `0х${BARE}`, 'noHash'],
	[
		'a letter that looks like another inside',
		`0x${'a1'.repeat(20)}а${'a1'.repeat(11)}a`,
		'address',
	],
	['a word too long for a hash', 'aB3'.repeat(90), 'noHash'],
	['letters after it', `${A}xyz`, 'noHash'],
	['a link without one', 'https://etherscan.io/tx/', 'noHash'],
	['a link with a click ID only', `https://etherscan.io/tx/?fbclid=${CLICK}`, 'noHash'],
	[
		'a link with a transaction as the page that led to it',
		`https://a.example/?ref=${link}`,
		'noHash',
	],
	['a link with a hash as click ID', `https://etherscan.io/?gclid=${A}`, 'noHash'],
	['one as another click ID', `https://etherscan.io/?msclkid=${A}`, 'noHash'],
	['one as the source of a campaign', `https://etherscan.io/?utm_source=${A}`, 'noHash'],
	['an unknown parameter in another form', `https://a.example/?session=${SOLANA}`, 'noHash'],
	['one that only begins with tx', `https://a.example/?txReceipt=${SOLANA}`, 'noHash'],
	['an unknown parameter of 63 digits', `https://a.example/?x=0x${'b'.repeat(63)}`, 'digits'],
	['the same next to a hash', `${A} https://a.example/?x=0x${'b'.repeat(63)}`, 'digits'],
	[
		'a link without the hash of its transaction next to a hash',
		`${A} https://bridge.example/?tx=https://solscan.io/account/`,
		'noHash',
	],
	[
		'one of Solana in a link, cut after a digit',
		`https://solscan.io/tx/${SOLANA.slice(0, 6)}…`,
		'cut',
	],
	['the page of a token', `https://a.example/tokens/${A}`, 'page'],
	['the page of a user operation in one word', `https://a.example/userop/${A}`, 'page'],
	['8 digits', '0x5c504ed4', 'digits'],
	['65 digits', `${A}a`, 'digits'],
	['two hashes without a space', `${A}${B}`, 'digits'],
	['50 digits', `0x${'a'.repeat(50)}`, 'digits'],
	['one that is shortened', '0x5c504ed432cb51138bcf09aa5e8a410dd4…2060', 'cut'],
	['one shortened with dots', '0x5c50...2060', 'cut'],
	['one of Solana that is shortened', `${SOLANA.slice(0, 20)}…${SOLANA.slice(-8)}`, 'cut'],
	['one of Solana with an ellipsis after', `${SOLANA}…`, 'noHash'],
	['a link that is shortened', `https://etherscan.io/tx/${A.slice(0, 30)}…`, 'cut'],
	['a space inside', `${A.slice(0, 20)} ${A.slice(20)}`, 'broken'],
	['a space inside, after a name', `Rent: ${A.slice(0, 20)} ${A.slice(20)}`, 'broken'],
	['a space in 64 digits after a number', `No. 5 ${BARE.slice(0, 30)} ${BARE.slice(30)}`, 'broken'],
	['a line break inside', `${A.slice(0, 40)}\n${A.slice(40)}`, 'broken'],
	['two line breaks inside', `${A.slice(0, 20)}\r\n${A.slice(20, 50)}\n  ${A.slice(50)}`, 'broken'],
	['a line break after 40 digits', `${A.slice(0, 42)}\n${A.slice(42)}`, 'broken'],
	['a line break before the last digit', `${A.slice(0, 65)}\n1`, 'broken'],
	['a space before the last digits', `0x${'a'.repeat(62)} ab`, 'broken'],
	['a line break in 64 digits', `${BARE.slice(0, 30)}\n${BARE.slice(30)}`, 'broken'],
	[
		'a link with a line break inside',
		`https://a.example/tx/${A.slice(0, 30)}\n${A.slice(30)}`,
		'broken',
	],
	['a wallet', WALLET, 'address'],
	['a wallet in capitals', ` 0X${'AB'.repeat(20)}\n`, 'address'],
	['a wallet with a name', `Rent: ${WALLET}`, 'address'],
	['40 bare digits', 'a1'.repeat(20), 'address'],
	['of Tron', 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'address'],
	['of Bitcoin', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'address'],
	['of old Bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'address'],
	['of Taproot', 'bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297', 'address'],
	['of Cosmos', 'cosmos1hsk6jryyqjfhp5dhc55tc9jtckygx0eph6dd02', 'address'],
	['of Cardano', `addr1${'q9vf3zld0s'.repeat(9)}qqqqqqqq`, 'address'],
	['of XRP', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'address'],
	['of TON', 'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2', 'address'],
	['of TON, raw', `0:${BARE}`, 'address'],
	['a wallet in 32 bytes, as a log has it', PADDED, 'address'],
	['a wallet in 32 bytes without 0x', PADDED.slice(2), 'address'],
	[
		'the sender of a message between chains',
		`https://wormholescan.io/#/tx/1/${PADDED.slice(2)}/12345`,
		'address',
	],
	['a wallet in 32 bytes in a list', `${A}, ${PADDED}`, 'address'],
	['of Stellar', `G${'ABCD234'.repeat(7)}ABCDEF`, 'address'],
	['of Algorand', `${'ABCDEFG234'.repeat(5)}ABCDEFGH`, 'address'],
	['of Polkadot', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5', 'address'],
	['Solana’s system program', '1'.repeat(32), 'address'],
	['a short one of Solana', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623V', 'address'],
	['the page of a wallet', `https://etherscan.io/address/${WALLET}`, 'address'],
	['the page of a wallet of Solana', `https://solscan.io/account/${SUI}`, 'page'],
	['the page of a token of Solana', `https://dexscreener.com/solana/${SUI}`, 'noHash'],
	['the page of an account of 64 digits', `https://explorer.aptoslabs.com/account/${A}`, 'page'],
	['the page of a block', `https://etherscan.io/block/${A}`, 'page'],
	['an order’s ID', `https://bridge.example/?orderId=${A}`, 'page'],
	['a message between chains', `https://ccip.chain.link/msg/${A}`, 'page'],
	['a message’s ID', `https://bridge.example/?messageId=${A}&n=1`, 'page'],
	['a transfer’s ID', `https://explorer.hop.exchange/?transferId=${A}`, 'page'],
	['the page of a user operation', `https://eth.blockscout.com/op/${A}`, 'page'],
	['the page of a blob', `https://etherscan.io/blob/${A}`, 'page'],
	['the page of a pool', `https://balancer.fi/pools/ethereum/v2/pool/${A}`, 'page'],
	['the page of a proposal', `https://snapshot.box/#/s:a.eth/proposal/${A}`, 'page'],
	['an order’s ID with its name', `Order ID: ${A}`, 'page'],
	['an order’s ID out of pasted JSON', `"orderId": "${A}",`, 'page'],
	['a block’s hash with its name', `Block hash ${A}`, 'page'],
	['a Safe’s hash with its name', `safeTxHash=${A}`, 'page'],
	['a Safe’s ID', SAFE, 'safe'],
	[
		'a Safe’s link',
		`https://app.safe.global/transactions/tx?safe=eth:${WALLET}&id=${SAFE}`,
		'safe',
	],
	['a Safe’s link with its hash', `https://app.safe.global/transactions/tx?id=${A}`, 'safe'],
	['a Safe’s link without app', `https://safe.global/transactions/tx?id=${A}`, 'safe'],
	['a wallet in a list', `${A}, ${WALLET}`, 'address'],
	['a wallet before a hash in a list', `(${WALLET}); ${A}`, 'address'],
	// It may be a wallet of Solana.
	['a wallet next to what is not certainly a hash', `${SUI} ${WALLET}`, 'address'],
	['a shortened hash next to the same', `${SUI} 0x5c50…2060`, 'cut'],
	['a wallet of Tron in a list', `${A}, TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE`, 'address'],
	['two hashes', `${A} ${B}`, 'several'],
	['two with words', `${A} and ${B}`, 'several'],
	['two of another form', `${SOLANA} ${TON}`, 'several'],
	['two in one link', `https://a.example/tx/${A}/${B}`, 'several'],
	['two in a query', `https://a.example/?a=${A}&b=${B}`, 'several'],
	['two links', `${link} https://etherscan.io/tx/${B}`, 'several'],
	...['→', '->', '=', ':', '**'].map((between): [string, string, 'several'] => [
		`a link after '${between}' without a space`,
		`${A}${between}https://arbiscan.io/tx/${B}`,
		'several',
	]),
	['a link that is encoded, the same', `${B}=${encoded}`, 'several'],
	['a link in another form next to a hash', `${A} https://mempool.space/tx/${BARE}`, 'several'],
	['a link with a parameter next to a hash', `${A} https://a.example/?x=${B}`, 'several'],
	// One may be that of the source network, and the other that of the destination.
	...[BARE, TON_URL, TON, SUI, SOLANA].flatMap((other): Array<[string, string, 'several']> => [
		[`${other} before one`, `From tx: ${other} To tx: ${A}`, 'several'],
		[`${other} with a space`, `${other} ${A}`, 'several'],
		[`${other} with a colon`, `${other}: ${A}`, 'several'],
		[`${other} after one`, `deposit ${A} payout ${other}`, 'several'],
	]),
	['two forms without a space', `${BARE}:${A}`, 'several'],
	['two forms with a comma', `${A}, ${BARE}`, 'several'],
	['two forms with names', `Ann: ${A}, Bob: ${BARE}`, 'several'],
	['two forms, the surer one last', `Ann: ${TON}; Bob: ${A}`, 'several'],
	// Another order next to a hash, of which something is wrong.
	...[', ', '; ', '\t', ' ', ',', ' and ', ': ', ' → ', ' | ', ' ('].flatMap(
		(between): Array<[string, string, HashProblem['kind']]> => [
			[`65 digits after '${between}'`, `${A}${between}${B}b`, 'digits'],
			[
				`63 digits after '${between}', as a hash of Starknet can have`,
				`${A}${between}${B.slice(0, -1)}`,
				'several',
			],
			[`50 digits after '${between}'`, `${A}${between}${B.slice(0, 52)}`, 'digits'],
			[`20 digits after '${between}'`, `${A}${between}${B.slice(0, 22)}`, 'digits'],
			[`65 digits before '${between}'`, `${B}b${between}${A}`, 'digits'],
			[`letters after a hash after '${between}'`, `${A}${between}${B}xyz`, 'noHash'],
			[`63 bare digits after '${between}'`, `${A}${between}${B.slice(3)}`, 'noHash'],
			[`65 bare digits after '${between}'`, `${A}${between}${B.slice(2)}b`, 'noHash'],
			[
				`63 digits without a number after '${between}'`,
				`${A}${between}${'b'.repeat(63)}`,
				'noHash',
			],
			[`O instead of 0 after '${between}'`, `${A}${between}O${B.slice(1)}`, 'noHash'],
			[`a cut signature after '${between}'`, `${A}${between}${SOLANA.slice(0, -3)}`, 'noHash'],
			[`a long signature after '${between}'`, `${A}${between}${SOLANA}5xY`, 'noHash'],
			[`a cut link after '${between}'`, `${A}${between}https://etherscan.io/tx/0xb2…`, 'cut'],
			[
				`a link cut short after '${between}'`,
				`${A}${between}https://etherscan.io/tx/0xb2`,
				'digits',
			],
			[
				`a link of 65 digits after '${between}'`,
				`${A}${between}https://a.example/tx/${B}b`,
				'digits',
			],
			[`a page after '${between}'`, `${A}${between}https://etherscan.io/block/${B}`, 'page'],
			[
				`an order’s page after '${between}'`,
				`${A}${between}https://a.example/?orderId=${B}`,
				'page',
			],
			[`a Safe’s ID after '${between}'`, `${A}${between}${SAFE.replace(A, B)}`, 'safe'],
			[
				`a link with a cut signature after '${between}'`,
				`${A}${between}https://solscan.io/tx/${SOLANA.slice(0, -3)}`,
				'noHash',
			],
			[
				`a link with a shortened signature after '${between}'`,
				`${A}${between}https://solscan.io/tx/${SOLANA.slice(0, 9)}…`,
				'cut',
			],
		],
	),
	// An entry of a list was meant as an order.
	...[', ', '; ', ','].flatMap((between): Array<[string, string, HashProblem['kind']]> =>
		['0xb2b2…b2b2', '0xb2b2...b2b2', '0xb2b2…', 'b2b2…b2b2', '3VQk…Jxm9'].map((shortened) => [
			`${shortened} after '${between}'`,
			`${A}${between}${shortened}`,
			'cut',
		]),
	),
	...[', ', '; '].flatMap((between): Array<[string, string, HashProblem['kind']]> => [
		[
			`a shortened one with a name after '${between}'`,
			`Rent: ${A}${between}Car: 0xb2b2…b2b2`,
			'cut',
		],
		[`a wallet with a name after '${between}'`, `Rent ${A}${between}Car ${WALLET}`, 'address'],
		[`a wallet with a name before '${between}'`, `Tom ${WALLET}${between}Rent ${A}`, 'address'],
	]),
	['a page next to a link', `${link} https://etherscan.io/block/${B}`, 'page'],
	['a link with a damaged hash as a parameter', `${A} https://a.example/?x=${B}b`, 'digits'],
	['a damaged one next to a link', `${link} ${B}b`, 'digits'],
	['a damaged one that touches a link', `${B}b=${link}`, 'digits'],
	[
		'a link with a cut hash of Sui next to a hash',
		`${A} https://suiscan.xyz/mainnet/tx/${SUI.slice(0, -3)}`,
		'address',
	],
	['a damaged one next to 64 digits', `${BARE} ${B}b`, 'digits'],
	['a damaged one next to a signature', `${SOLANA}, ${B.slice(0, 20)}…`, 'cut'],
	['a damaged one with a name', `Rent: ${A}, Car: ${B}b`, 'digits'],
	['a damaged one with a name and spaces', `Rent: ${A} Car: ${B}b`, 'digits'],
	['the hash and one digit more', `${A} ${A}a`, 'digits'],
	['a raw wallet of TON in a list', `${A}, 0:${BARE}`, 'address'],
	['an account’s page next to a hash', `${A} https://solscan.io/account/${SUI}`, 'page'],
	[
		'an order’s link with a damaged transaction',
		`https://bridge.example/order/${A}?txHash=${B}b`,
		'digits',
	],
	[
		'an order’s link with a shortened transaction',
		`https://bridge.example/order/${A}?signature=${SOLANA.slice(0, 9)}…`,
		'cut',
	],
	['a damaged transaction’s link with a parameter', `https://a.example/tx/${B}b?x=${A}`, 'digits'],
	[
		'an order’s link with a wallet as its transaction',
		`https://bridge.example/order/${A}?txHash=${WALLET}`,
		'address',
	],
	[
		'an order’s link with a shortened link to its transaction',
		`https://bridge.example/order/${A}?tx=${encodeURIComponent(link.slice(0, 40))}…`,
		'cut',
	],
	[
		'an order’s link with a link without a transaction',
		`https://bridge.example/order/${A}?tx=https://solscan.io/account/`,
		'noHash',
	],
	['two parameters that name it', `https://bridge.example/?tx=${A}&hash=${B}`, 'several'],
	// JSON.
	['JSON with an order’s ID', `{"orderId":"${A}"}`, 'noColumn'],
	['JSON with a block’s hash', `{"blockHash":"${A}"}`, 'noColumn'],
	['a JSON list with an order’s ID', `[{"orderId":"${A}"}]`, 'noColumn'],
	['a JSON list with more', `[{"orderId":"${A}"}, {"amount":5}]`, 'page'],
	['JSON without its hash', '{"sourceHash":null}', 'noHash'],
	['JSON with two hashes', `{"hash":"${A}","tx":"${B}"}`, 'several'],
	['JSON with a damaged hash', `{"sourceHash":"${A}a","orderId":"${B}"}`, 'digits'],
	['JSON in JSON', JSON.stringify({ hash: JSON.stringify({ orderId: A }) }), 'noColumn'],
	// What has an ID or a hash of its own.
	['an order’s ID, not quite JSON', `{orderId: '${A}'}`, 'page'],
	['an order’s ID after a name', `Bridge order ID: ${A}`, 'page'],
	['an order’s ID in brackets', `(order ID: ${A})`, 'page'],
	['an order’s ID before a name', `order ID: ${A} Rent`, 'page'],
	['an order’s ID after a name with a colon', `Rent: {"orderId": "${A}"}`, 'page'],
	['a sentence', `The order ID is ${A}.`, 'page'],
	['words after it', `${A} (order ID)`, 'page'],
	['words before it, where it stands once more', `Rent ${A}, order ID: ${A}`, 'page'],
	['a longer name of a field', `"bridgeOrderId": "${A}"`, 'page'],
	['the same with underscores', `bridge_order_id=${A}`, 'page'],
	['the same in a link', `https://bridge.example/?bridgeOrderId=${A}`, 'page'],
	['a message of another chain', `https://filfox.info/en/message/${A}`, 'page'],
	// The transaction on the destination network.
	...[
		'Destination tx',
		'destination tx hash',
		'To tx',
		'dst_tx',
		'Rent, dest tx',
		'Fill tx',
		'Rent: fill tx hash',
		'Out tx',
		'output tx',
		'Receive tx',
		'Received TX',
		'receiving transaction',
		'tx_out',
		'Tx out is',
	].map((label): [string, string, 'page'] => [label, `${label}: ${A}`, 'page']),
	...[
		'dstTxHash',
		'destinationHash',
		'toTxHash',
		'dst',
		'outputTxHash',
		'dstChainTxHash',
		'txOut',
		'txHashOut',
		'hashOut',
		'txTo',
		'txDest',
		'outTx',
		'fillTx',
		'fillTransactionHash',
		'receivingTx',
	].map((name): [string, string, 'page'] => [
		`${name} in a link`,
		`https://a.example/?${name}=${A}`,
		'page',
	]),
	['the same after it', `${A} (fill tx)`, 'page'],
])('refused: %s', (_what, text, kind) => {
	expect(read(text)).toBe(kind);
});

/** A private key has the form of a hash, and would be sent to the bridge. */
test.each([
	`private key: ${A}`,
	`My wallet's PRIVATE_KEY=${A}`,
	`Secret Key\n${BARE}`,
	`${A} (private key)`,
	`{"privateKey":"${A}"}`,
	`{"hash":"${B}","privateKey":"${A}"}`,
	`the secret key is ${SOLANA}`,
	`seed-phrase ${A}`,
	`Rent ${B}, private key ${A}`,
	`private key\t${A}\t${B}`,
	`private key: ${A}1`,
	`private key ${A.slice(0, 30)} ${A.slice(30)}`,
	`${A.slice(0, 30)} ${A.slice(30)} is the private key`,
	'seed phrase: abandon ability able about',
	'seedphrase: abandon ability able about',
	`https://a.example/?private_key=${A}`,
	`https://a.example/?PRIVATE_KEY=${A}`,
	`PRIVATE_KEY_1=${A}`,
	`privateKeyHex: ${A}`,
	`private key for wallet 2: ${A}`,
	`"private key 1","${A}"`,
	`private key of 0x8617…070d: ${A}`,
	`{"note":"${link}","privateKey_1":"${A}"}`,
	`PRIVATE_KEY_1=${A.slice(0, 30)} ${A.slice(30)}`,
	`${A} - private key`,
	`${A}, private key`,
	`Rent ${B}; ${A}: "private key".\nThanks`,
	`${SOLANA} → secret key`,
	'mnemonic of wallet 2: abandon ability able about',
])('what is said to be secret is refused, and not shown: %s', (text) => {
	for (const one of [readHash(text), ...readLine(text)]) {
		if (one.ok) throw new Error(one.hash);
		expect(one.problem.kind).toBe('secret');
		expect(hashProblemWords(one.problem).join()).not.toMatch(/(?=\w*\d)\w{8}|abandon/);
	}
});

/** Hashes can begin with any letters, and a network has the name Secret. */
test.each<[string, string]>([
	...[
		`pk${TON.slice(2)}`,
		`Sk${TON_URL.slice(2)}`,
		`sk-${TON_URL.slice(3)}`,
		`pk${SOLANA.slice(2)}`,
		`SK${'A2BC7'.repeat(10)}`,
	].flatMap((hash): Array<[string, string]> => [
		[hash, hash],
		[`Rent: ${hash}`, hash],
		[`https://explorer.example/tx/${hash.replaceAll('/', '%2F')}`, hash],
	]),
	...[
		`https://www.mintscan.io/secret/tx/${BARE.toUpperCase()}`,
		`https://ping.pub/secret/tx/${BARE}`,
		`https://atomscan.com/secret-network/transactions/${BARE}`,
		`https://explorer.example/sk/tx/${A}`,
	].map((text): [string, string] => [text, text.split('/').at(-1) ?? '']),
])('what only begins like the word for a secret is a hash: %s', (text, hash) => {
	expect(readHash(text)).toMatchObject({ ok: true, hash });
});

test('a problem says what was found, and what would fit', () => {
	const words = (text: string) => {
		const one = readHash(text);
		return one.ok ? [] : hashProblemWords(one.problem);
	};
	expect(words('null')[0]).toBe("'null' is not a transaction hash");
	expect(words('#N/A')[1]).toContain('complete hash of the transaction on the source network');
	expect(words(WALLET)[0]).toBe(
		`'${WALLET}' looks like a wallet address, not like a transaction hash`,
	);
	expect(words(`0x${'a'.repeat(50)}`)[0]).toContain('has 50 digits after 0x instead of 64');
	expect(words(`https://a.example/block/${A}`)[0]).toContain(
		'is about "block", not about a transaction',
	);
	expect(words(`${A} and ${B}`)[0]).toBe(`'${shown(A)}' and '${shown(B)}' could both be the hash`);
	expect(words(SAFE)[1]).toContain('Transaction hash');
	// The hash that stands next to it is not what is wrong.
	expect(words(`Rent: ${A}, Car: ${B}2`)[0]).toBe(
		`'${shown(`${B}2`)}' has 65 digits after 0x instead of 64`,
	);
	expect(words(`${A}, ${WALLET}`)[0]).toContain(`'${WALLET}' looks like a wallet address`);
	expect(words(`${A}, TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE`)[0]).toContain("'TQn9Y2");
	expect(words(`${A}, 0xb2b2…b2b2`)[0]).toBe("'0xb2b2…b2b2' is shortened");
	expect(words(`${A} https://a.example/block/${B}`)[0]).toMatch(
		/^'https:\/\/a\.example\/block\/…B2.*' is about "block"/,
	);
	expect(words(`Bridge order ID: ${A}`)[0]).toContain('is about "order id", not');
	expect(words('x '.repeat(100))[0]).toBe(`'${'x '.repeat(35)}…' is not a transaction hash`);
	expect(words('<b>\u202e\u0007x</b>')[0]).toBe("'b x /b' is not a transaction hash");
});

const line = (text: string) =>
	readLine(text).map((one) => (one.ok ? [one.hash, one.name] : one.problem.kind));
const unnamed = (...hashes: string[]) => hashes.map((hash) => [hash, null]);

test.each<[string, string, unknown[]]>([
	['nothing', ' ', []],
	['the brackets of pasted JSON', '],', []],
	['a name', `Rent: ${A}`, [[A, 'Rent']]],
	[
		'commas, semicolons, tabs and spaces',
		` ${A}, ${B};${SOLANA}\t\t${TON} ,`,
		unnamed(A, B, SOLANA, TON),
	],
	['spaces', `${A} ${B}`, unnamed(A, B)],
	['a part of a pasted list', `"${A}", "${B}",`, unnamed(A, B)],
	['two forms with a comma', `${A}, ${SOLANA}`, unnamed(A, SOLANA)],
	[
		'names between commas',
		`Ann: ${A}, Bob: ${B}`,
		[
			[A, 'Ann'],
			[B, 'Bob'],
		],
	],
	['a piece without a hash', `Ann: ${A}, Bob, ${B}`, [[A, 'Ann'], 'noHash', [B, null]]],
	['a wallet in the list', `${A}, ${B}, ${WALLET}`, [[A, null], [B, null], 'address']],
	['a row of a sheet', `Rent\t${A}`, [[A, 'Rent']]],
	['a row with a wallet', `${A}\t${WALLET}\t0.5 ETH`, [[A, `${WALLET} 0.5 ETH`]]],
	...['\t', ', ', ';'].map((between): [string, string, unknown[]] => [
		`one name and two hashes with '${between}'`,
		['Ann', A, B].join(between),
		['several'],
	]),
	...['null', 'N/A', '#N/A', 'pending', '-', '"undefined"', 'NaN', 'TBD', 'none', 'empty'].map(
		(between): [string, string, unknown[]] => [
			`${between} between two hashes`,
			`${A}, ${between},${B}`,
			[[A, null], 'noHash', [B, null]],
		],
	),
	[
		'one name and three hashes',
		`${A}, Ann, ${B}, ${SOLANA}`,
		[[A, null], 'noHash', ...unnamed(B, SOLANA)],
	],
	['two names between commas', `Ann, ${A}, Bob, ${B}`, ['several']],
	[
		'a secret in a cell of a row',
		`${A}: PRIVATE_KEY\tAnn paid.\t${B}\t${SOLANA}`,
		['secret', 'noHash', ...unnamed(B, SOLANA)],
	],
	['a placeholder in a row', `${A}\tnull\t${B}`, ['several']],
	['two hashes and an amount', `${A}\t${SOLANA}\t0.5 ETH`, ['several']],
	['two hashes with a wallet and a name', `Ann\t${WALLET}\t${A}\t${B}`, ['several']],
	['a row with quotes', `"Rent","${A}"`, [[A, 'Rent']]],
	['two forms with a space', `${BARE} ${A}`, ['several']],
	['a long form and another with a space', `${SOLANA} ${A}`, ['several']],
	['both hashes of an order', `From tx: ${BARE}, To tx: ${A}`, [[BARE, 'From tx'], 'page']],
	['words between two', `${A} and ${B}`, ['several']],
	['a damaged second one', `${A}, ${B}b`, ['digits']],
	['a damaged third one', `Ann: ${A}, Bob: ${B}, ${B}b`, [[A, 'Ann'], [B, 'Bob'], 'digits']],
	['one without its zero at the beginning', `${A}, ${B.slice(0, -1)}`, unnamed(A, B.slice(0, -1))],
	['a link in another form', `${A} https://mempool.space/tx/${BARE}`, ['several']],
	['an order’s ID', `Ann: ${A}, order ID: ${B}`, [[A, 'Ann'], 'page']],
	['a colon between two', `${A}: ${B}`, ['several']],
	['a bar between two', `${A} | ${B}`, ['several']],
	['links with a space', `${link} https://etherscan.io/tx/${B}`, unnamed(A, B)],
	['links without a scheme', `etherscan.io/tx/${A} etherscan.io/tx/${B}.`, unnamed(A, B)],
	['an arrow between two', `${A} → ${B}`, ['several']],
	['two in one link', `https://a.example/tx/${A}/${B}`, ['several']],
	['a header', 'hash,name', ['noHash']],
])('a line: %s', (_what, text, expected) => {
	expect(line(text)).toEqual(expected);
});

const row = (given: Record<string, unknown>) => {
	const one = readRow(given);
	if (one === null) return null;
	return one.ok ? [one.hash, one.name] : one.problem;
};

test.each<[string, Record<string, unknown>, unknown]>([
	['sourceHash', { sourceHash: A, id: 5 }, [A, null]],
	['sourceHash before others', { txHash: B, sourceHash: A }, [A, null]],
	['the same in capitals, with a space', { txHash: B, 'Source Hash': A }, [A, null]],
	[
		'two of these',
		{ sourceHash: A, SOURCE_HASH: B },
		{ kind: 'several', found: shown(A), detail: shown(B) },
	],
	...[
		'txHash',
		'hash',
		'tx',
		'transactionHash',
		'tx_hash',
		'Transaction Hash',
		'txid',
		'TXN',
		'source_tx_hash',
		'Tx. Hash:',
	].map((column): [string, Record<string, unknown>, unknown] => [
		column,
		{ [column]: A, amount: '5' },
		[A, null],
	]),
	['a name in the field', { hash: `Rent: ${A}` }, [A, 'Rent']],
	['an item of another node', { json: { txHash: A }, pairedItem: 0 }, [A, null]],
	[
		'an item with its error',
		{ json: { txHash: A, error: 'e' }, error: { message: 'e' } },
		[A, null],
	],
	[
		'an item with a field that is not read next to it',
		{ json: { tx: A, id: 5 }, id: 7 },
		[A, null],
	],
	[
		'an item with what n8n has next to it',
		{ json: { tx: A, sendMessage: 'a' }, sendMessage: 'b', evaluationData: { a: 1 } },
		[A, null],
	],
	['an item with its name once more', { json: { tx: A, name: 'Ann' }, name: 'Ann' }, [A, null]],
	[
		'an item with two names',
		{ json: { tx: A, name: 'Ann' }, name: 'Bob' },
		{ kind: 'noColumn', found: 'only json, name' },
	],
	['one hash in two columns', { hash: A, txHash: A.toUpperCase().replace('0X', '0x') }, [A, null]],
	['an ID of one’s own next to a hash', { 'Tx Hash': A, 'Transaction ID': 'INV-17' }, [A, null]],
	['the same before it', { txid: '-', hash: `Rent: ${A}` }, [A, 'Rent']],
	['no hash in two columns', { txid: 'INV-17', hash: '-' }, { kind: 'noHash', found: 'INV-17' }],
	[
		'a damaged hash next to one',
		{ hash: A, txid: '0xb2b2…b2b2' },
		{ kind: 'cut', found: '0xb2b2…b2b2' },
	],
	[
		'a cut signature next to a hash',
		{ hash: A, txid: SOLANA.slice(0, 70) },
		{ kind: 'noHash', found: shown(SOLANA.slice(0, 70)) },
	],
	[
		'an object next to a hash',
		{ hash: A, tx: { hash: B } },
		{ kind: 'noHash', found: 'an object' },
	],
	[
		'a secret next to a hash',
		{ hash: A, txid: 'seed phrase: abandon ability able' },
		{ kind: 'secret', found: 'seed phrase' },
	],
	['a wallet before a hash', { tx: WALLET, hash: A }, { kind: 'address', found: WALLET }],
	['two hashes', { hash: A, txHash: B }, { kind: 'several', found: shown(A), detail: shown(B) }],
	['a hash that is not filled in', { sourceHash: null }, null],
	['one that is empty', { txHash: '' }, null],
	[
		'no such column',
		{ orderId: A, amount: 5 },
		{ kind: 'noColumn', found: 'only orderId, amount' },
	],
	[
		'columns that only begin like one',
		{ hashRate: A, txCount: 5 },
		{ kind: 'noColumn', found: 'only hashRate, txCount' },
	],
	['a number', { sourceHash: 5 }, { kind: 'noHash', found: '5' }],
	['a list of one text, as a lookup field gives it', { sourceHash: [`Rent: ${A}`] }, [A, 'Rent']],
	['such a list of an item', { json: { 'Tx Hash': [A] } }, [A, null]],
	['such a list that is not filled in', { sourceHash: [''] }, null],
	['such a list of an empty cell', { sourceHash: [null] }, null],
	['a list of more', { sourceHash: [A, A] }, { kind: 'noHash', found: 'a list of 2 entries' }],
	['a list of a number', { sourceHash: [5] }, { kind: 'noHash', found: 'a list of 1 entry' }],
	['a list of no text', { sourceHash: [[A]] }, { kind: 'noHash', found: 'a list of 1 entry' }],
	['an object', { sourceHash: { a: 1 } }, { kind: 'noHash', found: 'an object' }],
	['null as text', { txHash: 'null' }, { kind: 'noHash', found: 'null' }],
])('a row: %s', (_what, given, expected) => {
	expect(row(given)).toEqual(expected);
});

test('a row without a hash names its columns', () => {
	const words = (given: Record<string, unknown>) => {
		const one = readRow(given);
		return one === null || one.ok ? [] : hashProblemWords(one.problem);
	};
	expect(words({ id: 1, amount: 2 })).toEqual([
		'there is no field sourceHash, only id, amount',
		'Give the field that has the hash one of these names: sourceHash, txHash, transactionHash, hash or tx.',
	]);
	expect(words({})[0]).toContain('and no other field');
	const nine = Object.fromEntries([...'abcdefghi'].map((name) => [name, 1]));
	expect(words(nine)[0]).toMatch(/, only a, b, c, d, e, f, g, h$/);
});

test.each<[string, string[]]>([
	[
		'hexadecimal',
		[A, A.toUpperCase(), A.slice(2), A.slice(2).toUpperCase(), A.replace('0x', '0X')],
	],
	[
		'with zeros in front',
		[`0x00${'a1'.repeat(31)}`, `0x${'a1'.repeat(31)}`, `00${'A1'.repeat(31)}`],
	],
	['base64', [TON, TON_URL, `${TON_URL}=`, TON.slice(0, -1)]],
	['short hexadecimal', ['0xAB', '0Xab']],
])('one order has one key in any spelling: %s', (_what, spellings) => {
	expect(new Set(spellings.map(orderKey)).size).toBe(1);
});

test('two orders have two keys', () => {
	const all = [A, B, BARE, SOLANA, SOLANA.toLowerCase(), TON, TON.toLowerCase(), SUI, '0x10', '10'];
	expect(new Set(all.map(orderKey)).size).toBe(all.length);
	expect(orderKey(A.slice(2))).toBe(A);
});

test('whatever is entered: a hash with its own key, or a problem; and the hash is found again in its own text', () => {
	fc.assert(
		fc.property(
			fc.oneof(
				fc.string({ maxLength: 300, unit: 'binary' }),
				fc.string({ unit: fc.constantFrom(...`${A} ,:\n{}[]"/=`) }),
				fc
					.tuple(fc.string(), fc.constantFrom(A, BARE, SOLANA, TON, link, WALLET), fc.string())
					.map((parts) => parts.join(' ')),
			),
			(text) => {
				for (const one of [readHash(text), ...readLine(text)]) {
					if (!one.ok) expect(one.problem.found.length).toBeLessThanOrEqual(142);
					else {
						expect([isHash(one.hash), one.key]).toEqual([true, orderKey(one.hash)]);
						expect(readHash(one.hash)).toMatchObject({ ok: true, hash: one.hash, name: null });
					}
				}
			},
		),
		{ numRuns: 5000 },
	);
});
