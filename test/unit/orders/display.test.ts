import fc from 'fast-check';

import {
	decimalsOf,
	isExplorerAddress,
	isOrderPage,
	isSymbolShared,
	networkName,
	orderPageUrl,
	type Display,
	PLAIN_DISPLAY,
	strangeExplorers,
	tokenSymbol,
	transactionUrl,
} from '../../../nodes/CrossChainBridge/orders/display';

const ZERO = `0x${'0'.repeat(40)}`;
const USDC = '0x166cab27f2cbb40426a5742c477d609e0716128b';
const SOLANA_NATIVE = '1'.repeat(32);

const ON_ETHEREUM = { NATIVE: ZERO, USDC };
const ON_SOLANA = { NATIVE: SOLANA_NATIVE, USDC: '4BCkqJvP', LATER: null };
const NETWORKS = [
	{ chainID: 101, name: 'Ethereum', baseToken: 'ETH', decimals: 18, tokens: ON_ETHEREUM },
	{ chainId: '201', name: 'Solana', baseToken: 'SOL', decimals: '9', tokens: ON_SOLANA },
	{ chainID: 300, name: null, baseToken: 'X', decimals: 18.5 },
];
const READ: Display = { ...PLAIN_DISPLAY, networks: NETWORKS };
const reading = (changes: Partial<Display> = {}): Display => ({ ...READ, ...changes });

describe('names from the configuration', () => {
	test.each<[unknown, string | null]>([
		[101, 'Ethereum'],
		['101', 'Ethereum'],
		[' 101 ', 'Ethereum'],
		[201, 'Solana'],
		['201', 'Solana'],
		[300, null],
		[1, null],
		['', null],
		[null, null],
	])('the network %j is %j', (id, name) => expect(networkName(reading(), id as never)).toBe(name));

	test.each<[unknown, string | null, string | null]>([
		[101, ZERO, 'ETH'],
		[101, USDC, 'USDC'],
		[101, USDC.toUpperCase(), 'USDC'],
		[201, USDC, null],
		[201, SOLANA_NATIVE, 'SOL'],
		[201, '4BCkqJvP', 'USDC'],
		[201, '4bckqjvp', null],
		// A network whose token list does not contain its native token still states its symbol.
		[300, ZERO, 'X'],
		[300, USDC, null],
		[null, ZERO, null],
		[101, null, null],
	])('on %j the token %j is %j', (id, token, symbol) =>
		expect(tokenSymbol(reading(), id as never, token)).toBe(symbol),
	);

	test('a network that is listed twice is read as one', () => {
		const networks = [
			{ chainID: 101, tokens: 'none' },
			{ chainId: 101, name: ' ' },
			...NETWORKS,
			{ chainID: 101, name: 'Other', tokens: { DAI: '0xd' } },
		];
		expect(networkName(reading({ networks }), 101)).toBe('Ethereum');
		expect(tokenSymbol(reading({ networks }), 101, '0xD')).toBe('DAI');
		expect(tokenSymbol(reading({ networks }), 101, USDC)).toBe('USDC');
	});

	test('the base token is the first that an entry of the network states', () => {
		const symbolOf = (...baseTokens: unknown[]) => {
			const networks = baseTokens.map((baseToken) => ({ chainID: 101, baseToken }));
			return tokenSymbol(reading({ networks }), 101, ZERO);
		};
		expect(symbolOf(null, ' ', 'ETH', 'X')).toBe('ETH');
		expect(symbolOf(' ')).toBeNull();
	});

	test('a name that another network has as well is shown with the ID', () => {
		const networks = [...NETWORKS, { chainID: 7, name: ' ETHEREUM' }];
		expect([101, 7, 201].map((id) => networkName(reading({ networks }), id))).toEqual([
			'Ethereum (101)',
			'ETHEREUM (7)',
			'Solana',
		]);
	});

	test('a symbol is shared if any entry of the network has two tokens with it', () => {
		const networks = [
			{ chainID: 7 },
			{ chainID: 7, tokens: { DAI: '0x1', 'dai ': '0x2', X: '0x3' } },
		];
		const isShared = (symbol: string | null, chainId = 7) =>
			isSymbolShared(reading({ networks }), { chainId, tokenSymbol: symbol });
		expect([isShared('DAI'), isShared('X'), isShared(null), isShared('DAI', 8)]).toEqual([
			...[true, false, false, false],
		]);
	});

	test('what has no ID is no network, whatever is asked for', () => {
		const networks = [
			{ name: 'None' },
			{ chainID: '', name: 'Empty' },
			{ chainID: 'null', name: 'Null' },
		];
		for (const id of ['', ' ', null]) expect(networkName(reading({ networks }), id)).toBeNull();
	});

	test('without a configuration nothing is known', () => {
		expect(networkName(PLAIN_DISPLAY, 101)).toBeNull();
		expect(tokenSymbol(PLAIN_DISPLAY, 101, ZERO)).toBeNull();
	});
});

describe('decimals', () => {
	const option = new Map([
		[USDC, 6],
		[ZERO, 7],
	]);
	const NATIVE = { chainId: 101, token: ZERO };
	const OPTION = { tokenDecimals: option };
	const UNNAMED = { networks: [{ chainID: 300, decimals: 18 }] };
	const SO11 = { networks: [{ chainID: 5, decimals: 9, tokens: { NATIVE: 'So11' } }] };
	const NO_DECIMALS = { chainId: 1, token: ZERO, decimals: -1, tokenDecimals: 256 };
	const BY_OPTION = 'tokenDecimalsOption';
	const IN_CAPITALS = { chainId: 101, token: USDC.toUpperCase() };

	test.each<[string, object, Partial<Display>, number | null, string?]>([
		['the order’s own come first', { ...NATIVE, chainId: 300, decimals: 5 }, OPTION, 5, 'service'],
		['those of the configuration may agree', { ...NATIVE, decimals: 18 }, OPTION, 18, 'service'],
		['if the configuration says otherwise, they are none', { ...NATIVE, decimals: 6 }, {}, null],
		['nor are the option’s then', { ...NATIVE, decimals: 6 }, OPTION, null],
		['they may be digits', { token: USDC, decimals: null, tokenDecimals: '8' }, {}, 8, 'service'],
		['two that differ are none', { ...NATIVE, decimals: 5, tokenDecimals: 6 }, OPTION, null],
		['two that agree', { token: USDC, decimals: 6, tokenDecimals: '6' }, {}, 6, 'service'],
		['zero is a number of decimals', { token: USDC, decimals: 0 }, {}, 0, 'service'],
		['the native token’s are the network’s', NATIVE, OPTION, 18, 'networkConfig'],
		['zeros that are ones', { chainId: 201, token: SOLANA_NATIVE }, {}, 9, 'networkConfig'],
		['the option states others, in any case of letters', IN_CAPITALS, OPTION, 6, BY_OPTION],
		['and native ones of no network', { chainId: 1, token: ZERO }, OPTION, 7, BY_OPTION],
		['the network’s are not those of another token', { chainId: 101, token: USDC }, {}, null],
		['18 is not guessed', { chainId: 300, token: ZERO }, {}, null],
		['nor without a network', { token: ZERO }, {}, null],
		['a leg without a token has none, native or not', { chainId: 300 }, UNNAMED, null],
		['the service’s own native token', { chainId: 5, token: 'So11' }, SO11, 9, 'networkConfig'],
		['what is no number of decimals is none', NO_DECIMALS, {}, null],
	])('%s', (_name, leg, changes, decimals, from = 'service') =>
		expect(decimalsOf(leg, reading(changes))).toEqual(
			decimals === null ? null : { decimals, from },
		),
	);

	test('a network that is listed twice states them only if both say the same', () => {
		const twice = (decimals: unknown) =>
			reading({ networks: [...NETWORKS, { chainID: 101, decimals }] });
		const leg = { chainId: 101, token: ZERO };
		expect(decimalsOf(leg, twice(8))).toBeNull();
		expect(decimalsOf(leg, twice('18'))).toEqual({ decimals: 18, from: 'networkConfig' });
		expect(decimalsOf(leg, twice(null))).toEqual({ decimals: 18, from: 'networkConfig' });
	});
});

describe('links to transactions', () => {
	const link = (explorer: string, txHash: string | null, id: number | string | null = 101) =>
		transactionUrl(reading({ explorers: new Map([['101', explorer]]) }), id, txHash);

	test.each([
		['https://etherscan.io/tx/', 'https://etherscan.io/tx/0xab'],
		['https://etherscan.io/tx', 'https://etherscan.io/tx/0xab'],
		['https://scan.example/?tx=', 'https://scan.example/?tx=0xab'],
		['https://scan.example/?tx', 'https://scan.example/?tx0xab'],
		['https://scan.example/#/tx/', 'https://scan.example/#/tx/0xab'],
		['https://scan.example/tx-', 'https://scan.example/tx-/0xab'],
		['https://scan.example/tx:', 'https://scan.example/tx:0xab'],
		['https://scan.example?tx=', 'https://scan.example?tx=0xab'],
		['https://scan.example#tx=', 'https://scan.example#tx=0xab'],
		['HTTPS://scan.example/tx/', 'HTTPS://scan.example/tx/0xab'],
		['http://127.0.0.1:4000/{hash}/{hash}', 'http://127.0.0.1:4000/0xab/0xab'],
	])('%s', (explorer, url) => {
		expect(isExplorerAddress(explorer)).toBe(true);
		expect(link(explorer, '0xab')).toBe(url);
	});

	test('an explorer’s network may be entered by its name, and an ID goes before a name', () => {
		const explorers = new Map([
			['ethereum', 'https://by-name.example/tx/'],
			['201', 'https://by-id.example/tx/'],
			['Solana', 'https://by-name.example/tx/'],
		]);
		const display = reading({ explorers });
		expect(transactionUrl(display, 101, '0xab')).toBe('https://by-name.example/tx/0xab');
		expect(transactionUrl(display, 201, '0xab')).toBe('https://by-id.example/tx/0xab');
		expect(transactionUrl(display, 300, '0xab')).toBeNull();
		expect(transactionUrl({ ...display, networks: null }, 101, '0xab')).toBeNull();
	});

	test('networks of explorers that the bridge does not have, or has several of, are found', () => {
		const names = ['101', 'Solana', 'Etherium', '999', 'Twin', 'Base2', '2Base'];
		const explorers = new Map(names.map((name) => [name, 'https://a.example/tx/']));
		const twins = [7, 8].map((chainID) => ({ chainID, name: 'Twin' }));
		const networks = [...NETWORKS, ...twins];
		expect(strangeExplorers(reading({ explorers, networks }))).toEqual([
			...['Etherium', 'Twin', 'Base2', '2Base'],
		]);
		expect(strangeExplorers(reading({ explorers, networks: [] }))).toEqual([]);
		expect(strangeExplorers({ ...PLAIN_DISPLAY, explorers })).toEqual([]);
	});

	test('signs that an app could take for the end of the link are encoded', () => {
		expect(link('https://a.example/tx/', "a!b'c(d)e*/?#")).toBe(
			'https://a.example/tx/a%21b%27c%28d%29e%2A%2F%3F%23',
		);
	});

	test('only for its own network, only with a hash', () => {
		const ofNull = reading({ explorers: new Map([['null', 'https://a.example/tx/']]) });
		expect(transactionUrl(ofNull, null, '0xab')).toBeNull();
		expect(link('https://a.example/tx/', '0xab', ' 101 ')).toBe('https://a.example/tx/0xab');
		expect(link('https://a.example/tx/', '0xab', '101')).toBe('https://a.example/tx/0xab');
		expect(link('https://a.example/tx/', '0xab', 102)).toBeNull();
		expect(link('https://a.example/tx/', '0xab', null)).toBeNull();
		expect(link('https://a.example/tx/', null)).toBeNull();
	});

	test.each([
		'',
		'etherscan.io/tx/',
		'https://etherscan.io',
		'https://etherscan.io/',
		'https://{hash}.example/tx/',
		'https://a.example/tx/{tx}',
		'https://a b.example/tx/',
		'https://user:secret@a.example/tx/',
		'javascript:alert(1)//{hash}',
		'javascript:https://a.example/tx/',
		'ftp://a.example/tx/',
		'https:/tx/{hash}',
		'https://a.example\\tx\\',
		'https://a.example/tx\\x',
		'https://a.example/t x',
		'https://a.example/ tx',
		'see https://a.example/tx/',
		'https://a.example/tx/}',
		'https://a.example:99999/tx/',
	])('%j is rejected', (address) => expect(isExplorerAddress(address)).toBe(false));

	test('whatever the hash contains, the link stays on the explorer and contains the hash', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: 'binary' }),
				fc.constantFrom('https://a.example/tx/', 'https://a.example/tx/{hash}/x'),
				(txHash, explorer) => {
					const url = link(explorer, txHash);
					if (url === null) return;
					expect(url).toMatch(/^https:\/\/a\.example\/tx\/[\w\-.~%]*(\/x)?$/);
					expect(decodeURIComponent(url.replace(/^.*\/tx\/|\/x$/g, ''))).toBe(txHash);
				},
			),
		);
		expect(link('https://a.example/tx/', '\ud800')).toBeNull();
	});
});

describe('the bridge’s page of an order', () => {
	const page = (orderPage: string | null, orderId: string | null = '0x1d') =>
		orderPageUrl({ ...PLAIN_DISPLAY, orderPage }, orderId, '0xab');

	test.each<[string, string | null, string | null]>([
		['https://a.example/orders/{orderId}', '0x1d', 'https://a.example/orders/0x1d'],
		['https://a.example/?o={orderId}&h={hash}', '0x1d', 'https://a.example/?o=0x1d&h=0xab'],
		['https://a.example/tx/{hash}', null, 'https://a.example/tx/0xab'],
		['https://a.example/orders/{orderId}', null, null],
		['https://a.example/{hash}/{orderId}', null, null],
		['https://a.example/{orderId}', 'a/b?c#d', 'https://a.example/a%2Fb%3Fc%23d'],
	])('%s of the order %j is %j', (orderPage, orderId, url) => {
		expect(isOrderPage(orderPage)).toBe(true);
		expect(page(orderPage, orderId)).toBe(url);
	});

	test('without an address there is none', () => {
		expect(page(null)).toBeNull();
		expect(
			orderPageUrl({ ...PLAIN_DISPLAY, orderPage: 'https://a.example/{hash}' }, null, '\ud800'),
		).toBeNull();
		expect(orderPageUrl(PLAIN_DISPLAY, '0x1d', '0xab')).toBeNull();
	});

	test.each([
		...['', 'https://a.example/orders/', 'a.example/{orderId}', 'https://{orderId}.example/'],
		...['https://a.example/{order}', 'https://a.example/{orderId}/{x}', 'ftp://a.example/{hash}'],
		...['https://u:p@a.example/{hash}', 'javascript:alert({hash})', 'https://a.example/ {hash}'],
	])('%j is rejected', (address) => expect(isOrderPage(address)).toBe(false));
});
