import {
	caughtOrders,
	verdictOf,
	type Delivery,
	type KillRecord,
	type StartedExecution,
} from '../../../e2e/kill/verdict';

const KILLED_AT = 100_000;

function start(id: number, event: string, at = KILLED_AT - 5): StartedExecution {
	return { id, event, at, redelivered: false };
}

function again(id: number, event: string): StartedExecution {
	return { ...start(id, event), redelivered: true };
}

/** One kill and one orderly restart; an option that is not named here has its default. */
function verdictWith(
	finished: string[],
	kills: KillRecord[],
	last: StartedExecution[],
	delivery: Delivery = 'atMostOnce',
) {
	return verdictOf(finished, kills, last, { windowMs: 1000, delivery, restarts: 2 });
}

/** `handedOver`: more than enough starts, unless a test is about them. */
function killed(
	kill: number,
	emitted: Record<string, number>,
	started: StartedExecution[],
	handedOver = 100,
): KillRecord {
	return { kill, at: KILLED_AT, emitted: new Map(Object.entries(emitted)), started, handedOver };
}

test('an order that is emitted, without an execution, was caught and explains one loss', () => {
	const kills = [killed(1, { a: KILLED_AT - 3, b: KILLED_AT - 500 }, [start(1, 'b')])];
	expect(caughtOrders(kills)).toEqual([
		{ kill: 1, event: 'a', left: 'stateOnly', milliseconds: 3 },
	]);
	const verdict = verdictWith(['a', 'b'], kills, [start(1, 'b')]);
	expect(verdict).toMatchObject({ lost: ['a'], twice: [], unexplained: [] });
});

test('it was caught by the first kill that found it so, and by no later one', () => {
	const state = { a: KILLED_AT - 3 };
	expect(
		caughtOrders([killed(1, state, []), killed(2, state, [])]).map(({ kill }) => kill),
	).toEqual([1]);
});

const TWICE = [start(1, 'a'), start(2, 'a')];
const THRICE = [...TWICE, start(3, 'a')];

test('an execution whose order is not emitted was caught and explains one repetition', () => {
	const kills = [killed(1, {}, [start(1, 'a')])];
	expect(caughtOrders(kills)).toEqual([
		{ kill: 1, event: 'a', left: 'executionOnly', milliseconds: 5 },
	]);
	const verdict = verdictWith(['a'], kills, TWICE);
	expect(verdict).toMatchObject({ lost: [], twice: ['a'], unexplained: [] });
	expect(verdictWith(['a'], kills, THRICE).unexplained).toHaveLength(1);
});

test('an execution that an earlier kill has found explains nothing again', () => {
	const kills = [killed(1, {}, [start(1, 'a')]), killed(2, {}, [start(1, 'a')])];
	expect(caughtOrders(kills)).toHaveLength(1);
	const twice = [killed(1, {}, [start(1, 'a')]), killed(2, {}, TWICE)];
	expect(verdictWith(['a'], twice, THRICE).unexplained).toEqual([]);
});

test.each<[string, KillRecord[], StartedExecution[], Delivery?]>([
	['a loss that no kill has caught', [killed(1, {}, [])], []],
	['a repetition that no kill has caught', [killed(1, { a: 1 }, [start(1, 'a')])], TWICE],
	['one made long before', [killed(1, {}, [start(1, 'a', KILLED_AT - 2000)])], TWICE],
	['a loss next to a repetition that was caught', [killed(1, {}, [start(1, 'a')])], []],
	['a repetition next to a loss that was caught', [killed(1, { a: KILLED_AT }, [])], TWICE],
	['what has not finished', [], [start(1, 'a'), start(2, 'no order')]],
	['a repetition that does not say so, at least once', [], TWICE, 'atLeastOnce'],
])('unexplained is %s', (_what, kills, last, delivery = 'atMostOnce') => {
	expect(verdictWith(['a'], kills, last, delivery).unexplained).toHaveLength(1);
});

test('an emitted order without an execution that n8n had not been handed is unexplained', () => {
	const emitted = { a: KILLED_AT - 3, b: KILLED_AT - 3 };
	const last = [start(1, 'b')];
	expect(verdictWith(['a', 'b'], [killed(1, emitted, last, 2)], last).unexplained).toEqual([]);
	expect(verdictWith(['a', 'b'], [killed(1, emitted, last, 1)], last).unexplained).toEqual([
		'Kill 1 left 1 emitted orders without an execution, but n8n had only 0 starts under way.',
	]);
	// the second n8n has made no execution, and was handed the one that is missing
	const kills = [killed(1, { b: KILLED_AT - 9 }, last, 1), killed(2, emitted, last, 1)];
	expect(verdictWith(['a', 'b'], kills, last).unexplained).toEqual([]);
});

test('where all is well nothing is lost, repeated or unexplained', () => {
	const well = { caught: [], lost: [], twice: [], redelivered: 0, unexplained: [] };
	expect(verdictWith(['a'], [], [start(1, 'a')])).toEqual(well);
});

test('with Delivery at least once no kill explains a loss', () => {
	const kills = [killed(1, { a: KILLED_AT - 3 }, [])];
	expect(verdictWith(['a'], kills, [], 'atMostOnce').unexplained).toEqual([]);
	expect(verdictWith(['a'], kills, [], 'atLeastOnce').unexplained).toHaveLength(1);
	const verdict = verdictWith(['a'], kills, [again(1, 'a')], 'atLeastOnce');
	expect(verdict).toMatchObject({ lost: [], twice: [], redelivered: 1, unexplained: [] });
});

test('a redelivered execution needs the option, and a start of n8n each', () => {
	const twice = [start(1, 'a'), again(2, 'a')];
	const verdict = verdictWith(['a'], [], twice, 'atLeastOnce');
	expect(verdict).toMatchObject({ twice: ['a'], redelivered: 1, unexplained: [] });
	expect(verdictWith(['a'], [], twice, 'atMostOnce').unexplained).toHaveLength(2);
	const more = [...twice, again(3, 'a'), again(4, 'a')];
	expect(verdictWith(['a'], [], more, 'atLeastOnce').unexplained).toHaveLength(1);
});
