import { waitingJobs } from '../../../../domain/transitions/add.ts';
import type { StoreRecords } from '../../memory/records/store-records.ts';
import type { MemoryStore } from '../../memory/state/memory-store.ts';
import type { Database } from '../driver/database.ts';
import { recordedPolicies } from './recorded-policies.ts';

/**
 * Says in the schema how many jobs wait in queues with a limit, for the function `add_jobs`.
 *
 * @returns a function that writes what changed since it was last called. It throws a DatabaseError.
 */
export function waitingCounts(
  database: Database,
  schema: string,
  queues: MemoryStore,
  records: StoreRecords,
): () => Promise<void> {
  const table = `"${schema}".waiting`;
  const policies = recordedPolicies(records);
  let published = new Map<string, number>();
  return async () => {
    const limited = [...queues.all()].filter(
      ([name]) => policies.of(name).maxWaiting !== undefined,
    );
    const counts = new Map<string, number>(
      limited.map(([name, queue]) => [name, waitingJobs(queue)]),
    );
    const changed = [...counts].filter(([queue, jobs]) => published.get(queue) !== jobs);
    const gone = [...published.keys()].filter((queue) => !counts.has(queue));
    if (changed.length + gone.length === 0) return;
    await database.query(
      `WITH gone AS (DELETE FROM ${table} WHERE queue = ANY ($1::text[]))
       INSERT INTO ${table} AS w (queue, jobs) SELECT * FROM unnest($2::text[], $3::bigint[])
       ON CONFLICT (queue) DO UPDATE SET jobs = excluded.jobs WHERE w.jobs <> excluded.jobs`,
      [gone, changed.map(([queue]) => queue), changed.map(([, jobs]) => String(jobs))],
    );
    published = counts;
  };
}
