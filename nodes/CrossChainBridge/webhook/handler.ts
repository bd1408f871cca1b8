import { createHash, timingSafeEqual } from 'crypto';
import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { field, textOrNull } from '../orders/values';
import type { Change } from '../trigger/engine';
import { acceptingTrigger } from '../trigger/engines';
import { postedOrdersNow, watchedOrdersNow } from '../trigger/ordersNow';
import { isInCharge } from '../trigger/registration';
import {
	answerDelete,
	answerGet,
	answerPost,
	LISTING_IS_OFF,
	noRoomAnswer,
	NOT_RUN_HERE,
	NOTHING_TO_SHOW,
	saying,
	TEST_REMOVES_NOTHING,
	type WebhookAnswer,
} from './answers';
import { HEADER_AUTH } from './description';
import { leaveForEditor } from './editorCalls';
import { type CallRead, readCall } from './request';

/** One call to the trigger's webhook; n8n saves what it changes before it sends the answer. */
export async function receiveOrders(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { method } = context.getRequestObject();
	// No proxy or browser may keep confidential references.
	context.getResponseObject().setHeader('Cache-Control', 'no-store');
	const isTest = context.getMode() === 'manual';
	// A browser cannot send the header; it gets nothing, since the editor shows the orders.
	const isOpenToAll = context.getNodeParameter('authentication', 'none') === 'none';
	const rejection = isOpenToAll || (isTest && method === 'GET') ? null : await rejectionOf(context);
	if (rejection !== null) return sendNow(context, rejection);
	if (isTest) return await showOrders(context);
	const accepting = acceptingTrigger(context);
	// Before the first poll, and while the user publishes, the orders are not known.
	if (accepting === null) return sendNow(context, NOT_RUN_HERE);
	const { session, engine, settings } = accepting;
	const isSettled = session.engine !== null && isInCharge(session, session.engine);
	if (method !== 'POST' && !isSettled) return sendNow(context, NOT_RUN_HERE);
	const { rules, listsByWebhook } = settings;
	if (method !== 'POST' && !listsByWebhook) return sendNow(context, LISTING_IS_OFF);
	const call: CallRead = method === 'GET' ? { ok: true, orders: [] } : readRequest(context);
	if (!call.ok) return sendNow(context, call);
	const { orders } = call;
	const removes = method === 'DELETE';
	const change: Change<WebhookAnswer> = {
		orders,
		removes,
		rules,
		decide: (state) =>
			method === 'GET'
				? answerGet(state, rules)
				: (removes ? answerDelete : answerPost)(state, orders, rules, Date.now()),
		busy: NOT_RUN_HERE,
		full: (state) => noRoomAnswer(state, rules),
	};
	const answer = await engine.accept(context, change);
	return answer.httpStatus < 300 ? { webhookResponse: answer.body } : sendNow(context, answer);
}

/** The test URL: the orders as the workflow would get them now, shown in the editor. */
async function showOrders(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { method } = context.getRequestObject();
	if (method === 'DELETE') return sendNow(context, TEST_REMOVES_NOTHING);
	if (method === 'GET') return showInEditor(context, await watchedOrdersNow(context));
	const call = readRequest(context);
	if (!call.ok) return sendNow(context, call);
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

/** Answers without n8n, which would give it the status of the description. */
function sendNow(
	context: IWebhookFunctions,
	{ httpStatus, body, retryAfterSeconds }: WebhookAnswer,
): IWebhookResponseData {
	const response = context.getResponseObject();
	if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
	response.status(httpStatus).json(body);
	return { noWebhookResponse: true };
}

/** Null for a caller that sends the credential's header; without one nobody may call. */
async function rejectionOf(context: IWebhookFunctions): Promise<WebhookAnswer | null> {
	const credential: unknown = await context.getCredentials(HEADER_AUTH).catch(() => null);
	const name = textOrNull(field(credential, 'name'))?.trim().toLowerCase() ?? '';
	// HTTP drops white space around a header's value.
	const value = textOrNull(field(credential, 'value'))?.trim() ?? '';
	if (name === '' || value === '')
		return saying(500, 'The Header Auth credential of this trigger is missing or empty.');
	const sent: unknown = field(context.getHeaderData(), name);
	if (sent === undefined)
		return saying(401, 'Send the header of the Header Auth credential that this trigger uses.');
	const digestOf = (text: string) => createHash('sha256').update(text).digest();
	// In a time that does not depend on where the two differ.
	return typeof sent === 'string' && timingSafeEqual(digestOf(sent), digestOf(value))
		? null
		: saying(403, 'The header of the Header Auth credential has another value.');
}
