import postgres from 'postgres';
import {
  DatabaseError,
  type Database,
  type Session,
  type SqlRow,
  type SqlValue,
} from './database.ts';

/** How to reach the server. */
export interface DatabaseSettings {
  /** `postgres://user:password@host:port/database`, with `sslmode` where it is wanted. */
  readonly uri: string;
  /** The same for LISTEN, which needs a connection of its own that no pooler shares. */
  readonly directUri: string;
  /** How many connections there are at most, that of LISTEN apart. */
  readonly pool: number;
  /** How the connections are named in `pg_stat_activity`. */
  readonly applicationName: string;
}

/** How long (s) a connection may take to be made. */
const CONNECT_TIMEOUT = 5;

/** How long (s) a connection is used: a balancer behind the address may move to another server. */
const MAX_LIFETIME = 1800;

/** How long (s) statements that run may take to end when the database is closed. */
const CLOSE_TIMEOUT = 2;

/** `bigint` and `json` as they come: numbers would be rounded, and bodies are parsed by who knows what they are. */
const AS_TEXT = {
  json: {
    to: 114,
    from: [114],
    serialize: (value: string) => value,
    parse: (text: string) => text,
  },
};

/** A database through the driver `postgres`. */
export class PostgresDatabase implements Database {
  readonly #sql: postgres.Sql;
  readonly #settings: DatabaseSettings;
  #listening: postgres.Sql | undefined;

  constructor(settings: DatabaseSettings) {
    this.#settings = settings;
    this.#sql = connect(settings.uri, settings.pool, settings.applicationName);
  }

  async query<Row extends SqlRow>(
    text: string,
    values: readonly SqlValue[] = [],
  ): Promise<readonly Row[]> {
    return translated(() => this.#sql.unsafe<Row[]>(text, parametersOf(values)));
  }

  async session<Answer>(run: (session: Session) => Promise<Answer>): Promise<Answer> {
    const reserved = await translated(() => this.#sql.reserve());
    const session: Session = {
      query: (text, values = []) =>
        translated(() => reserved.unsafe(text, parametersOf(values))) as Promise<never>,
      script: async (text) => {
        const results = await translated(() => reserved.unsafe(text).simple());
        return lastOf(results) as never;
      },
    };
    try {
      return await run(session);
    } catch (error) {
      // Outside of a transaction this is a warning of the server; a connection that is gone has none.
      await reserved.unsafe('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      reserved.release();
    }
  }

  async listen(
    channel: string,
    notified: (payload: string) => void,
    listening: () => void,
  ): Promise<void> {
    const { directUri, applicationName } = this.#settings;
    this.#listening ??= connect(directUri, 1, applicationName);
    const own = this.#listening;
    await translated(() => own.listen(channel, notified, listening));
  }

  async close(): Promise<void> {
    await Promise.all(
      [this.#sql, this.#listening].map((sql) => sql?.end({ timeout: CLOSE_TIMEOUT })),
    );
  }
}

function connect(uri: string, max: number, applicationName: string): postgres.Sql {
  return postgres(uri, {
    max,
    // A pooler that shares connections by the transaction does not keep statements for one client.
    prepare: false,
    connect_timeout: CONNECT_TIMEOUT,
    max_lifetime: MAX_LIFETIME,
    connection: { application_name: applicationName },
    types: AS_TEXT,
    fetch_types: false,
    onnotice: () => undefined,
  });
}

function parametersOf(values: readonly SqlValue[]): postgres.ParameterOrJSON<never>[] {
  return values as postgres.ParameterOrJSON<never>[];
}

/** The driver answers several statements by a list of their rows, and one by its rows. */
function lastOf(results: unknown): unknown {
  if (!Array.isArray(results)) return [];
  const last: unknown = results.at(-1);
  return Array.isArray(last) ? last : results;
}

async function translated<Answer>(run: () => PromiseLike<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    const { message, code } = error as Error & { readonly code?: unknown };
    // The codes of the driver itself are words such as CONNECTION_CLOSED; those of the server have five characters.
    const state = typeof code === 'string' && code.length === 5 ? code : undefined;
    throw new DatabaseError(message, state, error);
  }
}
