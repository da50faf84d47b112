import { waitingJobs } from '../../../../domain/transitions/add.ts';
import type { StoreRecords } from '../../memory/records/store-records.ts';
import type { MemoryStore } from '../../memory/state/memory-store.ts';
import type { Database } from '../driver/database.ts';
import { RecordedPolicies } from './recorded-policies.ts';

/** Says in the schema how many jobs wait in queues with a limit, for the function `add_jobs`. */
export class WaitingCounts {
  readonly #database: Database;
  readonly #table: string;
  readonly #queues: MemoryStore;
  readonly #policies: RecordedPolicies;
  #published = new Map<string, number>();

  constructor(database: Database, schema: string, queues: MemoryStore, records: StoreRecords) {
    this.#database = database;
    this.#table = `"${schema}".waiting`;
    this.#queues = queues;
    this.#policies = new RecordedPolicies(records);
  }

  /** Writes what changed since it was last called. @throws DatabaseError */
  async publish(): Promise<void> {
    const counts = this.#counts();
    const changed = [...counts].filter(([queue, jobs]) => this.#published.get(queue) !== jobs);
    const gone = [...this.#published.keys()].filter((queue) => !counts.has(queue));
    if (changed.length + gone.length === 0) return;
    await this.#database.query(
      `WITH gone AS (DELETE FROM ${this.#table} WHERE queue = ANY ($1::text[]))
       INSERT INTO ${this.#table} AS w (queue, jobs) SELECT * FROM unnest($2::text[], $3::bigint[])
       ON CONFLICT (queue) DO UPDATE SET jobs = excluded.jobs WHERE w.jobs <> excluded.jobs`,
      [gone, changed.map(([queue]) => queue), changed.map(([, jobs]) => String(jobs))],
    );
    this.#published = counts;
  }

  #counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const [name, queue] of this.#queues.all()) {
      if (this.#policies.of(name).maxWaiting !== undefined) counts.set(name, waitingJobs(queue));
    }
    return counts;
  }
}
