import {
	GuaranteedShare,
	guaranteedOf,
	KEPT_MS,
} from '../../../nodes/CrossChainBridge/budget/guaranteedShare';
import type { SlotUse } from '../../../nodes/CrossChainBridge/budget/slotWindow';

const SHARE = 5;
const MOST = 20;

const used = (changes: Partial<Record<SlotUse, number>> = {}): Record<SlotUse, number> => ({
	interactive: 0,
	watch: 0,
	unqueued: 0,
	...changes,
});
function shareOf(
	slots: Partial<Record<SlotUse, number>>,
	kept: Array<'watch' | 'unqueued'> = [],
): GuaranteedShare {
	const share = new GuaranteedShare(used(slots));
	for (const use of kept) share.keep(use, 0);
	return share;
}

test.each([
	[1, 0],
	[2, 1],
	[7, 1],
	[8, 2],
	[100, 25],
])("of %p requests a minute %p are watching's", (limit, share) => {
	expect(guaranteedOf(limit)).toBe(share);
});

test('what watching uses is what it uses with and without a queue', () => {
	expect(shareOf({ interactive: 9, watch: 2, unqueued: 3 }).usedByWatching).toBe(5);
});

test('something ends being kept with the first of what is kept now', () => {
	const share = shareOf({});
	expect(share.endsAt(0)).toBe(Number.POSITIVE_INFINITY);
	share.keep('watch', 1_000);
	share.keep('unqueued', 5_000);
	expect(
		[0, 1_000 + KEPT_MS - 1, 1_000 + KEPT_MS, 5_000 + KEPT_MS].map((now) => share.endsAt(now)),
	).toEqual([1_000 + KEPT_MS, 1_000 + KEPT_MS, 5_000 + KEPT_MS, Number.POSITIVE_INFINITY]);
});

test.each<
	[SlotUse, Array<'watch' | 'unqueued'>, Partial<Record<SlotUse, number>>, number, boolean]
>([
	['interactive', [], {}, 0, false],
	['interactive', ['watch'], {}, 0, true],
	['interactive', ['watch'], { watch: 2, unqueued: 2 }, KEPT_MS - 1, true],
	['interactive', ['watch'], { watch: 2, unqueued: 2 }, KEPT_MS, false],
	['interactive', ['watch'], { watch: 2, unqueued: 3 }, 0, false],
	['interactive', ['unqueued'], { watch: 9, unqueued: 4 }, 0, true],
	['interactive', ['unqueued'], { unqueued: 5 }, 0, false],
	['watch', ['unqueued'], {}, 0, true],
	['watch', ['unqueued'], { unqueued: 5 }, 0, false],
	['watch', ['watch'], {}, 0, false],
	['unqueued', ['watch', 'unqueued'], {}, 0, false],
])(
	'from %p with %p kept and %p used something is kept after %p ms: %p',
	(use, kept, slots, now, isKept) => {
		expect(shareOf(slots, kept).isKeptFrom(use, SHARE, now)).toBe(isKept);
	},
);

test.each<[SlotUse, Array<'watch' | 'unqueued'>, Partial<Record<SlotUse, number>>, boolean]>([
	['interactive', [], { interactive: 19 }, false],
	['interactive', ['watch'], { interactive: 14, watch: 4 }, false],
	['interactive', ['watch'], { interactive: 15, watch: 4 }, true],
	['interactive', ['watch'], { interactive: 15, watch: 5 }, false],
	['interactive', ['unqueued'], { interactive: 10, watch: 4 }, false],
	['interactive', ['unqueued'], { interactive: 10, watch: 5 }, true],
	['interactive', ['unqueued'], { interactive: 15, unqueued: 5 }, false],
	['watch', ['watch'], { interactive: 15 }, false],
	['watch', ['unqueued'], { interactive: 15 }, true],
	['watch', ['unqueued'], { interactive: 14 }, false],
	['unqueued', ['watch', 'unqueued'], { interactive: 19 }, false],
])('for %p with %p kept the window is used up by %p: %p', (use, kept, slots, isUsedUp) => {
	expect(shareOf(slots, kept).isUsedUp(use, MOST, SHARE, 0)).toBe(isUsedUp);
});

test.each<[Partial<Record<SlotUse, number>>, boolean]>([
	[{ interactive: 15, watch: 2, unqueued: 2 }, true],
	[{ interactive: 14, watch: 2, unqueued: 2 }, false],
	[{ interactive: 15, watch: 2, unqueued: 3 }, false],
])('with %p used, watching that waits goes first: %p', (slots, isAhead) => {
	expect(shareOf(slots).isAhead(MOST, SHARE)).toBe(isAhead);
});
