import {
	deepCopy,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { NetworksInTime } from '../service/networksInTime';
import { type OrderReading, PLAIN_READING } from '../orders/orderReading';
import {
	hashKey,
	notFoundOrder,
	type Outcome,
	outcomeOf,
	simplifyOrder,
	statusOf,
} from '../orders/orders';
import { toNodeError } from '../service/errors';
import { type ItemInput, linkedItem, trimmedText, type RunInput } from '../fields/parameters';
import { type Operation, shownFor } from './operation';
import { asNodeError, errorDetails } from './runItems';
import {
	simplifies,
	SIMPLIFY_PROPERTY,
	SOURCE_HASH_PROPERTY,
	sourceHashOf,
} from '../fields/commonFields';
import { STATUS_LABELS } from './parameterLabels';
import { READING_PROPERTIES, type ReadingOptions, readingOptionsOf } from '../fields/readingFields';
import { type Waited, waitForOrders, type WaitLimits } from './waitForOrders';

/** The three outputs, as the service's polling guidance has three outcomes. n8n's canvas cuts longer names ("Unsuccess…"). */
export const WAIT_OUTPUTS = ['Completed', 'Not Arrived', 'Still Open'].map((displayName) => ({
	type: NodeConnectionTypes.Main,
	displayName,
}));

const COMPLETED = 0;
const NOT_ARRIVED = 1;
const STILL_OPEN = 2;

async function run({ context, service }: RunInput): Promise<INodeExecutionData[][]> {
	const outputs = emptyOutputs(context);
	const simplify = simplifies(context.getNodeParameter('simplify', 0, true));
	const networks = new NetworksInTime(service);
	const asked = new Map<number, string>();
	const readings = new Map<number, ReadingOptions>();
	const failed = new Map<number, ReturnType<typeof asNodeError>>();
	const items = context.getInputData().map((_item, itemIndex) => itemIndex);

	for (const itemIndex of items) {
		try {
			const input = { context, service, itemIndex };
			asked.set(itemIndex, sourceHashOf(input));
			if (simplify) readings.set(itemIndex, readingOptionsOf(input));
		} catch (error) {
			failed.set(itemIndex, asNodeError(context, error, itemIndex));
		}
	}
	const [firstFailed] = failed.values();
	if (firstFailed !== undefined && !context.continueOnFail()) throw firstFailed;

	const sound = [...asked].filter(([itemIndex]) => !failed.has(itemIndex));
	const results = await waitForOrders({
		hashes: new Map(sound.map(([, sourceHash]) => [hashKey(sourceHash), sourceHash])),
		service,
		limits: limitsOf(context),
		signal: context.getExecutionCancelSignal(),
		stopsAtFirstFailure: !context.continueOnFail(),
		// While the others are waited for, so that none waits for its names.
		onOrder: () => void (simplify && networks.ask()),
	});

	for (const itemIndex of items) {
		const sourceHash = asked.get(itemIndex) ?? '';
		const waited =
			(failed.has(itemIndex) ? undefined : results.get(hashKey(sourceHash))) ?? NOT_CHECKED;
		const error =
			failed.get(itemIndex) ??
			(waited.kind === 'failed'
				? toNodeError(context.getNode(), waited.error, {
						asked: 'status',
						labels: STATUS_LABELS,
						itemIndex,
					})
				: undefined);
		if (error !== undefined && !context.continueOnFail()) throw error;
		const options = readings.get(itemIndex);
		const reading =
			options === undefined
				? null
				: { ...options, networks: waited.order === null ? null : await networks.get() };
		const json =
			error === undefined
				? waitedItem(sourceHash, waited, reading)
				: failedJson(context, sourceHash, waited, error);
		(outputs[outputOf(waited)] ?? outputs[0])?.push(linkedItem(json, itemIndex));
	}
	return outputs;
}

/** n8n reads only the first output of a tool. */
function emptyOutputs(context: IExecuteFunctions): INodeExecutionData[][] {
	return context.getNode().type.endsWith('Tool') ? [[]] : WAIT_OUTPUTS.map(() => []);
}

/** What nobody has checked is still open. */
function allFailed(context: IExecuteFunctions, error: unknown): INodeExecutionData[][] {
	const items = context.getInputData().map((_item, itemIndex) => {
		const json = failedJson(
			context,
			readableHash({ context, itemIndex }),
			NOT_CHECKED,
			asNodeError(context, error, itemIndex),
		);
		return linkedItem(json, itemIndex);
	});
	const outputs = emptyOutputs(context);
	return outputs.map((_none, output) =>
		output === STILL_OPEN || outputs.length === 1 ? items : [],
	);
}

/** The error is about something else: a hash that cannot be read is left out of it. */
function readableHash(input: ItemInput): string {
	try {
		return sourceHashOf(input);
	} catch {
		return '';
	}
}

const NOT_CHECKED: Waited = { kind: 'open', order: null, checks: 0, waitedSeconds: 0 };

/** The simplified order if there is a reading for it; else the order as it came, a copy for each item that asked for it. */
function waitedItem(
	sourceHash: string,
	{ order, checks, waitedSeconds }: Waited,
	reading: OrderReading | null,
): IDataObject {
	const simple =
		order === null
			? notFoundOrder(sourceHash)
			: simplifyOrder(sourceHash, order, reading ?? PLAIN_READING);
	if (reading !== null) return { ...simple, checks, waitedSeconds };
	const { status, isFinal, outcome } = simple;
	return {
		sourceHash,
		status,
		isFinal,
		outcome,
		checks,
		waitedSeconds,
		order: deepCopy(order) as IDataObject | null,
	};
}

/** With an error output of its own an item of nothing but `error` goes there; else the item says what it is about. */
function failedJson(
	context: IExecuteFunctions,
	sourceHash: string,
	waited: Waited,
	error: ReturnType<typeof asNodeError>,
): IDataObject {
	const details = { error: errorDetails(error) };
	if (context.getNode().onError === 'continueErrorOutput') return details;
	const status = waited.order === null ? null : statusOf(waited.order);
	return {
		sourceHash,
		status,
		isFinal: false,
		outcome: null,
		checks: waited.checks,
		waitedSeconds: waited.waitedSeconds,
		...details,
	};
}

/** What could not be checked is still open: never completed. */
function outputOf(waited: Waited): number {
	const outcome: Outcome = waited.kind === 'finished' ? outcomeOf(statusOf(waited.order)) : null;
	if (outcome === null) return STILL_OPEN;
	return outcome === 'success' ? COMPLETED : NOT_ARRIVED;
}

function limitsOf(context: IExecuteFunctions): WaitLimits {
	const number = (name: string, otherwise: number, least = Number.MIN_VALUE): number => {
		const text = trimmedText(context.getNodeParameter(name, 0, otherwise));
		// What an expression does not give is no zero.
		const value = text === '' ? Number.NaN : Number(text);
		return Number.isFinite(value) && value >= least ? value : otherwise;
	};
	const giveUpAfter = context.getNodeParameter('giveUpAfter', 0, 'minutes');
	return {
		intervalMs: 1000 * Math.max(1, number('checkEvery', DEFAULT_INTERVAL_SECONDS)),
		maxChecks:
			giveUpAfter === 'checks' ? number('maxChecks', DEFAULT_CHECKS) : Number.POSITIVE_INFINITY,
		// Without end only where that was chosen.
		longestMs:
			giveUpAfter === 'checks' || giveUpAfter === 'never'
				? Number.POSITIVE_INFINITY
				: 60_000 * number('maxMinutes', DEFAULT_MINUTES),
		notFoundMs: 60_000 * number('notFoundMinutes', DEFAULT_GRACE_MINUTES, 0),
	};
}

/** The service's polling guidance: every 5 seconds, 60 times, which is 5 minutes. */
const DEFAULT_INTERVAL_SECONDS = 5;
const DEFAULT_CHECKS = 60;
const DEFAULT_MINUTES = 5;
const DEFAULT_GRACE_MINUTES = 5;

export const waitForCompletion: Operation = {
	option: {
		name: 'Wait for Completion',
		value: 'waitForCompletion',
		description: 'Wait until bridge orders are finished, and branch by their final status',
		action: 'Wait for completion',
	},
	properties: shownFor('waitForCompletion', [
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
				'How many minutes to wait for an order that the service does not know yet. After that it goes to Still Open with the status notFound.',
		},
		SIMPLIFY_PROPERTY,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: READING_PROPERTIES,
		},
	]),
	run,
	allFailed,
};
