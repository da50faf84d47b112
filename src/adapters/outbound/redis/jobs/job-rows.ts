import type { JobsQuery, Pieces } from '../../../../application/ports/queue-port.ts';
import { JOB_STATES, type JobState, type StateCounts } from '../../../../domain/jobs/job-status.ts';
import type { Job } from '../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { isJobRecord, jobFromRecord, jobRecord } from '../layout/job-record.ts';
import { MOST_JOBS } from '../layout/largest-piece.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { stateCounts } from '../layout/queue-summary.ts';
import { TOO_LARGE } from '../lua/answers.ts';
import { listJobs, readJobs, type Row, type Values } from '../scripts/reading.ts';

/** The fields to read of jobs. */
export interface RowFields {
  /** None for all fields. */
  readonly names: readonly string[];
  /** The most bytes of a value: in the place of a longer one comes its length. */
  readonly longest?: number;
}

export const ALL_FIELDS: RowFields = { names: [] };

/** Makes what is shown of a job; undefined for what is no job. */
export type Show<Shown> = (id: string, state: JobState, values: Values) => Shown | undefined;

/**
 * Reads jobs of any size in pieces, so that no command holds the store for long: one that is too large for a script is
 * read by a command of its own. A usual page takes one command.
 */
export class JobRows {
  readonly #store: StoreCommands;

  constructor(store: StoreCommands) {
    this.#store = store;
  }

  /** @throws DomainError `store-unavailable`. */
  async list<Shown>(
    keys: QueueKeys,
    { statuses, start, length }: JobsQuery,
    fields: RowFields,
    show: Show<Shown>,
  ): Promise<{ readonly counts: StateCounts; readonly jobs: Pieces<Shown> }> {
    const wanted = JOB_STATES.map((state) => (statuses.includes(state) ? 1 : 0)).join('');
    const page = { wanted, start, length, longest: fields.longest };
    const [numbers, ids, first] = await this.#store.call(listJobs, keys, page, fields.names);
    const counts = stateCounts(numbers);
    const stateOf = (position: number): JobState => stateAt(start + position, statuses, counts);
    if (first.length < ids.length || first[0]?.[1] === TOO_LARGE) {
      return { counts, jobs: this.read(keys, ids, fields, show, first, stateOf) };
    }
    return { counts, jobs: [shown(ids, 0, first, show, stateOf)] };
  }

  /**
   * The existing jobs with these ids, in pieces that one command may read.
   *
   * @param first what was read of the first of them.
   * @param stateOf the state of the job at a position; as it is when its piece is read unless given.
   * @throws as `list`.
   */
  async *read<Shown>(
    keys: QueueKeys,
    ids: readonly string[],
    fields: RowFields,
    show: Show<Shown>,
    first: readonly Row[] = [],
    stateOf?: (position: number) => JobState,
  ): AsyncGenerator<readonly Shown[]> {
    let rows = first;
    for (let read = 0; read < ids.length; read += rows.length, rows = []) {
      const rest = ids.slice(read);
      if (rows.length === 0) rows = await this.first(keys, rest, fields);
      yield shown(ids, read, await this.whole(keys, rest, fields, rows), show, stateOf);
    }
  }

  /** The same of whole jobs. */
  jobs(keys: QueueKeys, ids: readonly string[]): AsyncGenerator<readonly Job[]> {
    return this.read(keys, ids, ALL_FIELDS, (...job) => jobOf(keys.queue, ...job));
  }

  /** The first jobs with these ids, one at least. @throws as `list`. */
  first(
    keys: QueueKeys,
    ids: readonly string[],
    { names, longest }: RowFields,
  ): Promise<readonly Row[]> {
    const some = ids.slice(0, MOST_JOBS);
    return this.#store.call(readJobs, keys, { count: some.length, longest }, [...some, ...names]);
  }

  /** The rows, with the values of a job that is too large for a script. @throws as `list`. */
  async whole(
    { jobPrefix }: QueueKeys,
    ids: readonly string[],
    { names }: RowFields,
    rows: readonly Row[],
  ): Promise<readonly Row[]> {
    const [first] = rows;
    if (first?.[1] !== TOO_LARGE) return rows;
    const key = `${jobPrefix}${ids[0] ?? ''}`;
    const values: Values = await this.#store.readLarge(async (client) =>
      names.length === 0
        ? Object.entries(await client.hgetall(key)).flat()
        : client.hmget(key, ...names),
    );
    return [values.some((value) => value !== null) ? [first[0], values] : null];
  }
}

/** The job that a hash stores; undefined when the hash is not that of a job. */
export function jobOf(
  queue: QueueName,
  id: string,
  state: JobState,
  hash: Values,
): Job | undefined {
  const record = jobRecord(hash as readonly string[]);
  return isJobRecord(record) ? jobFromRecord(id, record, queue, state) : undefined;
}

/** The state of the job at a position in the listing of some states, which are in listing order. */
function stateAt(position: number, states: readonly JobState[], counts: StateCounts): JobState {
  let before = 0;
  const state = states.find((each) => {
    before += counts[each];
    return position < before;
  });
  if (state === undefined) throw new Error(`The listing has no job at ${position}`);
  return state;
}

/** The jobs of the rows, which belong to the ids from a position on. */
function shown<Shown>(
  ids: readonly string[],
  from: number,
  rows: readonly Row[],
  show: Show<Shown>,
  stateOf?: (position: number) => JobState,
): readonly Shown[] {
  return rows.flatMap((row, index) => {
    if (row === null) return [];
    const state = stateOf?.(from + index) ?? row[0];
    return show(ids[from + index] ?? '', state as JobState, row[1] as Values) ?? [];
  });
}
