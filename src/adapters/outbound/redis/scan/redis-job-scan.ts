import type {
  JobScanPort,
  OldestJobs,
  ScannedField,
  ScannedJob,
  ScanQuery,
  ScanStep,
} from '../../../../application/ports/job-scan-port.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { unknownCursor } from '../../../../domain/jobs/unknown-cursor.ts';
import { cursorPlace, cursorText } from '../../../shared/cursor-text.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { JobRows, type RowFields } from '../jobs/job-rows.ts';
import type { Values } from '../scripts/reading.ts';
import { nextOfList } from './next-of-list.ts';
import { hashFields, scannedJob } from './scanned-fields.ts';
import {
  groupPosition,
  idInGroup,
  listPosition,
  scanPlaces,
  setPosition,
  type NextJobs,
  type ScanPlace,
} from './scan-places.ts';
import { nextOfGroups, nextOfSet } from './next-of-sets.ts';

const ANY_FIELD: RowFields = { names: ['timestamp'] };

/** Scans over the lists and sorted sets in which BullMQ keeps the ids of jobs. */
export class RedisJobScan implements JobScanPort {
  readonly #store: StoreCommands;
  readonly #rows: JobRows;

  constructor(store: StoreCommands) {
    this.#store = store;
    this.#rows = new JobRows(store);
  }

  /** A cursor is the number of a place, and the position there. */
  async scan(queue: QueueName, { states, fields, cursor }: ScanQuery): Promise<ScanStep> {
    const keys = this.#store.keysOf(queue);
    const places = scanPlaces(keys, states);
    const [first, ...position] = cursor === null ? [0] : (cursorPlace(cursor) ?? []);
    if (typeof first !== 'number' || (cursor !== null && !(first in places))) throw unknownCursor();
    for (const [number, place] of places.entries()) {
      if (number < first) continue;
      const begin = number === first ? position : [];
      const next = await this.#next(keys, place, begin, hashFields(fields));
      const { length } = next.ids;
      if (length === 0) continue;
      const end = number + 1 < places.length ? cursorText([number + 1]) : null;
      return {
        jobs: await this.#jobs(keys, place, next, fields),
        cursorAfter: (count) =>
          count === length && !next.goesOn
            ? end
            : cursorText([number, ...next.positionAfter(count)]),
      };
    }
    return { jobs: [], cursorAfter: () => null };
  }

  async oldest(queue: QueueName, states: readonly JobState[], limit: number): Promise<OldestJobs> {
    const places = scanPlaces(this.#store.keysOf(queue), states);
    let total = 0;
    const jobs: ScannedJob[] = [];
    for (const place of places.toReversed()) {
      const [ids, count] = await this.#end(place, limit - jobs.length);
      total += count;
      for (const id of ids) jobs.push({ id, state: place.state });
    }
    return { total, jobs };
  }

  /**
   * The ids at the end of a place, the last one first, and how many there are in all. The store's own commands return
   * so many five times as fast as a script.
   */
  async #end(
    { kind, key }: ScanPlace,
    most: number,
  ): Promise<readonly [ids: readonly string[], count: number]> {
    const [ids, count] = await this.#store.run<[string[], number]>((client) =>
      kind !== 'list'
        ? Promise.all([most > 0 ? client.zrange(key, 0, most - 1) : [], client.zcard(key)])
        : Promise.all([most > 0 ? client.lrange(key, -most, -1) : [], client.llen(key)]),
    );
    // Some may have left in between.
    const found = { set: ids, list: ids.toReversed(), groups: ids.map(idInGroup) }[kind];
    return [found, Math.max(count, ids.length)];
  }

  look(
    queue: QueueName,
    ids: readonly string[],
    fields: readonly ScannedField[],
  ): AsyncGenerator<readonly ScannedJob[]> {
    // Without any field a job is all the same looked for.
    const wanted = fields.length === 0 ? ANY_FIELD : hashFields(fields);
    return this.#rows.read(this.#store.keysOf(queue), ids, wanted, (...job) =>
      scannedJob(...job, fields),
    );
  }

  #next(
    keys: QueueKeys,
    { kind, key }: ScanPlace,
    position: readonly unknown[],
    { names }: RowFields,
  ): Promise<NextJobs> {
    if (kind === 'groups') {
      return nextOfGroups(this.#store, keys, key, groupPosition(position), names);
    }
    return kind === 'set'
      ? nextOfSet(this.#store, keys, key, setPosition(position), names)
      : nextOfList(this.#store, keys, key, listPosition(position), names);
  }

  async #jobs(
    keys: QueueKeys,
    { state }: ScanPlace,
    { ids, rows }: NextJobs,
    fields: readonly ScannedField[],
  ): Promise<readonly (ScannedJob | undefined)[]> {
    if (rows === undefined) return ids.map((id) => ({ id, state }));
    const whole = await this.#rows.whole(keys, ids, hashFields(fields), rows);
    return ids.map((id, index) => {
      const row = whole[index] ?? undefined;
      return row && scannedJob(id, state, row[1] as Values, fields);
    });
  }
}
