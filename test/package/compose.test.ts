import { parse } from 'yaml';

import packageJson from '../../package.json';
import { RELEASES } from '../../realN8n/install/releases';
import { exists, read } from './files';

interface Service {
	image: string;
	build?: { context: string; dockerfile: string };
	command?: string[];
	environment: Record<string, string>;
	depends_on?: Record<string, { condition: string }>;
	healthcheck?: { test: string[] };
	ports?: string[];
	volumes?: string[];
}

interface Compose {
	services: Record<string, Service>;
	volumes: Record<string, unknown>;
}

const text = read('compose.yaml');
const compose = parse(text, { merge: true, strict: true, uniqueKeys: true }) as Compose;
const dockerfile = read('docker/Dockerfile');
const services = Object.entries(compose.services);

const VARIABLE = /\$\{(\w+)([^}]*)\}/g;

/** Made on this machine: a name and a version. */
const OWN = /^n8n-cross-chain-bridge:\d+\.\d+\.\d+$/;

/** From elsewhere: a version that says what it is, and the digest, because a tag can be moved. */
const PINNED = /^[a-z0-9/._-]+:\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/;

/** The first lines that still get corrections; older ones have known holes. */
const OLDEST_LINES: Record<string, number> = { postgres: 17, redis: 8 };

function isAtLeast(version: string, other: string): boolean {
	return version.localeCompare(other, 'en', { numeric: true }) >= 0;
}

function service(name: string): Service {
	const found = compose.services[name];
	if (found === undefined) throw new Error(`compose.yaml has no service ${name}`);
	return found;
}

describe('compose.yaml and the Dockerfile', () => {
	it('run one main process, workers, PostgreSQL and Redis', () => {
		expect(Object.keys(compose.services).sort()).toEqual(['n8n', 'postgres', 'redis', 'worker']);
		expect(service('n8n').command).toBeUndefined();
		expect(service('worker').command?.[0]).toBe('worker');
	});

	it.each(services)(
		'%s: the image is pinned, and its health is checked',
		(_name, { image, build, healthcheck }) => {
			expect(image).toMatch(build !== undefined || image === service('n8n').image ? OWN : PINNED);
			expect(healthcheck?.test.length).toBeGreaterThan(1);
		},
	);

	it.each(Object.entries(OLDEST_LINES))(
		'%s: the line is one that is maintained',
		(name, oldest) => {
			const [, major] = /:(\d+)\./.exec(service(name).image) ?? [];
			expect(Number(major)).toBeGreaterThanOrEqual(oldest);
		},
	);

	it('build on the n8n that a build argument names, by default none older than the newest that is tested here', () => {
		const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => String(image));
		expect(images).toEqual([expect.stringMatching(PINNED), 'n8nio/n8n:${N8N_VERSION}']);
		// an argument of FROM stands before the first one
		const [, version = ''] = /^ARG N8N_VERSION=(\d+\.\d+\.\d+)\n[^]*^FROM/m.exec(dockerfile) ?? [];
		const newest = Object.values(RELEASES).map((release) => release.version);
		for (const tested of newest) expect(isAtLeast(version, tested)).toBe(true);
	});

	it('build the package on the Node.js that n8n itself runs on', () => {
		const [, major] = /^FROM node:(\d+)\./m.exec(dockerfile) ?? [];
		expect(Number(major)).toBe(RELEASES['2.41'].nodeMajors.first);
	});

	it('name the image by the version of the package, which both kinds of processes run', () => {
		expect(service('n8n').image).toMatch(
			new RegExp(`:${packageJson.version.replaceAll('.', '\\.')}$`),
		);
		expect(service('worker').image).toBe(service('n8n').image);
		expect(service('n8n').build?.dockerfile).toBe('docker/Dockerfile');
	});

	it('put the package where n8n finds community packages, and no volume over it', () => {
		expect(dockerfile).toContain(` /home/node/.n8n/nodes/node_modules/${packageJson.name}\n`);
		for (const name of ['n8n', 'worker']) expect(service(name).volumes ?? []).toEqual([]);
	});

	it('copy into the image all that the build reads', () => {
		const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, files]) =>
			String(files).split(' ').slice(0, -1),
		);
		for (const file of copied) expect(exists(file)).toBe(true);
		const settings = 'package.json package-lock.json .npmrc tsconfig.json gulpfile.js index.js';
		const packed = 'nodes credentials README.md LICENSE.md';
		expect(copied).toEqual(expect.arrayContaining(`${settings} ${packed}`.split(' ')));
	});

	it('take secrets from .env, without a default, and .env.example names just these', () => {
		const used = [...text.matchAll(VARIABLE)];
		for (const [whole, , condition] of used) expect(`${whole} ${String(condition)}`).toMatch(/:\?/);
		const named = [...read('.env.example').matchAll(/^(\w+)=(.*)$/gm)];
		expect(named.map(([, name]) => name).sort()).toEqual(
			[...new Set(used.map(([, name]) => name))].sort(),
		);
		for (const [, , value] of named) expect(value).toBe('');
		for (const [name, { environment }] of services) {
			for (const [variable, value] of Object.entries(environment)) {
				if (/PASSWORD|AUTH|KEY/.test(variable))
					expect(`${name} ${variable} ${value}`).toMatch(/ \$\{\w+:\?[^}]+\}$/);
			}
		}
	});

	it('give main and workers the same database, queue and encryption key', () => {
		const { QUEUE_HEALTH_CHECK_ACTIVE: _ofWorkers, ...ofWorkers } = service('worker').environment;
		expect(ofWorkers).toEqual(service('n8n').environment);
		expect(ofWorkers).toMatchObject({
			EXECUTIONS_MODE: 'queue',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: 'postgres',
			QUEUE_BULL_REDIS_HOST: 'redis',
		});
	});

	it('start n8n when what it needs is healthy', () => {
		expect(service('n8n').depends_on).toEqual({
			postgres: { condition: 'service_healthy' },
			redis: { condition: 'service_healthy' },
		});
		expect(service('worker').depends_on).toEqual({ n8n: { condition: 'service_healthy' } });
	});

	it('open n8n only to this host, and the database and the queue to no one', () => {
		expect(service('n8n').ports).toEqual(['127.0.0.1:5678:5678']);
		for (const name of ['postgres', 'redis', 'worker']) expect(service(name).ports).toBeUndefined();
	});

	it('keep what must stay in volumes that are declared', () => {
		const mounted = services.flatMap(([, { volumes }]) =>
			(volumes ?? []).map((volume) => volume.split(':')[0]),
		);
		expect(mounted.sort()).toEqual(Object.keys(compose.volumes).sort());
	});
});
