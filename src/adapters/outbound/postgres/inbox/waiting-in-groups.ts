import { groupDefaults } from '../../../../application/policies/group-defaults.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Worker } from '../../../../domain/workers/worker.ts';
import { readId, writtenId } from '../../memory/records/record-ids.ts';
import type { StoreRecords } from '../../memory/records/store-records.ts';
import type { MemoryStore } from '../../memory/state/memory-store.ts';
import type { StoredGroups } from '../../memory/state/stored-groups.ts';
import { TouchedGroups } from '../../memory/state/touched-groups.ts';
import type { Database } from '../driver/database.ts';
import { recordedPolicies, type RecordedPolicies } from './recorded-policies.ts';

/** How many groups or rows a publication takes from one source, and how many of those that should be right already. */
const MOST_TAKEN = { first: 10_000, again: 1000 };

interface GroupKey {
  readonly queue: QueueName;
  readonly id: string;
}

interface CountRow {
  readonly [column: string]: unknown;
  readonly queue: string;
  readonly group_id: string;
  readonly jobs: string;
}

/**
 * Says in the schema how many jobs wait in the groups of each queue in which a group has a limit, for the function
 * `add_jobs`. Every replica does. Each goes through its groups and through the rows again and again, because another
 * replica may have ended right after it wrote a number that was out of date.
 */
export class WaitingInGroups {
  readonly #database: Database;
  readonly #table: string;
  readonly #queues: MemoryStore;
  readonly #records: StoreRecords;
  readonly #policies: RecordedPolicies;
  /** The groups of the queues with a limit. */
  readonly #followed = new Map<QueueName, StoredGroups>();
  /** The groups, as yet uncounted, of queues that have a limit since lately. */
  readonly #fresh = new Set<Iterator<GroupKey, undefined>>();
  #again: Iterator<GroupKey, undefined> = this.#all();
  /** The row up to which rows were compared. */
  #place: readonly [queue: string, group: string] = ['', ''];
  /** How many times all rows are to be compared as fast as may be, the time that has begun included. */
  #laps = 1;

  constructor(database: Database, schema: string, queues: MemoryStore, records: StoreRecords) {
    this.#database = database;
    this.#table = `"${schema}".waiting_in_groups`;
    this.#queues = queues;
    this.#records = records;
    this.#policies = recordedPolicies(records);
  }

  /** Writes what changed since it was last called, up to a bound. @throws DatabaseError */
  async publish(): Promise<void> {
    this.#follow();
    if (this.#followed.size === 0 && this.#laps === 0) return;
    // The name of a queue has no colon. A statement must not name a row twice.
    const keys = new Map<string, GroupKey>();
    for (const key of [...(await this.#wrongRows()), ...this.#unwritten(), ...this.#touched()]) {
      keys.set(`${key.queue}:${key.id}`, key);
    }
    if (keys.size > 0) await this.#write([...keys.values()]);
  }

  #follow(): void {
    for (const [name, groups] of this.#followed) {
      const isSame = this.#queues.find(name)?.groups === groups;
      if (isSame && groups.touched?.isComplete === true && this.#isLimited(name, groups)) continue;
      groups.touched = undefined;
      this.#followed.delete(name);
      this.#laps = 2;
    }
    for (const [name, { groups }] of this.#queues.all()) {
      if (this.#followed.has(name) || !this.#isLimited(name, groups)) continue;
      groups.touched = new TouchedGroups();
      this.#followed.set(name, groups);
      this.#fresh.add(keysOf(name, groups));
      this.#laps = 2;
    }
  }

  #isLimited(queue: QueueName, groups: StoredGroups): boolean {
    if (groups.withMaxWaiting > 0) return true;
    const worker = this.#records.read('worker', '', queue) as Worker | undefined;
    return groupDefaults(queue, worker, this.#policies)?.maxWaiting !== undefined;
  }

  *#all(): Generator<GroupKey, undefined> {
    for (const [queue, groups] of this.#followed) yield* keysOf(queue, groups);
  }

  /** The keys of some rows that are not as they should be. */
  async #wrongRows(): Promise<readonly GroupKey[]> {
    const most = this.#laps > 0 ? MOST_TAKEN.first : MOST_TAKEN.again;
    const rows = await this.#database.query<CountRow>(
      `SELECT queue, group_id, jobs FROM ${this.#table} WHERE (queue, group_id) > ($1, $2)
       ORDER BY queue, group_id LIMIT ${most}`,
      this.#place,
    );
    const last = rows.length < most ? undefined : rows.at(-1);
    if (last === undefined) this.#laps = Math.max(0, this.#laps - 1);
    this.#place = [last?.queue ?? '', last?.group_id ?? ''];
    return rows.flatMap((row) => {
      const key = { queue: readId(row.queue) as QueueName, id: readId(row.group_id) };
      return this.#waiting(key) === Number(row.jobs) ? [] : [key];
    });
  }

  /** Some of the groups that are counted whether anything changed in them or not. */
  #unwritten(): readonly GroupKey[] {
    const keys: GroupKey[] = [];
    for (const groups of this.#fresh) {
      keys.push(...taken(groups, MOST_TAKEN.first - keys.length));
      if (keys.length === MOST_TAKEN.first) return keys;
      this.#fresh.delete(groups);
    }
    const again = taken(this.#again, MOST_TAKEN.again);
    if (again.length < MOST_TAKEN.again) this.#again = this.#all();
    return [...keys, ...again];
  }

  #touched(): readonly GroupKey[] {
    const keys: GroupKey[] = [];
    for (const [queue, { touched }] of this.#followed) {
      const ids = touched?.take(MOST_TAKEN.first - keys.length) ?? [];
      for (const id of ids) keys.push({ queue, id });
    }
    return keys;
  }

  async #write(keys: readonly GroupKey[]): Promise<void> {
    const columns = [keys.map(({ queue }) => queue), keys.map(({ id }) => id)];
    try {
      // In the order of the rows, so that replicas do not wait for each other in a circle.
      await this.#database.query(
        `WITH counted AS MATERIALIZED (
           SELECT c.*, w.jobs AS before
           FROM unnest($1::text[], $2::text[], $3::bigint[]) AS c (queue, group_id, jobs)
           LEFT JOIN ${this.#table} w USING (queue, group_id)
         ), gone AS (
           DELETE FROM ${this.#table} w USING counted c
           WHERE c.jobs = 0 AND c.before IS NOT NULL AND (w.queue, w.group_id) = (c.queue, c.group_id)
         )
         INSERT INTO ${this.#table} SELECT queue, group_id, jobs FROM counted
         WHERE jobs > 0 AND before IS DISTINCT FROM jobs ORDER BY queue, group_id
         ON CONFLICT (queue, group_id) DO UPDATE SET jobs = excluded.jobs`,
        [
          ...columns.map((ids) => ids.map(writtenId)),
          keys.map((key) => String(this.#waiting(key))),
        ],
      );
    } catch (error) {
      for (const { queue, id } of keys) this.#followed.get(queue)?.touched?.note(id);
      this.#laps = 2;
      throw error;
    }
  }

  #waiting({ queue, id }: GroupKey): number {
    return this.#followed.get(queue)?.find(id)?.jobs.size ?? 0;
  }
}

function* keysOf(queue: QueueName, groups: StoredGroups): Generator<GroupKey, undefined> {
  for (const { id } of groups.all()) yield { queue, id };
}

/** The next ones, so many at most: fewer only when there are no more. */
function taken(keys: Iterator<GroupKey, undefined>, most: number): readonly GroupKey[] {
  const next: GroupKey[] = [];
  while (next.length < most) {
    const result = keys.next();
    if (result.done === true) break;
    next.push(result.value);
  }
  return next;
}
