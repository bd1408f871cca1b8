import { parseArgs } from 'node:util';
import { DEFAULT_API_KEY, DEFAULT_REQUESTS_PER_MINUTE, startSandbox } from './index';
import type { Sandbox, SandboxOptions } from './index';

const DEFAULT_PORT = 4010;

const HELP = `The bridge service's sandbox: the whole interface on this machine, in memory.

npm run sandbox -- [flags]

  --port <n>         port on 127.0.0.1 (default ${DEFAULT_PORT}; 0 = any free one)
  --key <text>       the API key (default ${DEFAULT_API_KEY})
  --limit <n>        requests per minute (default ${DEFAULT_REQUESTS_PER_MINUTE}; 0 = no limit)
  --speed <n>        how many times faster than the clock orders go (default 1)
  --filter-config    the config endpoint's chainID selects one network
  --retry-after      a 429 says when to come back
  --help             this text
`;

/** A number from a flag's text; throws a sentence that names the flag. */
function numberFrom(
	flag: string,
	text: string,
	isFit: (value: number) => boolean,
	fit: string,
): number {
	const value = text.trim() === '' ? Number.NaN : Number(text);
	if (!isFit(value)) throw new Error(`--${flag} must be ${fit}, not "${text}"`);
	return value;
}

const isWhole = (value: number): boolean => Number.isInteger(value) && value >= 0;

/** The flags as options, or 'help'. Throws an error with a sentence for an unknown flag or a senseless value. */
export function readFlags(args: string[]): SandboxOptions | 'help' {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string', default: String(DEFAULT_PORT) },
			key: { type: 'string', default: DEFAULT_API_KEY },
			limit: { type: 'string', default: String(DEFAULT_REQUESTS_PER_MINUTE) },
			speed: { type: 'string', default: '1' },
			'filter-config': { type: 'boolean', default: false },
			'retry-after': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return 'help';
	if (values.key === '') throw new Error('--key must not be empty');
	return {
		port: numberFrom(
			'port',
			values.port,
			(port) => isWhole(port) && port < 65_536,
			'a port from 0 to 65535',
		),
		apiKey: values.key,
		requestsPerMinute: numberFrom('limit', values.limit, isWhole, 'a whole number, 0 for no limit'),
		speed: numberFrom(
			'speed',
			values.speed,
			(speed) => Number.isFinite(speed) && speed > 0,
			'a number above 0',
		),
		filterConfig: values['filter-config'],
		retryAfter: values['retry-after'],
	};
}

/** What a person sees after the start: address, key, and lines to try. */
export function welcome({ url, apiKey }: Sandbox): string {
	const api = `${url}/api/sdk/v2`;
	const header = `-H 'x-api-key: ${apiKey}'`;
	const quote =
		'inputNetwork=101&outputNetwork=102&inputTokenAmount=100000000000000000' +
		`&sourceAddress=0x${'11'.repeat(20)}&destinationAddress=0x${'22'.repeat(20)}`;
	return `Bridge sandbox at ${url}
API key: ${apiKey}

Networks:   curl ${header} ${api}/config
A quote:    curl ${header} '${api}/quote?${quote}'
Submit it:  curl ${header} '${api}/quote?${quote}' | curl -d @- ${url}/sandbox/transactions
Its order:  curl ${header} '${api}/status?sourceHash=<the source hash that the line above gave>'
All orders: curl ${url}/sandbox/orders
A fault:    curl -d '{"kind":"error","status":429}' ${url}/sandbox/faults

Ctrl-C stops.
`;
}

async function main(): Promise<void> {
	const options = readFlags(process.argv.slice(2));
	if (options === 'help') {
		process.stdout.write(HELP);
		return;
	}
	const sandbox = await startSandbox(options);
	process.stdout.write(welcome(sandbox));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => {
			void sandbox.stop();
		});
	}
}

if (require.main === module) {
	main().catch((error: unknown) => {
		process.stderr.write(
			`${error instanceof Error ? error.message : String(error)}\nTry --help.\n`,
		);
		process.exitCode = 1;
	});
}
