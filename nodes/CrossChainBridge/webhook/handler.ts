import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { within } from '../checks/within';
import { field } from '../orders/values';
import { n8nClock } from '../service/service';
import { mergedInbox, untaken, withInbox, withTaken } from '../state/inbox';
import {
	sessionAtWork,
	type SessionAtWork,
	sessionToCome,
	setOpenOrders,
} from '../trigger/session';
import { readSettings } from '../trigger/settings';
import { changeState, readInbox, storeInbox, storeState } from '../trigger/store';
import { postedOrdersNow, watchedOrdersNow } from '../trigger/testEvent';
import {
	answerDelete,
	answerGet,
	answerPost,
	badCallAnswer,
	LISTING_IS_OFF,
	noRoomAnswer,
	NOT_RUN_HERE,
	NOTHING_TO_SHOW,
	TEST_REMOVES_NOTHING,
	type WebhookAnswer,
} from './answers';
import { isOpenToAll, rejectionOf } from './authentication';
import { leaveForEditor } from './editorCalls';
import { type CallRead, readCall } from './request';

/** This process among all that may accept calls. */
const THIS_PROCESS = Math.random().toString(36).slice(2);

/** How long a call waits for the answer to the one before it, in milliseconds. */
const MAX_ANSWER_MS = 5_000;

/** A call that another process has accepted is in the database by then, in milliseconds. */
const OTHERS_SAVE_WITHIN_MS = 2_000;

/** Characters of JSON that wait for a poll: as much as the largest watch of 1,000 orders, and room for corrections. */
const MAX_INBOX_LENGTH = 4 * 1024 * 1024;

/**
 * One call to the trigger's webhook. What it changes is in the session at once, so that the next tick checks the new
 * orders, and in the data that n8n saves before it sends the answer.
 */
export async function receiveOrders(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { method } = context.getRequestObject();
	// References may be confidential: no proxy or browser on the way may keep an answer.
	context.getResponseObject().setHeader('Cache-Control', 'no-store');
	const rejection = isOpenToAll(context) ? null : await rejectionOf(context);
	if (rejection !== null) return sendNow(context, rejection);
	if (context.getMode() === 'manual') return await showOrders(context);
	const atWork = sessionAtWork(context, Date.now()) ?? firstCall(context);
	// While the user publishes it is open which list counts; a post is accepted in either case.
	if (atWork === null || (method !== 'POST' && atWork.session.candidate !== null))
		return sendNow(context, NOT_RUN_HERE);
	const { session, settings } = atWork;
	if (method !== 'POST' && !settings.listsByWebhook) return sendNow(context, LISTING_IS_OFF);
	return session.isCommitted ? await acceptForPolls(context, atWork) : acceptNow(context, atWork);
}

/** A call that comes before the first poll: the durable engine's will find it. */
function firstCall(context: IWebhookFunctions): SessionAtWork | null {
	return sessionToCome(context, () => {
		const read = readSettings(context, 'durable');
		return read.ok ? read.settings : null;
	});
}

/**
 * The usual engine: the state goes into both copies of the workflow's data, the call's own, which n8n saves now, and the
 * registration's, which it saves with the next event. Nothing is awaited in between, so an event of the same moment can be
 * neither overwritten nor forgotten.
 */
function acceptNow(
	context: IWebhookFunctions,
	{ session, settings: { rules } }: SessionAtWork,
): IWebhookResponseData {
	const { method } = context.getRequestObject();
	if (method === 'GET') return sendNow(context, answerGet(session.state, rules));
	const decide = method === 'DELETE' ? answerDelete : answerPost;
	const { state, answer } = decide(session.state, readRequest(context), rules, Date.now());
	if (state === null) return sendNow(context, answer);
	changeState(session, state);
	storeState(session, context);
	setOpenOrders(session);
	return { webhookResponse: answer.body };
}

/**
 * The durable engine: a call that changes something is put into the inbox, where the next poll finds it in any process; one that is
 * under way here takes it at once. One call after another, so that each is saved with those before it.
 */
async function acceptForPolls(
	context: IWebhookFunctions,
	{ session, settings: { rules } }: SessionAtWork,
): Promise<IWebhookResponseData> {
	const { method } = context.getRequestObject();
	const response = context.getResponseObject();
	const turn = within(n8nClock, n8nClock.now() + MAX_ANSWER_MS, session.lastAnswered);
	session.lastAnswered = turn.then(async () => {
		// One whose caller is gone does not close again.
		if (!response.closed) await new Promise((resolve) => void response.once('close', resolve));
	});
	await turn;
	const now = Date.now();
	const stored = readInbox(context);
	const waiting = untaken(mergedInbox(stored, session.inbox), session.committed, now);
	const state = withInbox(session.state, waiting, rules, now);
	if (method === 'GET') return sendNow(context, answerGet(state, rules));
	const request = readRequest(context);
	const decide = method === 'DELETE' ? answerDelete : answerPost;
	const { state: after, answer } = decide(state, request, rules, now);
	if (after === null || !request.ok) return sendNow(context, answer);
	// Two processes that read the same data at the same moment: the later of them would write over the other's call.
	if (
		stored.some(
			({ writer, at }) => writer !== THIS_PROCESS && Math.abs(now - at) < OTHERS_SAVE_WITHIN_MS,
		)
	)
		return sendNow(context, NOT_RUN_HERE);
	const at = Math.max(now, (state.taken.get(THIS_PROCESS) ?? 0) + 1);
	const call = { writer: THIS_PROCESS, at, removes: method === 'DELETE', orders: request.orders };
	const calls = [...waiting, call];
	if (JSON.stringify(calls).length > MAX_INBOX_LENGTH)
		return sendNow(context, noRoomAnswer(state, rules));
	session.inbox = [...session.inbox, call];
	storeInbox(context, calls);
	// A poll under way goes by it at once, and stores it: n8n lets nobody else write a poll's data.
	session.state = withTaken(after, call, now);
	setOpenOrders(session);
	return { webhookResponse: answer.body };
}

/** The test URL: the orders as the workflow would get them now, shown in the editor. */
async function showOrders(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { method } = context.getRequestObject();
	if (method === 'DELETE') return sendNow(context, TEST_REMOVES_NOTHING);
	if (method === 'GET') return showInEditor(context, await watchedOrdersNow(context));
	const call = readRequest(context);
	if (!call.ok) return sendNow(context, badCallAnswer(call));
	if (call.orders.length === 0) return sendNow(context, NOTHING_TO_SHOW);
	return showInEditor(context, await postedOrdersNow(context, call.orders));
}

function showInEditor(
	context: IWebhookFunctions,
	items: INodeExecutionData[],
): IWebhookResponseData {
	leaveForEditor(context, items, Date.now());
	return { workflowData: [items] };
}

function readRequest(context: IWebhookFunctions): CallRead {
	return readCall({
		query: context.getQueryData(),
		body: context.getBodyData(),
		rawBody: field(context.getRequestObject(), 'rawBody'),
	});
}

/** Answers without n8n, which would give each answer the status of the description; for what changes nothing, and so need not be saved first. */
function sendNow(
	context: IWebhookFunctions,
	{ httpStatus, body, retryAfterSeconds }: WebhookAnswer,
): IWebhookResponseData {
	const response = context.getResponseObject();
	if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
	response.status(httpStatus).json(body);
	return { noWebhookResponse: true };
}
