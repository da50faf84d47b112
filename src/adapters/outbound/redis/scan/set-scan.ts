import type { ScannedField } from '../../../../application/ports/job-scan-port.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { hashFields, scannedJob, type Row, type ScannedFields } from './scanned-fields.ts';
import type { ScannedPlace, ScanPlace, SetPosition } from './scan-places.ts';
import { scanSetScript } from './scan-set-script.ts';

type SetAnswer = readonly [members: readonly string[], rows: readonly Row[]];

/** Jobs that one run reads, and ids alone: either takes a millisecond or two. */
const JOBS_PER_RUN = 100;
const IDS_PER_RUN = 2000;

/** Scans of sorted sets. */
export class SetScan {
  readonly #commands: StoreCommands;
  readonly #fields: ScannedFields;

  constructor(commands: StoreCommands, fields: ScannedFields) {
    this.#commands = commands;
    this.#fields = fields;
  }

  async scan(
    keys: QueueKeys,
    { state, key }: ScanPlace,
    position: SetPosition | undefined,
    fields: readonly ScannedField[],
  ): Promise<ScannedPlace> {
    const most = fields.length === 0 ? IDS_PER_RUN : JOBS_PER_RUN;
    const [members, rows] = (await this.#commands.scripts.run(
      scanSetScript,
      [key],
      [keys.jobPrefix, most, position?.score ?? '', position?.id ?? '', ...hashFields(fields)],
    )) as SetAnswer;
    const ids = members.filter((_, index) => index % 2 === 0);
    const values = await this.#fields.read(keys, ids, rows, fields);
    const jobs = ids.map((id, index) => {
      if (fields.length === 0) return { id, state };
      const value = values[index];
      return value && scannedJob(id, state, value, fields);
    });
    return {
      jobs,
      goesOn: ids.length === most,
      positionAfter: (count) =>
        count === 0 ? positionOf(position) : [members[2 * count - 1], members[2 * count - 2]],
    };
  }
}

function positionOf(position: SetPosition | undefined): readonly unknown[] {
  return position === undefined ? [] : [position.score, position.id];
}
