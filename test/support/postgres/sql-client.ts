import type { Session, SqlRow } from '../../../src/adapters/outbound/postgres/driver/database.ts';
import { DatabaseError } from '../../../src/adapters/outbound/postgres/driver/database.ts';
import type { JobJson } from '../../../src/domain/jobs/job-json.ts';

/** Whatever runs statements: a database, or a session of it. */
export type RunsStatements = Pick<Session, 'query'>;

/** Calls `add_jobs` as a program of a team does. @returns the jobs. @throws DatabaseError */
export async function addJobsBySql(
  client: RunsStatements,
  schema: string,
  queue: string,
  jobs: unknown,
): Promise<readonly JobJson[]> {
  const [row] = await client.query<SqlRow & { readonly jobs: string }>(
    `SELECT "${schema}".add_jobs($1, $2::text::jsonb)::text AS jobs`,
    [queue, JSON.stringify(jobs)],
  );
  return JSON.parse(row?.jobs ?? 'null') as readonly JobJson[];
}

/** The error of a statement, as `<SQLSTATE> <message>`; undefined when it succeeds. */
export async function refusalOf(statement: Promise<unknown>): Promise<string | undefined> {
  try {
    await statement;
    return undefined;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return `${error.state ?? ''} ${error.message}`;
  }
}
