import { getEventListeners } from 'node:events';

import { onAbort } from '../../../nodes/CrossChainBridge/budget/abortListeners';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('all that wait with a signal share one listener, which goes with the last of them', () => {
	const { signal } = new AbortController();
	const removals = Array.from({ length: 100 }, () => onAbort(signal, () => undefined));
	expect(listeners(signal)).toBe(1);
	for (const remove of removals.slice(1)) remove();
	expect(listeners(signal)).toBe(1);
	removals[0]?.();
	expect(listeners(signal)).toBe(0);
	onAbort(signal, () => undefined);
	expect(listeners(signal)).toBe(1);
});

test('each that still waits is called once', () => {
	const stop = new AbortController();
	const called: string[] = [];
	onAbort(stop.signal, () => called.push('a'));
	const remove = onAbort(stop.signal, () => called.push('b'));
	onAbort(stop.signal, () => called.push('c'));
	remove();
	remove();
	stop.abort();
	stop.abort();
	expect(called).toEqual(['a', 'c']);
});

test('without a signal nobody is called', () => {
	expect(onAbort(undefined, () => undefined)()).toBeUndefined();
});
