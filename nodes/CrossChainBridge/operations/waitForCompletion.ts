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
import { isTool, optionsProperty } from '../fields/outputFields';
import {
	DEFAULT_INTERVAL_SECONDS,
	itemError,
	linkedItem,
	type RunInput,
} from '../fields/parameters';
import { hashKey, outcomeOf, statusOf } from '../orders/orders';
import { type PlainObject, trimmedText } from '../orders/values';
import { NetworksInTime } from '../service/networksInTime';
import { asNodeError, errorDetails, type NodeError, type Operation } from './operation';
import { NOT_CHECKED, waitForOrders, type WaitLimits } from './waitForOrders';

/** The outcomes of the service's polling guidance, in names that n8n's canvas has room for. */
export const WAIT_OUTPUTS = ['Completed', 'Not Arrived', 'Still Open'].map((displayName) => ({
	type: NodeConnectionTypes.Main,
	displayName,
}));

const COMPLETED = 0;
const NOT_ARRIVED = 1;
const STILL_OPEN = 2;

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
			return asNodeError(context, error, itemIndex);
		}
	});
	const wrong = asked.find((item) => item instanceof Error);
	if (wrong !== undefined && !context.continueOnFail()) throw wrong;

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
	if (orders.length > 0 && !isAnyShown)
		await throwIfAddressIsWrong({ context, itemIndex: 0 }, networks);
	const outputs = emptyOutputs(context);
	for (const [itemIndex, item] of asked.entries()) {
		const result = item instanceof Error ? undefined : results.get(hashKey(item.sourceHash));
		const { order, seenAt, last, error, checks, waitedSeconds } = result ?? NOT_CHECKED;
		let json: IDataObject;
		if (item instanceof Error) json = stillOpenItem(context, itemIndex, order, item);
		else if (error !== null) {
			const labels = askedForStatus(item.sourceHash, error);
			const failure = itemError({ context, itemIndex }, error, labels);
			if (!context.continueOnFail()) throw failure;
			json = stillOpenItem(context, itemIndex, order, failure);
		} else {
			const { options, ...given } = item;
			const display = { ...options, networks: order === null ? null : await networks.get() };
			const whyNotChecked = order === null && checks === 0 ? NO_RESPONSE : null;
			const isGone = order !== null && last === 'notFound';
			const source = {
				...given,
				order: isGone ? null : order,
				lastStatus: isGone ? (statusOf(order) ?? '') : null,
				seenAt: last === 'order' ? null : seenAt,
				whyNotChecked,
			};
			// Simplify is read once, so that no item's expression can fail.
			json = shownOrder({ ...input, itemIndex: 0 }, source, display, { checks, waitedSeconds });
		}
		(outputs[outputOf(order)] ?? outputs[0])?.push(linkedItem(json, itemIndex));
	}
	return outputs;
}

const NO_RESPONSE = 'No status check was completed while this node waited';

/** A tool has one output, since n8n reads no other. */
function emptyOutputs(context: IExecuteFunctions): INodeExecutionData[][] {
	return isTool(context) ? [[]] : WAIT_OUTPUTS.map(() => []);
}

function allFailed(context: IExecuteFunctions, error: unknown): INodeExecutionData[][] {
	const outputs = emptyOutputs(context);
	for (const itemIndex of context.getInputData().keys()) {
		const json = stillOpenItem(context, itemIndex, null, asNodeError(context, error, itemIndex));
		(outputs[STILL_OPEN] ?? outputs[0])?.push(linkedItem(json, itemIndex));
	}
	return outputs;
}

/** Empty if it cannot be read. */
function readableHash(context: IExecuteFunctions, itemIndex: number): string {
	try {
		return sourceHashOf({ context, itemIndex }).sourceHash;
	} catch {
		return '';
	}
}

/** An item that names its order; n8n's error output takes nothing but `error`. */
function stillOpenItem(
	context: IExecuteFunctions,
	itemIndex: number,
	order: PlainObject | null,
	error: NodeError,
): IDataObject {
	const details = { error: errorDetails(error) };
	if (context.getNode().onError === 'continueErrorOutput') return details;
	const status = order === null ? null : statusOf(order);
	return { status, outcome: null, sourceHash: readableHash(context, itemIndex), ...details };
}

/** What could not be checked is still open: never completed. */
function outputOf(order: PlainObject | null): number {
	const outcome = order === null ? null : outcomeOf(statusOf(order));
	if (outcome === null) return STILL_OPEN;
	return outcome === 'success' ? COMPLETED : NOT_ARRIVED;
}

function limitsOf(context: IExecuteFunctions): WaitLimits {
	const number = (name: string, otherwise: number, least = Number.MIN_VALUE): number => {
		const text = trimmedText(context.getNodeParameter(name, 0, otherwise));
		// An expression without a value is no zero.
		const value = text === '' ? Number.NaN : Number(text);
		return Number.isFinite(value) && value >= least ? value : otherwise;
	};
	const giveUpAfter = context.getNodeParameter('giveUpAfter', 0, 'minutes');
	const isByChecks = giveUpAfter === 'checks';
	return {
		intervalMs: 1000 * Math.max(1, number('checkEvery', DEFAULT_INTERVAL_SECONDS)),
		maxChecks: isByChecks ? number('maxChecks', DEFAULT_CHECKS) : Infinity,
		maxMs:
			isByChecks || giveUpAfter === 'never'
				? Infinity
				: 60_000 * number('maxMinutes', DEFAULT_MINUTES),
		notFoundMs: 60_000 * number('notFoundMinutes', DEFAULT_GRACE_MINUTES, 0),
	};
}

/** As the service's polling guidance advises: 60 checks in 5 minutes. */
const DEFAULT_CHECKS = 60;
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
			displayName: 'Give Up After',
			name: 'giveUpAfter',
			type: 'options',
			default: 'minutes',
			description:
				'When to stop waiting. An order that is not finished by then goes to the output Still Open.',
			options: [
				{ name: 'A Number of Checks', value: 'checks' },
				{ name: 'A Number of Minutes', value: 'minutes' },
				{
					name: 'Never',
					value: 'never',
					description: 'Wait for as long as n8n lets the execution run',
				},
			],
		},
		{
			displayName: 'Maximum Checks',
			name: 'maxChecks',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_CHECKS,
			displayOptions: { show: { giveUpAfter: ['checks'] } },
			description:
				'How many times to check an order. With many items this takes longer, since the checks are further apart.',
		},
		{
			displayName: 'Maximum Minutes',
			name: 'maxMinutes',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_MINUTES,
			displayOptions: { show: { giveUpAfter: ['minutes'] } },
			description:
				'How many minutes to wait, counted from the start of this node and for all items together',
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
