import type { IPollFunctions } from 'n8n-workflow';

import { needsTheUser } from '../service/errors';
import { type BridgeService, connectToService, n8nClock } from '../service/service';
import { within } from '../budget/clock';
import { errorOf } from '../orders/values';
import { Checker } from '../checks/checker';
import type { Networks } from '../service/configCache';
import { NetworksInTime } from '../service/networksInTime';
import { openOrders } from '../state/state';
import type { Engine } from './engine';
import { engineOf } from './engines';
import {
	afterPoll,
	HEALTHY,
	isShown,
	type Polled,
	polled,
	pollResult,
	visibleError,
} from './health';
import type { PollOccasion } from './pollTimes';
import { endPublishing, enter, isInCharge, leave } from './registration';
import { type Session, sessionOf, setOpenOrders, takeUncaught, type Watch } from './session';
import { readSettings } from './settings';
import { applySettings } from './watch';

/** How long the first poll waits for checks, in milliseconds. */
const FIRST_POLL_MS = 5_000;

/** How long publishing waits for the configuration, in milliseconds. */
const JUDGEMENT_MS = 3_500;

/** One poll of a published trigger; throws only what has to become visible now (health.ts). */
export async function poll(context: IPollFunctions): Promise<void> {
	const session = sessionOf(context);
	const engine = engineOf(session, context);
	const occasion = enter(session, engine);
	if (occasion === null) return;
	try {
		const found = await pollOnce(session, engine, occasion)
			.finally(async () => await engine.finish?.())
			.catch((error: unknown) => polled(errorOf(error)));
		if (occasion === 'scheduled') session.health = afterPoll(session.health, found);
		// n8n saves this copy after publishing, so it must contain what another trigger has emitted.
		else if (isInCharge(session, engine)) {
			engine.keep();
			session.health = HEALTHY;
		}
		const { health } = session;
		if (typeof found === 'string' || !isShown(found.kind, occasion, health)) return;
		// Too late to refuse: this registration is in charge.
		if (occasion === 'publishedByPerson' && session.engine === engine) return;
		throw visibleError(context, found, health[found.kind], engine.until !== null);
	} finally {
		leave(session, context);
	}
}

async function pollOnce(session: Session, engine: Engine, occasion: PollOccasion): Promise<Polled> {
	const { watch } = session;
	const { context } = engine;
	const startedAt = n8nClock.now();
	const isPublishing = occasion === 'publishedByPerson';
	const isFirst = session.engine !== engine;
	// The durable engine repeats nothing.
	const read = readSettings(context, engine.until === null);
	let service: BridgeService | null = null;
	if (isPublishing) {
		if (!read.ok) return polled(read.error);
		// Until this publishing ends nobody emits.
		session.candidate = context;
		service = await connectToService(context);
		const response = await within(n8nClock, startedAt + JUDGEMENT_MS, service.configNow());
		// What passes by itself never prevents publishing.
		if (response?.ok === false && needsTheUser(response.error, 'config'))
			return { kind: 'account', cause: response.error };
		// While this one waited, the workflow may have been published again.
		if (!endPublishing(session, context)) return 'idle';
	}
	if (isFirst) engine.takeOver(read.ok ? read.settings.rules : null);
	if (!read.ok && watch.settings === null) return polled(read.error);
	const settings = read.ok ? read.settings : watch.settings;
	// It may have been replaced, or not allowed to take over.
	if (settings === null || !isInCharge(session, engine)) return 'idle';
	// The settings of before count; the poll shows this after its checks.
	if (!read.ok) watch.uncaught = read.error;
	applySettings(session, engine, settings, occasion === 'startedByN8n');
	engine.begin?.(occasion);
	const isIdle = openOrders(watch.state, settings.rules).size === 0;
	if (isIdle && !isPublishing && !settings.acceptsOrders) {
		watch.checker?.setOrders(new Map());
		return polled(takeUncaught(watch));
	}
	service ??= await connectToService(context);
	if (!isInCharge(session, engine)) return 'idle';
	const until = engine.until ?? (isFirst ? startedAt + FIRST_POLL_MS : Number.POSITIVE_INFINITY);
	const checker = checkerOf(session, service, settings.intervalMs);
	if (watch.names === null || !isIdle) await readNames(watch, service);
	if (!isInCharge(session, engine)) return 'idle';
	setOpenOrders(session);
	// A key that was refused may work by now.
	if (checker.accountError !== null) await checker.probe(until);
	await engine.check(checker, settings, until);
	if (!isInCharge(session, engine)) return 'idle';
	return await pollResult(checker, takeUncaught(watch), until);
}

/** Reads the names; waits, briefly, only where none are known. */
async function readNames(watch: Watch, service: BridgeService): Promise<void> {
	const account = service.budget;
	const asking = new NetworksInTime(service);
	const keep = (networks: Networks | null): void => {
		if (networks !== null && service.budget === account) watch.names = { account, networks };
	};
	void asking.ask().then(keep);
	if (watch.names?.account !== account) await asking.get();
}

function checkerOf(session: Session, service: BridgeService, intervalMs: number): Checker {
	const { watch } = session;
	if (watch.checker !== null) {
		watch.checker.use(service, intervalMs);
		return watch.checker;
	}
	const checker: Checker = new Checker({
		service,
		clock: n8nClock,
		intervalMs,
		onOutcome: (key, outcome) => session.engine?.receive({ key, outcome, at: Date.now() }),
		onMoved: () => void readNames(watch, checker.service),
	});
	watch.checker = checker;
	return checker;
}
