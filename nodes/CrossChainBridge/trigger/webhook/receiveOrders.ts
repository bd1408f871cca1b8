import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { field } from '../../bridge/values';
import { openHashes, siblingsOf, watchAtWork, type WatchAtWork } from '../liveWatch';
import { changeState } from '../news';
import { keepWatch } from '../stateStore';
import { postedOrdersNow } from '../watchedOrdersNow';
import type { WatchState } from '../watchState';
import { answerDelete, answerGet, answerPost, badCallAnswer, type Decision, NOT_HELD_HERE, NOTHING_TO_SHOW, TEST_TAKES_POST, type WebhookAnswer } from './answers';
import { type CallRead, readCall } from './request';
import { leaveForEditor } from './editorCalls';

/**
 * One call to the trigger's webhook. What it changes is in the live watch at once, so that the next tick looks at the
 * new orders, and in the data that n8n saves before it sends the answer. Nothing is awaited in between: a news of the
 * same moment can be neither overwritten nor forgotten.
 */
export async function receiveOrders(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { method } = context.getRequestObject();
	if (context.getMode() === 'manual') return await showOrders(context, method);
	const now = Date.now();
	const atWork = watchAtWork(context, now);
	if (atWork === null) return sendNow(context, NOT_HELD_HERE);
	const { live, settings } = atWork;
	if (method === 'GET') return sendNow(context, answerGet(live.state, settings.rules));
	const decide = method === 'DELETE' ? answerDelete : answerPost;
	return keepAndAnswer(context, atWork, decide(live.state, readRequest(context), settings.rules, now), now);
}

function keepAndAnswer(context: IWebhookFunctions, atWork: WatchAtWork, { state, answer }: Decision, now: number): IWebhookResponseData {
	if (state === null) return sendNow(context, answer);
	keep(context, atWork, state, now);
	return { webhookResponse: answer.body };
}

/** Puts the state into both copies of the workflow's data: the call's own, which n8n saves now, and the registration's, which it saves with the next news. */
function keep(context: IWebhookFunctions, { live, owner, settings }: WatchAtWork, state: WatchState, now: number): void {
	changeState({ context: owner, engine: 'default', live }, state);
	keepWatch(context, 'default', state, siblingsOf(context), now);
	live.looks?.watch(openHashes(live, settings));
}

/** The test URL: the orders as the workflow would get them now, shown in the editor. */
async function showOrders(context: IWebhookFunctions, method: string | undefined): Promise<IWebhookResponseData> {
	if (method !== 'POST') return sendNow(context, TEST_TAKES_POST);
	const call = readRequest(context);
	if (!call.ok) return sendNow(context, badCallAnswer(call));
	if (call.orders.length === 0) return sendNow(context, NOTHING_TO_SHOW);
	const items = await postedOrdersNow(context, call.orders);
	leaveForEditor(context, items, Date.now());
	return { workflowData: [items] };
}

function readRequest(context: IWebhookFunctions): CallRead {
	const request = context.getRequestObject();
	const rawBody: unknown = field(request, 'rawBody');
	const stated = Number(request.headers['content-length'] ?? 0);
	const bytes = Buffer.isBuffer(rawBody) ? rawBody.length : stated;
	return readCall({ query: context.getQueryData(), body: context.getBodyData(), bytes });
}

/** Answers without n8n, which would give each answer the status of the description; for what changes nothing, and so need not be saved first. */
function sendNow(context: IWebhookFunctions, { httpStatus, body, retryAfterSeconds }: WebhookAnswer): IWebhookResponseData {
	const response = context.getResponseObject();
	if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
	response.status(httpStatus).json(body);
	return { noWebhookResponse: true };
}
