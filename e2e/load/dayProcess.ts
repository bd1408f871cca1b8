import type {
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import * as n8nWorkflow from 'n8n-workflow';
import { ObservableObject } from 'n8n-workflow';

import { seededRandom } from '../../bench/simulation/random';
import type { CrossChainBridgeTrigger } from '../../nodes/CrossChainBridge/CrossChainBridgeTrigger.node';
import { VirtualTime } from '../../test/histories/virtualTime';
import type { ChurnSample, DayFigures, DaySample } from './day';
import { DayService } from './dayService';
import { ProbedModules } from './probedModules';

/** A process of its own (see day.ts): one n8n process of the usual poll engine, as far as the trigger can see, for a day. */

const HOURS = 24;
const SAMPLED_HOURS = [1, 12, 24];
const HOUR_MS = 3_600_000;

/** Of the 1,000 hashes of the list these stay open; the others begin one after another and finish, and the oldest leave the list. */
const OPEN_FOREVER = 40;
const LIST_LENGTH = 1000;
const LISTED_A_MINUTE = 2;
const POSTED_A_MINUTE = 10;
/** In the last half hour nothing begins, so that all have finished at the end. */
const LAST_BEGINS_MS = 30 * 60_000;

const CHURNED_WORKFLOWS = [1200, 2400];
const CHURNED_ORDERS = 3;

interface Registration {
	isPublished: boolean;
	tick: (() => void) | null;
	context: IPollFunctions;
}

const time = new VirtualTime();
const service = new DayService(() => time.now(), seededRandom(11));
const sleep = async (ms: number): Promise<void> => await time.sleep(ms);
const modules = new ProbedModules(time.globals, { 'n8n-workflow': { ...n8nWorkflow, sleep } });
const { CrossChainBridgeTrigger: Trigger } = modules.load('CrossChainBridgeTrigger.node') as {
	CrossChainBridgeTrigger: new () => CrossChainBridgeTrigger;
};
const trigger = new Trigger();

/** n8n's own objects: the process keeps them, not the package. */
const ofN8n = new WeakSet<object>();

const PARAMETERS: Record<string, unknown> = {
	acceptOrders: true,
	events: ['completed', 'refunded', 'failed'],
	keepChecking: true,
	checkEvery: 5,
	simplify: true,
	options: {},
};

function basics(workflowId: string, apiKey: string, staticData: IDataObject) {
	// n8n notices changes by a field that it puts there; the trigger knows the poll engine by it.
	const nodeData = ObservableObject.create({}) as IDataObject;
	return {
		getWorkflow: () => ({ id: workflowId, name: 'workflow', active: true }),
		getNode: () => ({
			id: 'node',
			name: 'Trigger',
			type: 'trigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		}),
		getWorkflowStaticData: (type: string) => (type === 'global' ? staticData : nodeData),
		getCredentials: async () =>
			await Promise.resolve({
				apiKey,
				baseUrl: 'https://bridge.example.com',
				requestsPerMinute: 100,
			}),
		getMode: () => 'trigger',
		helpers: {
			httpRequestWithAuthentication: async (_name: string, request: IHttpRequestOptions) =>
				await send(apiKey, request),
		},
	};
}

async function send(
	apiKey: string,
	{ url, qs, abortSignal }: IHttpRequestOptions,
): Promise<unknown> {
	await time.sleep(service.wayMs());
	const answer = service.answer(apiKey, url, String(qs?.sourceHash ?? ''));
	await time.sleep(service.wayMs());
	if ((abortSignal as AbortSignal | undefined)?.aborted === true)
		throw Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' });
	return answer;
}

async function publish(
	workflowId: string,
	apiKey: string,
	staticData: IDataObject,
	list: () => string[],
): Promise<Registration> {
	const common = basics(workflowId, apiKey, staticData);
	const registration: Registration = {
		isPublished: true,
		tick: null,
		context: {} as IPollFunctions,
	};
	registration.context = {
		...common,
		getActivationMode: () => 'activate',
		getNodeParameter: (name: string, otherwise: unknown) => {
			if (name === 'sourceHashes') return list();
			return name in PARAMETERS ? PARAMETERS[name] : otherwise;
		},
		__emit: (items: INodeExecutionData[][]) => {
			for (const { json } of items[0] ?? []) service.countEmitted(String(json.sourceHash));
		},
		helpers: {
			...common.helpers,
			registerCron: (_cron: unknown, onTick: () => void) => {
				registration.tick = onTick;
			},
		},
	} as unknown as IPollFunctions;
	for (const object of [registration.context, staticData]) ofN8n.add(object);
	await inTime(trigger.poll.call(registration.context));
	return registration;
}

function unpublish(registration: Registration): void {
	registration.isPublished = false;
	registration.tick = null;
}

/** Waits for what needs time to pass. */
async function inTime<T>(doing: Promise<T>): Promise<T> {
	const waiting = { isOver: false };
	const over = doing.finally(() => (waiting.isOver = true));
	while (!waiting.isOver) await time.pass(10);
	return await over;
}

async function post(workflowId: string, sourceHash: string): Promise<void> {
	const answers = { status: 202 };
	const response = {
		setHeader: () => undefined,
		status: (status: number) => ({ json: () => void (answers.status = status) }),
	};
	const context = {
		...basics(workflowId, 'key', {}),
		getMode: () => 'webhook',
		getRequestObject: () => ({ method: 'POST', headers: {}, rawBody: Buffer.alloc(0) }),
		getQueryData: () => ({}),
		getBodyData: () => ({ sourceHash, reference: 'r' }),
		getResponseObject: () => response,
	} as unknown as IWebhookFunctions;
	await trigger.webhook.call(context);
	if (answers.status !== 202) throw new Error(`A post was answered with ${answers.status}`);
}

function heapBytes(): number {
	if (global.gc === undefined) throw new Error('Run with --expose-gc');
	global.gc();
	global.gc();
	return process.memoryUsage().heapUsed;
}

async function liveThroughTheDay(): Promise<{ samples: DaySample[]; registration: Registration }> {
	const random = seededRandom(12);
	const staticData: IDataObject = {};
	const endless = Array.from({ length: OPEN_FOREVER }, () => service.begin(true));
	const rolling: string[] = [];
	const list = (): string[] => [...endless, ...rolling];
	const samples: DaySample[] = [];
	let registration = await publish('day', 'key', staticData, list);
	for (let second = 1; second <= HOURS * 3600; second++) {
		await time.pass(1000);
		registration.tick?.();
		if (second * 1000 <= HOURS * HOUR_MS - LAST_BEGINS_MS) {
			if (random() < POSTED_A_MINUTE / 60) await post('day', service.begin());
			if (random() < LISTED_A_MINUTE / 60) rolling.push(service.begin());
			if (rolling.length > LIST_LENGTH - OPEN_FOREVER) rolling.shift();
		}
		if (second % 60 === 0) void trigger.poll.call(registration.context).catch(stop);
		if (second % 3600 === 1800) {
			// Somebody publishes once an hour.
			const before = registration;
			registration = await publish('day', 'key', staticData, list);
			unpublish(before);
		}
		if (second % 3600 !== 0) continue;
		service.forgetOld();
		const hour = second / 3600;
		if (!SAMPLED_HOURS.includes(hour)) continue;
		const sample: DaySample = {
			hour,
			heapBytes: heapBytes(),
			stateBytes: JSON.stringify(staticData).length,
			collections: modules.census(ofN8n),
			emitted: service.emitted,
			twice: service.twice,
			finished: service.begun,
			requests: service.requests,
			refused: service.refused,
		};
		samples.push(sample);
		process.send?.({ sample });
	}
	return { samples, registration };
}

/** Workflows come and go, every second one with the same key and each of the others with a key of its own. */
async function churn(): Promise<ChurnSample[]> {
	const samples: ChurnSample[] = [];
	for (let number = 1; number <= Math.max(...CHURNED_WORKFLOWS); number++) {
		const hashes = Array.from({ length: CHURNED_ORDERS }, () => service.begin(true));
		const key = number % 2 === 0 ? `key ${number}` : 'shared key';
		const registration = await publish(`workflow ${number}`, key, {}, () => hashes);
		for (let second = 0; second < 3; second++) {
			await time.pass(1000);
			registration.tick?.();
		}
		unpublish(registration);
		await time.pass(7000);
		if (!CHURNED_WORKFLOWS.includes(number)) continue;
		// What waits for the end of a minute is gone by then.
		await time.pass(10 * 60_000);
		samples.push({ workflows: number, heapBytes: heapBytes(), collections: modules.census(ofN8n) });
	}
	return samples;
}

function stop(error: unknown): void {
	console.error(error);
	process.exit(1);
}

async function main(): Promise<void> {
	const begin = performance.now();
	const { samples, registration } = await liveThroughTheDay();
	unpublish(registration);
	const churned = await churn();
	const figures: DayFigures = { samples, churned, tookSeconds: (performance.now() - begin) / 1000 };
	await new Promise<void>((resolve) => process.send?.({ figures }, () => resolve()));
	process.exit(0);
}

main().catch(stop);
