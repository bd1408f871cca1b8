import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { N8nRelease } from '../../realN8n/install/releases';

/** PostgreSQL and Redis of this machine, or those that the environment names: a database and a key prefix for one run. */

type Row = Record<string, unknown>;

/** The parts that are used of the clients, which come with n8n. */
interface PostgresClient {
	connect(): Promise<void>;
	query(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>;
	end(): Promise<void>;
}

interface RedisClient {
	connect(): Promise<void>;
	scan(
		cursor: string,
		match: 'MATCH',
		pattern: string,
		count: 'COUNT',
		most: number,
	): Promise<[string, string[]]>;
	del(...keys: string[]): Promise<number>;
	disconnect(): void;
	on(event: 'error', listener: (error: Error) => void): void;
}

type NewPostgresClient = new (options: Row) => PostgresClient;
type NewRedisClient = new (options: Row) => RedisClient;

interface Places {
	postgres: { host: string; port: number; user: string; password: string; database: string };
	redis: { host: string; port: number; password: string };
}

export class QueueServices {
	private constructor(
		private readonly places: Places,
		private readonly PostgresClient: NewPostgresClient,
		private readonly redis: RedisClient,
		private readonly database: PostgresClient,
		private readonly name: string,
	) {}

	/**
	 * Makes a database of this run's own.
	 * @throws one sentence that says which service is not there, where it was looked for, and how to name another place
	 */
	static async open(release: N8nRelease): Promise<QueueServices> {
		const requireOfN8n = createRequire(join(release.folder, 'node_modules', 'n8n', 'package.json'));
		const { Client } = requireOfN8n('pg') as { Client: NewPostgresClient };
		const { Redis } = requireOfN8n('ioredis') as { Redis: NewRedisClient };
		const places = placesOf(process.env);
		const name = `bridge_queue_${randomBytes(6).toString('hex')}`;

		const { host, port, password } = places.redis;
		const redis = new Redis({
			host,
			port,
			password: password === '' ? undefined : password,
			lazyConnect: true,
			retryStrategy: () => null,
		});
		// The promise says only that the connection is closed; why, the event says.
		let reason: unknown = null;
		redis.on('error', (error) => (reason = error));
		await redis.connect().catch((error: unknown) => {
			throw missing(
				'Redis',
				`${host}:${port}`,
				'REDIS_HOST, REDIS_PORT and REDIS_PASSWORD',
				reason ?? error,
			);
		});
		try {
			await withPostgres(
				Client,
				places,
				async (client) => void (await client.query(`CREATE DATABASE ${name}`)),
			);
			const database = new Client({ ...places.postgres, database: name });
			await database.connect();
			return new QueueServices(places, Client, redis, database, name);
		} catch (error) {
			redis.disconnect();
			throw error;
		}
	}

	/** Environment of all processes of one n8n that share this database and this queue. */
	get env(): Record<string, string> {
		const { postgres, redis } = this.places;
		return {
			EXECUTIONS_MODE: 'queue',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: postgres.host,
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_USER: postgres.user,
			DB_POSTGRESDB_PASSWORD: postgres.password,
			DB_POSTGRESDB_DATABASE: this.name,
			// With n8n's two connections it answers 503 "Database is not ready!" when both are busy for long.
			DB_POSTGRESDB_POOL_SIZE: '10',
			QUEUE_BULL_REDIS_HOST: redis.host,
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			QUEUE_BULL_REDIS_PASSWORD: redis.password,
			QUEUE_BULL_PREFIX: this.name,
			N8N_REDIS_KEY_PREFIX: this.name,
		};
	}

	/** Rows of n8n's own tables. */
	async query(sql: string, values: unknown[] = []): Promise<Row[]> {
		return (await this.database.query(sql, values)).rows;
	}

	/** How many keys of this run Redis has. */
	async redisKeys(): Promise<string[]> {
		const found: string[] = [];
		let cursor = '0';
		do {
			const [next, keys] = await this.redis.scan(cursor, 'MATCH', `*${this.name}*`, 'COUNT', 1000);
			found.push(...keys);
			cursor = next;
		} while (cursor !== '0');
		return found;
	}

	/** Takes away the database and all keys of this run. */
	async removeAll(): Promise<void> {
		await this.database.end();
		await withPostgres(this.PostgresClient, this.places, async (client) => {
			await client.query(`DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`);
		});
		const keys = await this.redisKeys();
		if (keys.length > 0) await this.redis.del(...keys);
		this.redis.disconnect();
	}
}

function placesOf(env: NodeJS.ProcessEnv): Places {
	return {
		postgres: {
			host: env.PGHOST ?? '127.0.0.1',
			port: Number(env.PGPORT ?? 5432),
			user: env.PGUSER ?? 'postgres',
			password: env.PGPASSWORD ?? '',
			database: env.PGDATABASE ?? 'postgres',
		},
		redis: {
			host: env.REDIS_HOST ?? '127.0.0.1',
			port: Number(env.REDIS_PORT ?? 6379),
			password: env.REDIS_PASSWORD ?? '',
		},
	};
}

async function withPostgres(
	Client: NewPostgresClient,
	places: Places,
	use: (client: PostgresClient) => Promise<void>,
): Promise<void> {
	const { host, port, user, database } = places.postgres;
	const client = new Client(places.postgres);
	await client.connect().catch((error: unknown) => {
		const names = 'PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE';
		throw missing(
			'PostgreSQL',
			`${host}:${port} (user ${user}, database ${database})`,
			names,
			error,
		);
	});
	try {
		await use(client);
	} finally {
		await client.end();
	}
}

function missing(what: string, place: string, names: string, error: unknown): Error {
	const reason =
		error instanceof Error ? error.message || String(field(error, 'code')) : String(error);
	return new Error(
		`This test needs ${what}, and there is none at ${place}: ${reason}. Set ${names} if it is elsewhere.`,
	);
}

function field(error: Error, name: string): unknown {
	return (error as unknown as Record<string, unknown>)[name];
}
