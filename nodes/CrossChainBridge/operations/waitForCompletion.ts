import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { NetworksInTime } from '../bridge/networksInTime';
import { type OrderReading, PLAIN_READING } from '../bridge/orderReading';
import { hashKey, notFoundOrder, type Outcome, outcomeOf, simplifyOrder, statusOf } from '../bridge/orders';
import { refusalToNodeError } from '../bridge/refusal';
import { field } from '../bridge/values';
import { linkedItem, type Operation, type RunInput, shownFor } from './operation';
import { asNodeError, errorDetails } from './runItems';
import { SIMPLIFY_PROPERTY, SOURCE_HASH_PROPERTY, sourceHashOf } from './commonFields';
import { READING_PROPERTIES, type ReadingOptions, readingOptionsOf } from './readingFields';
import { type Waited, waitForOrders, type WaitLimits } from './waitForOrders';

/** The three outputs, as the service's polling guidance has three ends. */
export const WAIT_OUTPUTS = ['Completed', 'Unsuccessful', 'Still Open'].map((displayName) => ({
	type: NodeConnectionTypes.Main,
	displayName,
}));

const COMPLETED = 0;
const UNSUCCESSFUL = 1;
const STILL_OPEN = 2;

async function run({ context, service }: RunInput): Promise<INodeExecutionData[][]> {
	// n8n reads only the first output of a tool.
	const isTool = context.getNode().type.endsWith('Tool');
	const outputs: INodeExecutionData[][] = isTool ? [[]] : WAIT_OUTPUTS.map(() => []);
	const simplify = context.getNodeParameter('simplify', 0, true) === true;
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
	const waited = await waitForOrders({
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
		const end = (failed.has(itemIndex) ? undefined : waited.get(hashKey(sourceHash))) ?? NOT_LOOKED_AT;
		const error =
			failed.get(itemIndex) ??
			(end.kind === 'failed' ? refusalToNodeError(context.getNode(), end.refusal, { itemIndex }) : undefined);
		if (error !== undefined && !context.continueOnFail()) throw error;
		const options = readings.get(itemIndex);
		const reading = options === undefined ? null : { ...options, networks: end.order === null ? null : await networks.get() };
		const json = error === undefined ? waitedItem(sourceHash, end, reading) : failedJson(context, sourceHash, end, error);
		outputs[isTool ? 0 : outputOf(end)]?.push(linkedItem(json, itemIndex));
	}
	return outputs;
}

const NOT_LOOKED_AT: Waited = { kind: 'open', order: null, looks: 0, waitedSeconds: 0 };

/** The simplified order if there is a reading for it; else the order as it came. */
function waitedItem(sourceHash: string, { order, looks, waitedSeconds }: Waited, reading: OrderReading | null): IDataObject {
	const simple = order === null ? notFoundOrder(sourceHash) : simplifyOrder(sourceHash, order, reading ?? PLAIN_READING);
	if (reading !== null) return { ...simple, looks, waitedSeconds };
	const { status, isFinal, outcome } = simple;
	return { sourceHash, status, isFinal, outcome, looks, waitedSeconds, order: order as IDataObject | null };
}

/** With an error output of its own an item of nothing but `error` goes there; else the item says what it is about. */
function failedJson(context: IExecuteFunctions, sourceHash: string, end: Waited, error: ReturnType<typeof asNodeError>): IDataObject {
	const details = { error: errorDetails(error) };
	if (context.getNode().onError === 'continueErrorOutput') return details;
	const status = end.order === null ? null : statusOf(end.order);
	return { sourceHash, status, isFinal: false, outcome: null, looks: end.looks, waitedSeconds: end.waitedSeconds, ...details };
}

/** What could not be looked up is still open: never completed. */
function outputOf(end: Waited): number {
	const outcome: Outcome = end.kind === 'ended' ? outcomeOf(statusOf(end.order)) : null;
	if (outcome === null) return STILL_OPEN;
	return outcome === 'success' ? COMPLETED : UNSUCCESSFUL;
}

function limitsOf(context: IExecuteFunctions): WaitLimits {
	const number = (name: string, otherwise: number): number => {
		const value = Number(context.getNodeParameter(name, 0, otherwise));
		return Number.isFinite(value) && value > 0 ? value : otherwise;
	};
	const giveUpAfter = context.getNodeParameter('giveUpAfter', 0, 'looks');
	const options = context.getNodeParameter('options', 0, {});
	const grace = Number(field(options, 'notFoundMinutes') ?? DEFAULT_GRACE_MINUTES);
	return {
		intervalMs: 1000 * Math.max(1, number('checkEvery', DEFAULT_INTERVAL_SECONDS)),
		mostLooks: giveUpAfter === 'looks' ? number('mostLooks', DEFAULT_LOOKS) : Number.POSITIVE_INFINITY,
		longestMs: giveUpAfter === 'minutes' ? 60_000 * number('minutes', DEFAULT_MINUTES) : Number.POSITIVE_INFINITY,
		notFoundMs: 60_000 * (Number.isFinite(grace) && grace >= 0 ? grace : DEFAULT_GRACE_MINUTES),
	};
}

/** The service's polling guidance: every 5 seconds, 60 times. */
const DEFAULT_INTERVAL_SECONDS = 5;
const DEFAULT_LOOKS = 60;
const DEFAULT_MINUTES = 30;
const DEFAULT_GRACE_MINUTES = 5;

export const waitForCompletion: Operation = {
	option: {
		name: 'Wait for Completion',
		value: 'waitForCompletion',
		description: 'Wait until bridge orders have ended, and branch by how they ended',
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
				'The least number of seconds between two looks at one order. With many items the looks are further apart, so that the requests stay within the limit of the credential.',
		},
		{
			displayName: 'Give Up After',
			name: 'giveUpAfter',
			type: 'options',
			default: 'looks',
			description: 'When to stop waiting. An order that has not ended by then goes to the output Still Open.',
			options: [
				{ name: 'A Number of Looks', value: 'looks' },
				{ name: 'A Number of Minutes', value: 'minutes' },
				{ name: 'Never', value: 'never', description: 'Wait for as long as n8n lets the execution run' },
			],
		},
		{
			displayName: 'Most Looks',
			name: 'mostLooks',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_LOOKS,
			displayOptions: { show: { giveUpAfter: ['looks'] } },
			description: 'How many times to look at an order at most',
		},
		{
			displayName: 'Most Minutes',
			name: 'minutes',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_MINUTES,
			displayOptions: { show: { giveUpAfter: ['minutes'] } },
			description: 'How many minutes to wait at most',
		},
		SIMPLIFY_PROPERTY,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				...READING_PROPERTIES,
				{
					displayName: 'Wait While Not Found (Minutes)',
					name: 'notFoundMinutes',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: DEFAULT_GRACE_MINUTES,
					description:
						'How many minutes to wait for an order that the service does not know yet. After that it goes to Still Open with the status notFound.',
				},
			],
		},
	]),
	run,
};
