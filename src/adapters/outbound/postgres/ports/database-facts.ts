import type { DatabaseFacts } from '../../../../domain/system/system.ts';
import type { Database } from '../driver/database.ts';

interface FactsRow {
  readonly [column: string]: unknown;
  readonly version: string;
  readonly size: string;
  readonly fsync: string;
  readonly log: string | null;
  readonly records: string | null;
  readonly inbox: string | null;
  readonly transactions: number | null;
  readonly application: string | null;
  readonly age: number | null;
  readonly connections: number;
  readonly most: number;
}

/** How a replica itself uses the database. */
export type ReplicaState = Pick<DatabaseFacts, 'isNotified' | 'isFolded' | 'behindMs'>;

/** The server and its database, as the server describes them. */
export interface ServerFacts {
  readonly version: string;
  /** The size of the database, in bytes. */
  readonly size: number;
  readonly isSynced: boolean;
  readonly database: Omit<DatabaseFacts, keyof ReplicaState>;
}

/**
 * Of sessions of other roles, the server says since when they run only to members of pg_read_all_stats. Snapshots of
 * other databases keep no row of this one. The server's own workers (autovacuum) run as no role, and no operator can
 * end what they do, so they are left out.
 *
 * @throws DatabaseError
 */
export async function serverFacts(database: Database, schema: string): Promise<ServerFacts> {
  const [row] = await database.query<FactsRow>(
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
       pg_database_size(current_database()) AS size, dead.*, oldest.*,
       (SELECT sum(numbackends)::integer FROM pg_stat_database) AS connections,
       current_setting('max_connections')::integer AS most
     FROM (
       SELECT sum(n_dead_tup) FILTER (WHERE relname = 'log') AS log,
         sum(n_dead_tup) FILTER (WHERE relname = 'records') AS records,
         sum(n_dead_tup) FILTER (WHERE relname = 'inbox') AS inbox
       FROM pg_stat_all_tables WHERE schemaname = $1
     ) AS dead LEFT JOIN (
       SELECT greatest(age(backend_xmin), age(backend_xid)) AS transactions, application_name AS application,
         (1000 * extract(epoch FROM clock_timestamp() - xact_start))::double precision AS age
       FROM pg_stat_activity
       WHERE datname = current_database() AND application_name NOT LIKE 'jobgate %' AND usesysid IS NOT NULL
         AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
       ORDER BY 1 DESC, 3 DESC LIMIT 1
     ) AS oldest ON true`,
    [schema],
  );
  if (row === undefined) throw new TypeError('A SELECT of aggregates has one row');
  const { transactions, application, age } = row;
  return {
    version: row.version.split(' ')[0] ?? row.version,
    size: Number(row.size),
    isSynced: row.fsync === 'on',
    database: {
      deadRows: {
        log: Number(row.log ?? 0),
        records: Number(row.records ?? 0),
        inbox: Number(row.inbox ?? 0),
      },
      oldestSnapshot:
        transactions === null
          ? null
          : {
              application: application ?? '',
              ageMs: age === null ? null : Math.max(0, Math.round(age)),
              transactions,
            },
      connections: { used: row.connections, most: row.most },
    },
  };
}
