import type { ScannedField } from '../../../../application/ports/job-scan-port.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { hashFields, scannedJob, type Row, type ScannedFields } from './scanned-fields.ts';
import type { KnownJob, ListPosition, ScannedPlace, ScanPlace } from './scan-places.ts';
import { scanListScript } from './scan-list-script.ts';

interface Found {
  readonly place: number;
  readonly ids: readonly string[];
  readonly rows: readonly Row[];
}

type ListAnswer =
  | readonly [length: number]
  | readonly [length: number, place: number, ids: readonly string[], rows: readonly Row[]];

/** Jobs that one run reads. */
const JOBS_PER_RUN = 100;

/** How far on either side of where it was a place is looked for first. Most of the time few jobs came or went. */
const NEAR = 250;

/** Positions in which each further run looks for it. */
const POSITIONS_PER_RUN = 5000;

/** How many jobs on either side tell a place. */
const KNOWN_JOBS = 8;

/** Scans of lists, whose positions shift. */
export class ListScan {
  readonly #commands: StoreCommands;
  readonly #fields: ScannedFields;

  constructor(commands: StoreCommands, fields: ScannedFields) {
    this.#commands = commands;
    this.#fields = fields;
  }

  async scan(
    keys: QueueKeys,
    { state, key }: ScanPlace,
    position: ListPosition | undefined,
    fields: readonly ScannedField[],
  ): Promise<ScannedPlace> {
    const found = await this.#find(keys, key, position, fields);
    const { place, ids, rows } = found;
    const values = await this.#fields.read(keys, ids, rows, fields);
    const known = ids.map((id, index): KnownJob => [id, values[index]?.[0] ?? '']);
    const scanned = ids.slice(0, JOBS_PER_RUN);
    return {
      jobs: scanned.map((id, index) => {
        const value = values[index];
        return value && scannedJob(id, state, value, fields);
      }),
      goesOn: ids.length > scanned.length,
      positionAfter: (count) => {
        const seen = [...(position?.seen ?? []), ...known.slice(0, count)].slice(-KNOWN_JOBS);
        return [place + count, seen, known.slice(count, count + KNOWN_JOBS)];
      },
    };
  }

  /** Where none of the known jobs is left, those that were behind them have left before them. */
  async #find(
    keys: QueueKeys,
    key: string,
    position: ListPosition | undefined,
    fields: readonly ScannedField[],
  ): Promise<Found> {
    const { index = 0, seen = [], unseen = [] } = position ?? {};
    const known = [...seen, ...unseen];
    let [from, to] = [Math.max(0, index - NEAR), index + NEAR];
    let [start, end] = [from, to];
    for (;;) {
      const [length, place, ids = [], rows = []] = (await this.#commands.scripts.run(
        scanListScript,
        [key],
        [
          keys.jobPrefix,
          JOBS_PER_RUN + KNOWN_JOBS,
          start,
          end,
          known.length,
          seen.length,
          ...known.flat(),
          ...hashFields(fields),
        ],
      )) as ListAnswer;
      if (place !== undefined) return { place, ids, rows };
      from = Math.min(from, length);
      // Jobs come in at the head, so the place is rather farther from it than nearer.
      if (to < length) {
        [start, end] = [to + 1, to + POSITIONS_PER_RUN];
        to = end;
      } else if (from > 0) {
        [start, end] = [Math.max(0, from - POSITIONS_PER_RUN), from - 1];
        from = start;
      } else {
        return { place: length, ids: [], rows: [] };
      }
    }
  }
}
