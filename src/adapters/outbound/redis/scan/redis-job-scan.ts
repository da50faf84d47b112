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
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { lookUpJobs } from '../scripts/reading.ts';
import { nextOfList } from './next-of-list.ts';
import { hashFields, ScannedFields, scannedJob } from './scanned-fields.ts';
import {
  groupPosition,
  idInGroup,
  listPosition,
  scanPlaces,
  setPosition,
  type NextJobs,
  type ScanPlace,
} from './scan-places.ts';
import { nextOfGroups } from './next-of-groups.ts';
import { nextOfSet } from './next-of-set.ts';

/** How many jobs one run of a script looks up. */
const JOBS_PER_LOOK = 100;

/** Scans over the lists and sorted sets in which BullMQ keeps the ids of jobs. */
export class RedisJobScan implements JobScanPort {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #fields: ScannedFields;

  constructor(commands: StoreCommands, keys: QueueKeysCache) {
    this.#commands = commands;
    this.#keys = keys;
    this.#fields = new ScannedFields(commands);
  }

  /** A cursor is the number of a place, and the position there. */
  async scan(queue: QueueName, { states, fields, cursor }: ScanQuery): Promise<ScanStep> {
    const keys = this.#keys.get(queue);
    const places = scanPlaces(keys, states);
    const [first, ...position] = cursor === null ? [0] : (cursorPlace(cursor) ?? []);
    if (typeof first !== 'number' || (cursor !== null && !(first in places))) throw unknownCursor();
    for (const [number, place] of places.entries()) {
      if (number < first) continue;
      const begin = number === first ? position : [];
      const next = await this.#next(keys, place, begin, fields);
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
    const places = scanPlaces(this.#keys.get(queue), states);
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
    const { client, errors } = this.#commands;
    const [ids, count] = await errors.run(() =>
      kind !== 'list'
        ? Promise.all([most > 0 ? client.zrange(key, 0, most - 1) : [], client.zcard(key)])
        : Promise.all([most > 0 ? client.lrange(key, -most, -1) : [], client.llen(key)]),
    );
    // Some may have left in between.
    const found = { set: ids, list: ids.toReversed(), groups: ids.map(idInGroup) }[kind];
    return [found, Math.max(count, ids.length)];
  }

  async *look(
    queue: QueueName,
    ids: readonly string[],
    fields: readonly ScannedField[],
  ): AsyncGenerator<readonly ScannedJob[]> {
    const keys = this.#keys.get(queue);
    for (let looked = 0; looked < ids.length;) {
      const some = ids.slice(looked, looked + JOBS_PER_LOOK);
      const rest = [...some, ...hashFields(fields)];
      const answers = await this.#commands.call(lookUpJobs, keys, { count: some.length }, rest);
      const rows = answers.map((answer) => answer?.[1] ?? null);
      const values = await this.#fields.read(keys, some, rows, fields);
      yield values.flatMap((value, index) => {
        const [id, state] = [some[index], answers[index]?.[0]];
        return id === undefined || state === undefined || value === undefined
          ? []
          : [scannedJob(id, state, value, fields)];
      });
      looked += answers.length;
    }
  }

  #next(
    keys: QueueKeys,
    { kind, key }: ScanPlace,
    position: readonly unknown[],
    fields: readonly ScannedField[],
  ): Promise<NextJobs> {
    if (kind === 'groups') {
      return nextOfGroups(this.#commands, keys, key, groupPosition(position), hashFields(fields));
    }
    return kind === 'set'
      ? nextOfSet(this.#commands, keys, key, setPosition(position), hashFields(fields))
      : nextOfList(this.#commands, keys, key, listPosition(position), hashFields(fields));
  }

  async #jobs(
    keys: QueueKeys,
    { state }: ScanPlace,
    { ids, rows }: NextJobs,
    fields: readonly ScannedField[],
  ): Promise<readonly (ScannedJob | undefined)[]> {
    if (rows === undefined) return ids.map((id) => ({ id, state }));
    const values = await this.#fields.read(keys, ids, rows, fields);
    return ids.map((id, index) => {
      const value = values[index];
      return value && scannedJob(id, state, value, fields);
    });
  }
}
