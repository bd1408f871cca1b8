import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { acceptingTrigger, knownState } from '../n8n/poll';
import { fieldsOfRow, isHashColumn } from '../orders/orderRow';
import { field, isPlainObject } from '../orders/values';
import { leaveForEditor } from '../trigger/editorCalls';
import { postedOrdersNow, watchedOrdersNow } from '../trigger/testEvent';
import {
	answerTo,
	answerToGet,
	GET_ADDS_NOTHING,
	NOT_RUN_HERE,
	NOTHING_TO_SHOW,
	shownInEditor,
	TEST_REMOVES_NOTHING,
	type WebhookAnswer,
} from './answers';
import { type CallRead, readCall } from './request';
import { whyRefused } from './secret';

/** One call to the trigger's webhook. n8n saves what it changes before it sends the answer. */
export async function receiveOrders(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { method } = context.getRequestObject();
	// No proxy or browser may keep confidential references.
	context.getResponseObject().setHeader('Cache-Control', 'no-store');
	const isTest = context.getMode() === 'manual';
	// A browser that opens the test URL cannot send a header. The caller gets nothing, because the editor shows the orders.
	const isShownInEditor = isTest && method === 'GET';
	const isMeantAsPost = !isTest && method === 'GET' && namesOrder(context);
	const needsSecret = method !== 'POST' && !isMeantAsPost;
	const refused = isShownInEditor ? null : await whyRefused(context, needsSecret);
	if (refused !== null) return sendNow(context, refused);
	if (isMeantAsPost) return sendNow(context, GET_ADDS_NOTHING);
	if (isTest) return await showOrders(context, method);
	const answer = await takeOrders(context, method);
	// n8n sends the status that the description states for the method; any other one is sent without n8n.
	return answer.httpStatus < 300 ? { webhookResponse: answer.body } : sendNow(context, answer);
}

/** GET is the method of n8n's HTTP Request node, unless another one is chosen. */
function namesOrder(context: IWebhookFunctions): boolean {
	const { query, body } = context.getRequestObject();
	return [query, body as unknown]
		.flat()
		.some((row) =>
			isPlainObject(row)
				? Object.keys(fieldsOfRow(row)).some(isHashColumn)
				: typeof row === 'string' && row.trim() !== '',
		);
}

async function takeOrders(context: IWebhookFunctions, method: string): Promise<WebhookAnswer> {
	const accepting = acceptingTrigger(context);
	// The orders are not known for certain while a person publishes again, or before the durable engine has polled here; a POST is kept all the same.
	if (accepting === null || (method !== 'POST' && !accepting.isSettled)) return NOT_RUN_HERE;
	const { session } = accepting;
	if (method === 'GET') return answerToGet(session.state);
	const call = readRequest(context);
	if (!call.ok) return call.answer;
	const kind = method === 'DELETE' ? 'removed' : 'posted';
	const effects = await accepting.accept({ kind, orders: call.orders });
	return answerTo(method, effects, session.state, call.notes);
}

/** The test URL: the orders as the workflow would get them now, shown in the editor. */
async function showOrders(
	context: IWebhookFunctions,
	method: string,
): Promise<IWebhookResponseData> {
	if (method === 'DELETE') return sendNow(context, TEST_REMOVES_NOTHING);
	if (method === 'GET')
		return showInEditor(context, await watchedOrdersNow(context, knownState(context), 'call'));
	const call = readRequest(context);
	if (!call.ok) return sendNow(context, call.answer);
	if (call.orders.length === 0) return sendNow(context, NOTHING_TO_SHOW);
	return showInEditor(context, await postedOrdersNow(context, call.orders), call.notes);
}

function showInEditor(
	context: IWebhookFunctions,
	items: INodeExecutionData[],
	notes: readonly string[] = [],
): IWebhookResponseData {
	leaveForEditor(context, items, Date.now());
	// Next to the items of a workflow, n8n would send a response of its own.
	const answer = shownInEditor(context.getRequestObject().method, notes);
	return { ...sendNow(context, answer), workflowData: [items] };
}

function readRequest(context: IWebhookFunctions): CallRead {
	const request = context.getRequestObject();
	return readCall(context.getBodyData(), field(request, 'rawBody'), request.query);
}

function sendNow(
	context: IWebhookFunctions,
	{ httpStatus, body, retryAfterSeconds }: WebhookAnswer,
): IWebhookResponseData {
	const response = context.getResponseObject();
	if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
	response.status(httpStatus).json(body);
	return { noWebhookResponse: true };
}
