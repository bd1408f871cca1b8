import { caughtOrders, verdictOf, type KillRecord, type StartedExecution } from '../../../e2e/killLedger';

const KILLED_AT = 100_000;

function start(id: number, sourceHash: string, at = KILLED_AT - 5): StartedExecution {
	return { id, sourceHash, at };
}

/** `handedOver`: more than enough starts, unless a test is about them. */
function killed(kill: number, told: Record<string, number>, started: StartedExecution[], handedOver = 100): KillRecord {
	return { kill, at: KILLED_AT, told: new Map(Object.entries(told)), started, handedOver };
}

test('an order that is told, without an execution, was caught and explains one loss', () => {
	const kills = [killed(1, { a: KILLED_AT - 3, b: KILLED_AT - 500 }, [start(1, 'b')])];
	expect(caughtOrders(kills)).toEqual([{ kill: 1, sourceHash: 'a', left: 'stateOnly', milliseconds: 3 }]);
	expect(verdictOf(['a', 'b'], kills, [start(1, 'b')], 1000)).toMatchObject({ lost: ['a'], twice: [], broken: [] });
});

test('it was caught by the first kill that found it so, and by no later one', () => {
	const state = { a: KILLED_AT - 3 };
	expect(caughtOrders([killed(1, state, []), killed(2, state, [])]).map(({ kill }) => kill)).toEqual([1]);
});

test('an execution whose order is not told was caught and explains one repetition', () => {
	const kills = [killed(1, {}, [start(1, 'a')])];
	expect(caughtOrders(kills)).toEqual([{ kill: 1, sourceHash: 'a', left: 'executionOnly', milliseconds: 5 }]);
	expect(verdictOf(['a'], kills, [start(1, 'a'), start(2, 'a')], 1000)).toMatchObject({ lost: [], twice: ['a'], broken: [] });
	expect(verdictOf(['a'], kills, [start(1, 'a'), start(2, 'a'), start(3, 'a')], 1000).broken).toHaveLength(1);
});

test('an execution that an earlier kill has found explains nothing again', () => {
	const kills = [killed(1, {}, [start(1, 'a')]), killed(2, {}, [start(1, 'a')])];
	expect(caughtOrders(kills)).toHaveLength(1);
	const twice = [killed(1, {}, [start(1, 'a')]), killed(2, {}, [start(1, 'a'), start(2, 'a')])];
	expect(verdictOf(['a'], twice, [start(1, 'a'), start(2, 'a'), start(3, 'a')], 1000).broken).toEqual([]);
});

test('what no kill has caught is broken, and so is a repetition whose execution was made long before', () => {
	expect(verdictOf(['a'], [killed(1, {}, [])], [], 1000).broken).toHaveLength(1);
	expect(verdictOf(['a'], [killed(1, { a: 1 }, [start(1, 'a')])], [start(1, 'a'), start(2, 'a')], 1000).broken).toHaveLength(1);
	const late = [killed(1, {}, [start(1, 'a', KILLED_AT - 2000)])];
	expect(verdictOf(['a'], late, [start(1, 'a'), start(2, 'a')], 1000).broken).toHaveLength(1);
});

test('a told order without an execution that n8n had not been handed is broken', () => {
	const told = { a: KILLED_AT - 3, b: KILLED_AT - 3 };
	const last = [start(1, 'b')];
	expect(verdictOf(['a', 'b'], [killed(1, told, last, 2)], last, 1000).broken).toEqual([]);
	expect(verdictOf(['a', 'b'], [killed(1, told, last, 1)], last, 1000).broken).toEqual([
		'Kill 1 left 1 told orders without an execution, but n8n had only 0 starts under way.',
	]);
	// the second n8n has made no execution, and was handed the one that is missing
	const kills = [killed(1, { b: KILLED_AT - 9 }, last, 1), killed(2, told, last, 1)];
	expect(verdictOf(['a', 'b'], kills, last, 1000).broken).toEqual([]);
});

test('a loss does not explain a repetition, nor the other way round', () => {
	expect(verdictOf(['a'], [killed(1, {}, [start(1, 'a')])], [], 1000).broken).toHaveLength(1);
	expect(verdictOf(['a'], [killed(1, { a: KILLED_AT }, [])], [start(1, 'a'), start(2, 'a')], 1000).broken).toHaveLength(1);
});

test('an execution of something that has not ended is broken', () => {
	expect(verdictOf(['a'], [], [start(1, 'a'), start(2, 'no order')], 1000).broken).toHaveLength(1);
	expect(verdictOf(['a'], [], [start(1, 'a')], 1000)).toEqual({ caught: [], lost: [], twice: [], broken: [] });
});
