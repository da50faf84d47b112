import type { ScannedField, ScannedJob } from '../../../../application/ports/job-scan-port.ts';
import { originOfLetter } from '../../../../domain/jobs/letter.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { lastAnswerStatus, RECORDED } from '../layout/attempt-lines.ts';
import { GROUP } from '../layout/group-keys.ts';
import { storedNumber, storedValue } from '../layout/job-record.ts';
import { REDACTED } from '../layout/redaction-keys.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { TOO_LARGE } from '../lua/answers.ts';
import type { Row, Values } from '../scripts/reading.ts';

/** The fields of hashes whose names differ from those of the values read from them. */
const STORED_AS: Partial<Record<ScannedField, string>> = {
  answerStatus: RECORDED,
  group: GROUP,
  origin: 'opts',
  redactedOn: REDACTED,
};

/** The fields of a job's hash from which those are read. Whether an answer counts depends on the end of the job. */
export function hashFields(fields: readonly ScannedField[]): readonly string[] {
  const stored = fields.map((field) => STORED_AS[field] ?? field);
  return fields.includes('answerStatus') ? [...stored, 'finishedOn'] : stored;
}

/** Reads the requested fields of jobs that are too large for a script. */
export class ScannedFields {
  readonly #commands: StoreCommands;

  constructor(commands: StoreCommands) {
    this.#commands = commands;
  }

  /** The values of the jobs; undefined for a job that does not exist. */
  async read(
    keys: QueueKeys,
    ids: readonly string[],
    rows: readonly Row[],
    fields: readonly ScannedField[],
  ): Promise<readonly (Values | undefined)[]> {
    const values: (Values | undefined)[] = [];
    for (const [index, row] of rows.entries()) {
      values.push(
        row === TOO_LARGE
          ? await this.#readLarge(keys, ids[index] ?? '', fields)
          : (row ?? undefined),
      );
    }
    return values;
  }

  async #readLarge(
    { jobPrefix }: QueueKeys,
    id: string,
    fields: readonly ScannedField[],
  ): Promise<Values | undefined> {
    const values = await this.#commands.readLarge((client) =>
      client.hmget(jobPrefix + id, 'ats', 'timestamp', ...hashFields(fields)),
    );
    return values[1] === null ? undefined : values;
  }
}

/** The job of a record, without the fields that have a value of the wrong kind. */
export function scannedJob(
  id: string,
  state: JobState,
  [, , ...values]: Values,
  fields: readonly ScannedField[],
): ScannedJob {
  const job: { -readonly [Name in keyof ScannedJob]: ScannedJob[Name] } = { id, state };
  for (const [index, field] of fields.entries()) {
    const value = values[index];
    if (typeof value !== 'string') continue;
    if (field === 'name' || field === 'group' || field === 'failedReason') job[field] = value;
    else if (field === 'data') job.data = storedValue(value);
    else if (field === 'origin') {
      const origin = originOfLetter(storedValue(value));
      if (origin !== undefined) job.origin = origin;
    } else {
      const number =
        field === 'answerStatus'
          ? lastAnswerStatus(value, numberIn(values[fields.length]))
          : storedNumber(value);
      if (number !== undefined) job[field] = number;
    }
  }
  return job;
}

function numberIn(value: string | null | undefined): number | null {
  return typeof value === 'string' ? (storedNumber(value) ?? null) : null;
}
