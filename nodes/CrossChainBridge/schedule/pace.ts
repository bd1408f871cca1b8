/**
 * So many checks of one watcher begin at once, and so many are in flight while the process keeps up: n8n 2.40 spends some 57 ms of
 * processor time on sending each, and answers nothing else meanwhile. A step that comes late shows that the process does not keep up.
 */
const AT_ONCE = 25;
const MOST_IN_FLIGHT = 75;
const BREATH_MS = 15;
const LATE_MS = 25;

/** Where no more may be in flight, checks that are held back begin when no more than that are: each step plans for all orders. */
const ROOM_AGAIN_AT = AT_ONCE / 2;

/** How many checks one watcher begins, so that the process that it lives in stays responsive. Times in milliseconds. */
export class Pace {
	/** Checks in flight. */
	inFlight = 0;

	/** Whether the last step left checks that were due to later ones. */
	isHoldingBack = false;

	/** Whether the last step that nobody woke came in time. */
	private keepsUp = true;

	private room = 0;

	/** How many of so many checks that are due may begin now. */
	begin(due: number): number {
		this.room = (this.keepsUp ? MOST_IN_FLIGHT : AT_ONCE) - this.inFlight;
		const fitting = Math.max(0, Math.min(due, AT_ONCE, this.room));
		this.isHoldingBack = fitting < due;
		return fitting;
	}

	/** When to step again, where the plan says `plannedAt`. */
	stepAt(now: number, plannedAt: number): number {
		return this.isHoldingBack && this.keepsUp && this.room > AT_ONCE ? now + BREATH_MS : plannedAt;
	}

	/** Whether checks that were held back may begin, now that one has been answered. */
	get hasRoomAgain(): boolean {
		return this.isHoldingBack && this.inFlight <= ROOM_AGAIN_AT;
	}

	/** It is `now`, and a step was due at `next`. */
	awake(now: number, next: number): void {
		if (now >= next) this.keepsUp = now <= next + LATE_MS;
	}
}
