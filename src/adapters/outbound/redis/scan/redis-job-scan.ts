import type {
  JobScanPort,
  OldestJobs,
  ScannedField,
  ScannedJob,
  ScanQuery,
  ScanStep,
} from '../../../../application/ports/job-scan-port.ts';
import type { JobState } from '../../../../domain/job-status.ts';
import { piecesOf } from '../../../../domain/pieces.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import { unknownCursor } from '../../../../domain/unknown-cursor.ts';
import { cursorPlace, cursorText } from '../../../shared/cursor-text.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { stateKeys } from '../jobs/job-state.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { ListScan } from './list-scan.ts';
import { lookScript } from './look-script.ts';
import { hashFields, ScannedFields, scannedJob, type Row } from './scanned-fields.ts';
import {
  listPosition,
  scanPlaces,
  setPosition,
  type ScannedPlace,
  type ScanPlace,
} from './scan-places.ts';
import { SetScan } from './set-scan.ts';

/** Jobs that one run of a script looks up. */
const JOBS_PER_LOOK = 100;

/** Scans over the lists and sorted sets in which BullMQ keeps the ids of jobs. */
export class RedisJobScan implements JobScanPort {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #fields: ScannedFields;
  readonly #sets: SetScan;
  readonly #lists: ListScan;

  constructor(commands: StoreCommands, keys: QueueKeysCache) {
    this.#commands = commands;
    this.#keys = keys;
    this.#fields = new ScannedFields(commands);
    this.#sets = new SetScan(commands, this.#fields);
    this.#lists = new ListScan(commands, this.#fields);
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
      const found = await this.#scanPlace(keys, place, begin, fields);
      const { length } = found.jobs;
      if (length === 0) continue;
      const end = number + 1 < places.length ? cursorText([number + 1]) : null;
      return {
        jobs: found.jobs,
        cursorAfter: (count) =>
          count === length && !found.goesOn
            ? end
            : cursorText([number, ...found.positionAfter(count)]),
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
   * The ids at the end of a place, the last one first, and how many there are in all. They are many, which
   * the store's own commands answer five times as fast as a script.
   */
  async #end(
    { kind, key }: ScanPlace,
    most: number,
  ): Promise<readonly [ids: readonly string[], count: number]> {
    const { client, errors } = this.#commands;
    const [ids, count] = await errors.run(() =>
      kind === 'set'
        ? Promise.all([most > 0 ? client.zrange(key, 0, most - 1) : [], client.zcard(key)])
        : Promise.all([most > 0 ? client.lrange(key, -most, -1) : [], client.llen(key)]),
    );
    // Some may have left in between.
    return [kind === 'set' ? ids : ids.reverse(), Math.max(count, ids.length)];
  }

  async look(
    queue: QueueName,
    ids: readonly string[],
    fields: readonly ScannedField[],
  ): Promise<readonly ScannedJob[]> {
    const keys = this.#keys.get(queue);
    const found: ScannedJob[] = [];
    for (const some of piecesOf(ids, JOBS_PER_LOOK)) {
      found.push(...(await this.#look(keys, some, fields)));
    }
    return found;
  }

  async #look(
    keys: QueueKeys,
    ids: readonly string[],
    fields: readonly ScannedField[],
  ): Promise<readonly ScannedJob[]> {
    const answers = (await this.#commands.scripts.run(lookScript, stateKeys(keys), [
      keys.jobPrefix,
      ids.length,
      ...ids,
      ...hashFields(fields),
    ])) as readonly (readonly [JobState, Row] | null)[];
    const rows = answers.map((answer) => answer?.[1] ?? null);
    const values = await this.#fields.read(keys, ids, rows, fields);
    return ids.flatMap((id, index) => {
      const [state, value] = [answers[index]?.[0], values[index]];
      return state === undefined || value === undefined
        ? []
        : [scannedJob(id, state, value, fields)];
    });
  }

  #scanPlace(
    keys: QueueKeys,
    place: ScanPlace,
    position: readonly unknown[],
    fields: readonly ScannedField[],
  ): Promise<ScannedPlace> {
    return place.kind === 'set'
      ? this.#sets.scan(keys, place, setPosition(position), fields)
      : this.#lists.scan(keys, place, listPosition(position), fields);
  }
}
