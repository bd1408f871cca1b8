import { createServer } from 'node:http';
import Module from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { ProbeReading } from './probeReading';

/**
 * Measures an n8n process from within. Loaded into it before everything else (NODE_OPTIONS --require), it answers on a
 * port of its own on loopback: GET / gives the figures, GET /?gc frees what can be freed before.
 */

const TRIGGER_CLASS = 'CrossChainBridgeTrigger';

interface PollingNode {
	poll: (this: unknown) => Promise<unknown>;
}

type Load = (this: unknown, request: string, ...more: unknown[]) => unknown;

// n8n starts its task runner with the same environment: only n8n itself is measured.
const isN8n = /[\\/]n8n$/.test(process.argv[1] ?? '');
const port = Number(process.env.LOAD_PROBE_PORT);
if (isN8n && Number.isInteger(port) && port > 0) measure(port);

function measure(probePort: number): void {
	const pollMs: number[] = [];
	timePolls(pollMs);
	const loop = monitorEventLoopDelay({ resolution: 10 });
	loop.enable();
	setFlagsFromString('--expose_gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const server = createServer((request, response) => {
		if (request.url === '/?gc') {
			// Twice: what the first one finalizes, the second one frees.
			collectGarbage();
			collectGarbage();
		}
		const { rss, heapUsed } = process.memoryUsage();
		const { user, system } = process.cpuUsage();
		const reading: ProbeReading = {
			rssBytes: rss,
			heapBytes: heapUsed,
			processorMs: (user + system) / 1000,
			pollMs,
			loopHeldUpMs: { p99: loop.percentile(99) / 1e6, longest: loop.max / 1e6 },
		};
		if (request.url === '/?reset') {
			loop.reset();
			pollMs.length = 0;
		}
		response.setHeader('content-type', 'application/json').end(JSON.stringify(reading));
	});
	server.listen(probePort, '127.0.0.1');
	server.unref();
}

/** Notes how long each poll of our trigger takes, from n8n's call until it returns. */
function timePolls(pollMs: number[]): void {
	const loader = Module as unknown as { _load: Load };
	const load = loader._load;
	const timed = new WeakSet<object>();
	loader._load = function (request, ...more) {
		const exported = load.call(this, request, ...more);
		if (!request.endsWith(`${TRIGGER_CLASS}.node.js`)) return exported;
		const { prototype } = (exported as Record<string, { prototype: PollingNode }>)[
			TRIGGER_CLASS
		] ?? { prototype: null };
		if (prototype === null || timed.has(prototype)) return exported;
		timed.add(prototype);
		const poll = prototype.poll;
		prototype.poll = async function () {
			const begin = performance.now();
			try {
				return await poll.call(this);
			} finally {
				pollMs.push(performance.now() - begin);
			}
		};
		return exported;
	};
}
