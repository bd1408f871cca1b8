import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { DISPLAY_PROPERTIES, displayOptionsOf } from '../fields/displayFields';
import {
	askedForStatus,
	ORDER_OUTPUT_PROPERTIES,
	shownOrder,
	SOURCE_HASH_PROPERTY,
	sourceHashOf,
	throwIfAddressIsWrong,
} from '../fields/orderFields';
import { optionsProperty } from '../fields/fieldTypes';
import { isTool } from '../fields/outputFields';
import {
	DEFAULT_INTERVAL_SECONDS,
	itemError,
	linkedItem,
	type RunInput,
} from '../fields/parameters';
import { hashKey, statusOf } from '../orders/orders';
import { numberOrNull, type PlainObject } from '../orders/values';
import { NetworksInTime } from '../service/networksInTime';
import { asNodeError, errorDetails, type NodeError, type Operation } from './operation';
import { NOT_CHECKED, waitForOrders, type WaitLimits } from './waitForOrders';

/** The outcomes of the service's polling guidance, in names that n8n's canvas has room for. */
const OUTCOMES = { Completed: 'success', 'Not Arrived': 'unsuccessful', 'Still Open': null };

export const WAIT_OUTPUTS = Object.keys(OUTCOMES).map((displayName) => ({
	type: NodeConnectionTypes.Main,
	displayName,
}));

async function run(input: RunInput): Promise<INodeExecutionData[][]> {
	const { context, service } = input;
	if (context.getNode().alwaysOutputData === true && !isTool(context)) {
		throw new NodeOperationError(context.getNode(), "Switch off the setting 'Always Output Data'", {
			description:
				'n8n would put an empty item on the output Completed of an order that has not arrived.',
		});
	}
	const asked = context.getInputData().map((_item, itemIndex) => {
		try {
			const item = { context, itemIndex };
			return { ...sourceHashOf(item), options: displayOptionsOf(item) };
		} catch (error) {
			const failure = asNodeError(context, error, itemIndex);
			if (!context.continueOnFail()) throw failure;
			return failure;
		}
	});

	const networks = new NetworksInTime(service);
	const orders = asked.flatMap((item) => (item instanceof Error ? [] : [item]));
	const results = await waitForOrders({
		orders: new Map(orders.map((order) => [hashKey(order.sourceHash), order])),
		service,
		limits: limitsOf(context),
		signal: context.getExecutionCancelSignal(),
		stopsAtFirstFailure: !context.continueOnFail(),
		onOrder: () => void networks.ask(),
	});

	const isAnyShown = [...results.values()].some(({ order }) => order !== null);
	// Simplify is read once, so that no item's expression can fail.
	const first = { ...input, itemIndex: 0, networks };
	if (orders.length > 0 && !isAnyShown) await throwIfAddressIsWrong(first);
	const items: IDataObject[] = [];
	for (const [itemIndex, item] of asked.entries()) {
		if (item instanceof Error) {
			items.push(stillOpenItem(context, itemIndex, item));
			continue;
		}
		const { options, ...given } = item;
		const result = results.get(hashKey(item.sourceHash)) ?? NOT_CHECKED;
		const { order, seenAt, last, error, checks, waitedSeconds } = result;
		if (error !== null) {
			const asked = askedForStatus(item.sourceHash, error);
			const failure = itemError({ context, itemIndex }, error, asked);
			if (!context.continueOnFail()) throw failure;
			items.push(stillOpenItem(context, itemIndex, failure, order));
			continue;
		}
		const isGone = order !== null && last === 'notFound';
		const source = {
			...given,
			order: isGone ? null : order,
			lastStatus: isGone ? (statusOf(order) ?? '') : null,
			seenAt: last === 'order' ? null : seenAt,
			whyNotChecked: order === null && checks === 0 ? NO_RESPONSE : null,
		};
		items.push(await shownOrder(first, source, options, { checks, waitedSeconds }));
	}
	return byOutcome(context, items);
}

const NO_RESPONSE = 'No status check was completed while this node waited';

/** What could not be checked is still open. A tool has one output, since n8n reads no other. */
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
		.map((_item, index) => stillOpenItem(context, index, asNodeError(context, error, index)));
	return byOutcome(context, items);
}

/** An item that names its order, if that can be read; n8n's error output takes nothing but `error`. */
function stillOpenItem(
	context: IExecuteFunctions,
	itemIndex: number,
	error: NodeError,
	order: PlainObject | null = null,
): IDataObject {
	const details = { error: errorDetails(error) };
	if (context.getNode().onError === 'continueErrorOutput') return details;
	let sourceHash = '';
	try {
		({ sourceHash } = sourceHashOf({ context, itemIndex }));
	} catch {
		// The item says what is wrong in any case.
	}
	return { status: order && statusOf(order), outcome: null, sourceHash, ...details };
}

function limitsOf(context: IExecuteFunctions): WaitLimits {
	const number = (name: string, otherwise: number, least = Number.MIN_VALUE): number => {
		const given = numberOrNull(context.getNodeParameter(name, 0, otherwise));
		return given !== null && given >= least ? given : otherwise;
	};
	return {
		intervalMs: 1000 * Math.max(1, number('checkEvery', DEFAULT_INTERVAL_SECONDS)),
		maxMs: 60_000 * number('maxMinutes', DEFAULT_MINUTES),
		notFoundMs: 60_000 * number('notFoundMinutes', DEFAULT_GRACE_MINUTES, 0),
	};
}

/** As the service's polling guidance advises: 60 checks, one every 5 seconds. */
const DEFAULT_MINUTES = 5;
const DEFAULT_GRACE_MINUTES = 5;

export const waitForCompletion: Operation = {
	option: {
		name: 'Wait for Completion',
		value: 'waitForCompletion',
		description: 'Wait until orders are finished, and branch by their final status',
		action: 'Wait for completion',
	},
	properties: [
		SOURCE_HASH_PROPERTY,
		{
			displayName: 'Check Every (Seconds)',
			name: 'checkEvery',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_INTERVAL_SECONDS,
			description:
				"Minimum seconds between checks of the same order. With many items the checks are further apart, so that requests stay within the credential's limit.",
		},
		{
			displayName: 'Maximum Minutes',
			name: 'maxMinutes',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_MINUTES,
			description:
				'How many minutes to wait, counted from the start of this node and for all items together. An order that is not finished by then goes to the output Still Open.',
		},
		{
			displayName: 'Wait While Not Found (Minutes)',
			name: 'notFoundMinutes',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: DEFAULT_GRACE_MINUTES,
			description:
				'How many minutes to wait for an order that the bridge does not know yet. After that it goes to Still Open with the status notFound.',
		},
		...ORDER_OUTPUT_PROPERTIES,
		optionsProperty(DISPLAY_PROPERTIES),
	],
	run,
	allFailed,
};
