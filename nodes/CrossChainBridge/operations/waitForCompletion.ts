import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import {
	askedForStatus,
	enteredHash,
	nameOf,
	ORDER_OPTIONS,
	ORDER_OUTPUT,
	ORDER_PROPERTIES,
	type OrderInput,
	orderInput,
	shownOrder,
	throwIfAddressIsWrong,
} from '../fields/orderFields';
import { numberField, optionsProperty } from '../fields/fieldTypes';
import { CHECK_EVERY, itemError, itemInput, linkedItem, type RunInput } from '../fields/parameters';
import { isTool, putsEmptyItemOnFirstOutput } from '../n8n/internals';
import { statusOf } from '../orders/orders';
import { orderKey } from '../orders/hashForms';
import { readHash } from '../orders/sourceHash';
import { failureSummary } from '../orders/summary';
import { type PlainObject, trimmedText, valueOr } from '../orders/values';
import { isAccountError, type NodeErrorOptions, type ServiceError } from '../service/errors';
import { NetworksInTime } from '../service/networksInTime';
import { errorDetails, keptError, type NodeError, type Operation } from './operation';
import { NOT_CHECKED, waitForOrders } from './waitForOrders';

/** The outcomes of the service's polling guidance, in names that n8n's canvas has room for. */
const OUTCOMES = { Completed: 'success', 'Not Arrived': 'unsuccessful', 'Still Open': null };

export const WAIT_OUTPUTS = Object.keys(OUTCOMES).map((displayName) => ({
	type: NodeConnectionTypes.Main,
	displayName,
}));

/** By default as the service's polling guidance advises: 60 checks, one every 5 seconds. */
const MAXIMUM_WAIT = numberField(
	'Maximum Wait (Minutes)',
	'maxMinutes',
	0.01,
	5,
	'How many minutes to wait, from the start of this node and for all items together. Orders that are not finished by then go to the output Still Open.',
);

const WAIT_WHILE_NOT_FOUND = numberField(
	'Wait While Not Found (Minutes)',
	'notFoundMinutes',
	0,
	5,
	"How many minutes to wait for an order that the bridge doesn't know yet. After that, the order goes to Still Open with the status notFound.",
);

const OPTIONS = optionsProperty(ORDER_OPTIONS);

const NO_CHECK = 'No status check was completed while this node waited';

async function run(input: RunInput): Promise<INodeExecutionData[][]> {
	const { context, service } = input;
	const addsItem = context.getNode().alwaysOutputData === true && !isTool(context);
	if (addsItem && (await putsEmptyItemOnFirstOutput())) {
		throw new NodeOperationError(
			context.getNode(),
			"Turn off 'Always Output Data' in this node's settings",
			{
				description:
					'With it on, n8n sends an empty item to the Completed output even if no order was completed.',
			},
		);
	}
	const inputs = context.getInputData().map((_item, itemIndex): OrderInput | NodeError => {
		try {
			const item = itemInput(context, itemIndex);
			return orderInput(item, item.fields.inside(OPTIONS));
		} catch (error) {
			return keptError(context, error, itemIndex);
		}
	});

	const early = new NetworksInTime(service);
	// What concerns all items is read from the first, so that no other item's expression can fail.
	const first = { ...input, ...itemInput(context, 0) };
	const shape = ORDER_OUTPUT.shapeOf(first);
	const orders = inputs.flatMap((each) => (each instanceof Error ? [] : [each]));
	const results = await waitForOrders({
		sourceHashes: orders.map(({ sourceHash }) => sourceHash),
		service,
		limits: {
			intervalMs: 1000 * first.fields.number(CHECK_EVERY),
			maxMs: 60_000 * first.fields.number(MAXIMUM_WAIT),
			notFoundMs: 60_000 * first.fields.number(WAIT_WHILE_NOT_FOUND),
		},
		signal: context.getExecutionCancelSignal(),
		stopsAtFirstFailure: !context.continueOnFail(),
		onOrder: () => void early.ask(),
	});

	// What failed with the first order may work now, when the amounts are compared.
	const shown = { ...first, networks: early.hasFailed ? new NetworksInTime(service) : early };
	const isAnyShown = [...results.values()].some(({ order }) => order !== null);
	if (orders.length > 0 && !isAnyShown) await throwIfAddressIsWrong(shown);
	const items: IDataObject[] = [];
	for (const [itemIndex, each] of inputs.entries()) {
		if (each instanceof Error) {
			items.push(stillOpenItem(context, itemIndex, each));
			continue;
		}
		const { display, ...given } = each;
		const { order, seenAt, clockAheadMs, last, error, whyNotChecked, checks, waitedSeconds } =
			results.get(orderKey(given.sourceHash)) ?? NOT_CHECKED;
		if (error !== null) {
			// Key and address are judged by the configuration only.
			const asked = (of: ServiceError): NodeErrorOptions =>
				isAccountError(of, 'config') ? { asked: 'config' } : askedForStatus(given.sourceHash, of);
			const failure =
				error instanceof Error ? error : itemError({ context, itemIndex }, error, asked(error));
			items.push(stillOpenItem(context, itemIndex, failure, order));
			continue;
		}
		const isGone = order !== null && last === 'notFound';
		const source = {
			...given,
			order: isGone ? null : order,
			lastStatus: isGone ? (statusOf(order) ?? '') : null,
			seenAt: last === 'order' ? null : seenAt,
			clockAheadMs,
			whyNotChecked: order !== null || checks > 0 ? null : (whyNotChecked ?? NO_CHECK),
		};
		items.push(await shownOrder(shown, shape, source, display, { checks, waitedSeconds }));
	}
	return byOutcome(context, items);
}

/** What could not be checked is still open. A tool has one output, because n8n reads no other. */
function byOutcome(context: IExecuteFunctions, items: IDataObject[]): INodeExecutionData[][] {
	const linked = items.map(linkedItem);
	if (isTool(context)) return [linked];
	return Object.values(OUTCOMES).map((outcome) =>
		linked.filter(({ json }) => (json.outcome ?? null) === outcome),
	);
}

function allFailed(context: IExecuteFunctions, error: unknown): INodeExecutionData[][] {
	const items = context
		.getInputData()
		.map((_item, itemIndex) => stillOpenItem(context, itemIndex, error));
	return byOutcome(context, items);
}

/** An item that names its order, or what was entered instead of one, unless that is secret; n8n's error output takes nothing but `error`. */
function stillOpenItem(
	context: IExecuteFunctions,
	itemIndex: number,
	error: unknown,
	order: PlainObject | null = null,
): IDataObject {
	const kept = keptError(context, error, itemIndex);
	const details = { error: errorDetails(kept) };
	if (context.getNode().onError === 'continueErrorOutput') return details;
	const input = itemInput(context, itemIndex);
	const reference = valueOr(() => nameOf(input.fields), null);
	const entered = valueOr(() => trimmedText(enteredHash(input.fields)), '');
	const read = readHash(entered);
	const isSecret = !read.ok && read.problem.kind === 'secret';
	const shownHash = read.ok ? read.hash : isSecret ? '' : entered;
	return {
		status: order && statusOf(order),
		outcome: null,
		summary: failureSummary(reference, kept.message),
		reference,
		sourceHash: shownHash,
		...details,
	};
}

export const waitForCompletion: Operation = {
	option: {
		name: 'Wait for Completion',
		value: 'waitForCompletion',
		description: 'Wait until orders are finished, and branch by their final status',
		action: 'Wait for order completion',
	},
	toolDescription:
		'Wait up to a few minutes until a cross-chain transfer is finished, by the hash of the transaction that started it. Read summary, and outcome: success, unsuccessful, or null if the order is still open.',
	properties: [
		...ORDER_PROPERTIES,
		CHECK_EVERY,
		MAXIMUM_WAIT,
		WAIT_WHILE_NOT_FOUND,
		...ORDER_OUTPUT.properties,
		OPTIONS,
	],
	run,
	allFailed,
};
