import postgres, { type Sql } from 'postgres';
import type { PostgresServer } from '../../test/support/postgres/postgres-server.ts';

/** Runs work with a connection of its own to a server, as a program beside the service has one. */
export async function withConnection<Answer>(
  server: PostgresServer,
  work: (sql: Sql) => Promise<Answer>,
): Promise<Answer> {
  const sql = postgres(server.uri, { max: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
