import { PLAIN_DISPLAY, type Display } from '../nodes/CrossChainBridge/orders/display';
import { NATIVE_ADDRESS } from '../nodes/CrossChainBridge/orders/networks';
import { orderItem } from '../nodes/CrossChainBridge/orders/orderItem';
import { quoteItem } from '../nodes/CrossChainBridge/orders/quotes';

/**
 * All fields of the action's items, as the code makes them. `npx tsx tools/itemFields.ts` prints the rows for the tables in
 * the documents, and `undocumented` says which are missing there.
 */

/** The operations whose items are told apart here; Get Config's items are the service's own. */
export type ItemKind = 'Get Quote' | 'Get Status' | 'Wait for Completion';

export interface ItemField {
	name: string;
	/** As n8n shows it: text, number, boolean, list or object. */
	type: string;
	/** Whether the simplified item has it, too. */
	isSimple: boolean;
}

const NOW = Date.UTC(2026, 10, 21, 11, 30);
const SECONDS = NOW / 1000;
const HASH = `0x${'5c'.repeat(32)}`;
const WALLET = `0x${'52'.repeat(20)}`;

const NETWORKS = [101, 102].map((chainID) => ({
	chainID,
	name: `Network ${chainID}`,
	baseToken: 'ETH',
	decimals: 18,
	tokens: { NATIVE: NATIVE_ADDRESS },
}));

/** With it no field of the examples is null. */
const DISPLAY: Display = {
	...PLAIN_DISPLAY,
	networks: NETWORKS,
	explorers: new Map(NETWORKS.map(({ chainID }) => [`${chainID}`, 'https://scan.example/tx/'])),
};

const leg = (chainId: number) => ({
	chainId,
	txHash: HASH,
	token: NATIVE_ADDRESS,
	amount: '500000000000000000',
	address: WALLET,
	timestamp: SECONDS - 12,
});

const ORDER = {
	orderId: HASH,
	status: 'completed',
	input: leg(101),
	output: leg(102),
	solver: { address: WALLET, assignedAt: SECONDS - 10 },
	timing: {
		createdAt: SECONDS - 12,
		completedAt: SECONDS,
		expiry: SECONDS + 3600,
		duration: 12,
	},
};

/** Between them they have all fields. */
const ORDERS = [ORDER, { ...ORDER, status: 'refunded', refund: leg(101) }].map((order) => ({
	sourceHash: HASH,
	order,
	reference: 'Rent',
	expected: { recipient: WALLET, minimumReceived: '1 smallest unit' },
}));

const token = { symbol: 'ETH', address: NATIVE_ADDRESS, decimals: 18, amountUSD: '1250.00' };
const QUOTE = {
	quoteId: 'q-1',
	tokenIn: { ...token, amount: '500000000000000000' },
	tokenOut: { ...token, amount: '499250000000000000', minAmount: '496753750000000000' },
	fees: { total: '750000000000000', percentage: '0.15' },
	balanceCheck: { sufficient: true },
	priceImpact: '0.01',
	expiry: SECONDS + 60,
	transactions: [{ type: 'bridge' }],
};
const ASKED = {
	inputNetwork: '101',
	outputNetwork: '102',
	inputTokenAmount: '500000000000000000',
	sourceAddress: WALLET,
	destinationAddress: WALLET,
};

/** What Wait for Completion adds to the full item. */
const OF_WAIT = { checks: 3, waitedSeconds: 12.5 };

/** The fields of the full item, in its order. */
export function itemFields(kind: ItemKind): ItemField[] {
	const items =
		kind === 'Get Quote'
			? [quoteItem({ quote: QUOTE, asked: ASKED }, DISPLAY, NOW)]
			: ORDERS.map((source) => orderItem(source, DISPLAY, NOW));
	const added = kind === 'Wait for Completion' ? OF_WAIT : {};
	const examples = items.map(({ full }): Record<string, unknown> => ({ ...full, ...added }));
	const names = new Set(examples.flatMap((example) => Object.keys(example)));
	return [...names].map((name) => ({
		name,
		type: typeOf(examples.map((example) => example[name] ?? null).find((value) => value !== null)),
		isSimple: items.some(({ simple }) => Object.hasOwn(simple, name)),
	}));
}

function typeOf(value: unknown): string {
	if (Array.isArray(value)) return 'list';
	return typeof value === 'string' ? 'text' : typeof value;
}

/** The fields without a row that begins with their name in a table of the document. */
export function undocumented(kind: ItemKind, markdown: string): string[] {
	const rows = new Set(
		[...markdown.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
			[...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
		),
	);
	return itemFields(kind).flatMap(({ name }) => (rows.has(name) ? [] : [name]));
}

function print(): void {
	for (const kind of ['Get Quote', 'Get Status', 'Wait for Completion'] as const) {
		console.log(`\n${kind}\n\n| Field | Type | Simplified | Meaning |\n|---|---|---|---|`);
		for (const { name, type, isSimple } of itemFields(kind))
			console.log(`| \`${name}\` | ${type} | ${isSimple ? 'yes' : ''} | |`);
	}
}

if (require.main === module) print();
