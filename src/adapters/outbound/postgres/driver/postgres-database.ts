import type postgres from 'postgres';
import { ConnectionPool } from './connection-pool.ts';
import { Connection } from './connection.ts';
import {
  SESSION_PATIENCE,
  STATEMENT_PATIENCE,
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

/** A database through the driver `postgres`. */
export class PostgresDatabase implements Database {
  readonly #pool: ConnectionPool;
  readonly #settings: DatabaseSettings;
  #listening: Connection | undefined;

  constructor(settings: DatabaseSettings) {
    const { uri, pool, applicationName } = settings;
    this.#settings = settings;
    this.#pool = new ConnectionPool(pool, () => new Connection(uri, applicationName));
  }

  async query<Row extends SqlRow>(
    text: string,
    values: readonly SqlValue[] = [],
  ): Promise<readonly Row[]> {
    return this.#pool.use((connection) =>
      connection.within(STATEMENT_PATIENCE, () =>
        connection.run(() => connection.sql.unsafe<Row[]>(text, parametersOf(values))),
      ),
    );
  }

  async session<Answer>(
    run: (session: Session) => Promise<Answer>,
    patience = SESSION_PATIENCE,
  ): Promise<Answer> {
    return this.#pool.use((connection) =>
      connection.within(patience, async () => {
        const reserved = await connection.reserve();
        try {
          return await run(sessionOn(connection, reserved));
        } catch (error) {
          // Outside of a transaction this is a warning of the server.
          if (connection.isUsable) {
            await connection.run(() => reserved.unsafe('ROLLBACK')).catch(() => connection.lose());
          }
          throw error;
        } finally {
          if (connection.isUsable) reserved.release();
        }
      }),
    );
  }

  async listen(
    channel: string,
    notified: (payload: string) => void,
    listening: () => void,
  ): Promise<void> {
    const { directUri, applicationName } = this.#settings;
    this.#listening ??= new Connection(directUri, applicationName);
    const own = this.#listening;
    try {
      await own.run(() => own.sql.listen(channel, notified, listening));
    } catch (error) {
      this.#listening = undefined;
      void own.end().catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#listening?.end()]);
  }
}

function sessionOn(connection: Connection, reserved: postgres.ReservedSql): Session {
  return {
    query: <Row extends SqlRow>(text: string, values: readonly SqlValue[] = []) =>
      connection.run(() => reserved.unsafe<Row[]>(text, parametersOf(values))),
    script: async <Row extends SqlRow>(text: string) => {
      const results: unknown = await connection.run(() => reserved.unsafe(text).simple());
      return lastOf(results) as readonly Row[];
    },
  };
}

function parametersOf(values: readonly SqlValue[]): postgres.ParameterOrJSON<never>[] {
  return values.map((value) =>
    typeof value === 'object' && value !== null ? arrayText(value) : value,
  ) as postgres.ParameterOrJSON<never>[];
}

/** An array as PostgreSQL reads it. */
function arrayText(values: readonly (string | null)[]): string {
  const texts = values.map((value) =>
    value === null ? 'NULL' : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`,
  );
  return `{${texts.join(',')}}`;
}

/** The driver answers several statements by a list of their rows, and one by its rows. */
function lastOf(results: unknown): unknown {
  if (!Array.isArray(results)) return [];
  const last: unknown = results.at(-1);
  return Array.isArray(last) ? last : results;
}
