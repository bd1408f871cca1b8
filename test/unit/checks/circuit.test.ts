import { Circuit } from '../../../nodes/CrossChainBridge/checks/circuit';

const ERROR = { kind: 'timedOut', afterMs: 1 } as const;

test('nothing is probed without a suspicion', () => {
	const circuit = new Circuit();
	expect(circuit.isProbeDue(1e9)).toBe(false);
});

test('the first suspicion leads to a probe at once, the next after a minute', () => {
	const circuit = new Circuit();
	circuit.suspect();
	expect(circuit.isProbeDue(0)).toBe(true);
	circuit.probed(null, false, 0);
	circuit.suspect();
	expect([59_999, 60_000].map((now) => circuit.isProbeDue(now))).toEqual([false, true]);
});

test('while it is open it is probed after 5 s, then after twice that, up to a minute; a sound answer closes it', () => {
	const circuit = new Circuit();
	let now = 0;
	const gaps: number[] = [];
	for (let probe = 0; probe < 6; probe++) {
		circuit.probed(ERROR, true, now);
		expect(circuit.error).toBe(ERROR);
		const before = now;
		while (!circuit.isProbeDue(now)) now += 500;
		gaps.push(now - before);
	}
	expect(gaps).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
	circuit.probed(null, false, now);
	expect([circuit.error, circuit.isProbeDue(now + 1e9)]).toEqual([null, false]);
});

test('what passes by itself does not open it', () => {
	const circuit = new Circuit();
	circuit.suspect();
	circuit.probed(ERROR, false, 0);
	expect(circuit.error).toBeNull();
});
