import fc from 'fast-check';
import { ORDER_ENDS, PLANNED_ENDS, statusAt, statusData } from '../../sandbox/orders';
import type { Order, OrderStatus } from '../../sandbox/orders';
import { completeRoute } from '../../sandbox/quotes';

const RANK: Record<OrderStatus, number> = {
	pending: 0,
	executing: 1,
	completed: 2,
	refunded: 2,
	failed: 2,
};

const anyOrder: fc.Arbitrary<Order> = fc
	.record({
		beginsAtMs: fc.integer({ min: 1, max: 2_000_000_000_000 }),
		executesAfterMs: fc.option(fc.integer({ min: 0, max: 400_000 })),
		endsAfterMs: fc.integer({ min: 0, max: 400_000 }),
		end: fc.constantFrom(...PLANNED_ENDS),
		missing: fc.constantFrom('absent' as const, 'null' as const),
	})
	.map(({ beginsAtMs, executesAfterMs, endsAfterMs, end, missing }) => ({
		sourceHash: `0x${'ab'.repeat(32)}`,
		route: completeRoute({}),
		beginsAtMs,
		executesAtMs: executesAfterMs === null ? null : beginsAtMs + executesAfterMs,
		end,
		endsAtMs: beginsAtMs + endsAfterMs,
		missing,
		answer: {},
		absent: [],
	}));

const anyAges = fc.tuple(
	fc.integer({ min: -1000, max: 500_000 }),
	fc.integer({ min: 0, max: 500_000 }),
);

test('an order only goes forward, and a final status never changes', () => {
	fc.assert(
		fc.property(anyOrder, anyAges, (order, [age, later]) => {
			const first = statusAt(order, order.beginsAtMs + age);
			const second = statusAt(order, order.beginsAtMs + age + later);
			if (first === undefined) {
				expect(age).toBeLessThan(0);
				return;
			}
			if (second === undefined) throw new Error('An order that had begun was gone');
			expect(RANK[second]).toBeGreaterThanOrEqual(RANK[first]);
			if (RANK[first] === 2) expect(second).toBe(first);
		}),
	);
});

test('times fit together at any moment of any order', () => {
	fc.assert(
		fc.property(anyOrder, anyAges, (order, [age]) => {
			const data = statusData(order, order.beginsAtMs + age);
			if (data === undefined) return;
			const { status, solver, timing } = data as {
				status: OrderStatus;
				solver?: { assignedAt: number } | null;
				timing: {
					createdAt: number;
					expiry: number;
					completedAt?: number | null;
					duration?: number | null;
				};
			};
			const isFinished = ORDER_ENDS.some((final) => final === status);
			expect(timing.expiry - timing.createdAt).toBe(3600);
			expect(timing.completedAt ?? null).toBe(
				isFinished ? Math.floor(order.endsAtMs / 1000) : null,
			);
			expect(timing.duration ?? null).toBe(
				isFinished ? Math.floor(order.endsAtMs / 1000) - timing.createdAt : null,
			);
			expect((data.output ?? null) !== null).toBe(status === 'completed');
			if (status === 'pending') expect(solver ?? null).toBeNull();
			if (status === 'executing' || status === 'completed') expect(solver ?? null).not.toBeNull();
			if (solver) {
				expect(solver.assignedAt).toBeGreaterThanOrEqual(timing.createdAt);
				if (timing.completedAt) expect(solver.assignedAt).toBeLessThanOrEqual(timing.completedAt);
			}
			if (order.missing === 'absent') expect(JSON.stringify(data)).not.toContain('null');
		}),
	);
});
