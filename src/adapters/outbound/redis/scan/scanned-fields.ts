import type { ScannedField, ScannedJob } from '../../../../application/ports/job-scan-port.ts';
import { originOfLetter } from '../../../../domain/jobs/letter.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { lastAnswerStatus, RECORDED } from '../layout/attempt-lines.ts';
import { GROUP } from '../layout/group-keys.ts';
import { storedNumber, storedValue } from '../layout/job-record.ts';
import { STEPS } from '../layout/step-keys.ts';
import { REDACTED } from '../layout/redaction-keys.ts';
import type { RowFields } from '../jobs/job-rows.ts';
import type { Values } from '../scripts/reading.ts';

/** The fields of hashes whose names differ from those of the values read from them. */
const STORED_AS: Partial<Record<ScannedField, string>> = {
  answerStatus: RECORDED,
  group: GROUP,
  origin: 'opts',
  redactedOn: REDACTED,
  stepped: STEPS,
};

/** The fields of a job's hash from which those are read. Whether an answer counts depends on the end of the job. */
export function hashFields(fields: readonly ScannedField[]): RowFields {
  const names = fields.map((field) => STORED_AS[field] ?? field);
  return { names: fields.includes('answerStatus') ? [...names, 'finishedOn'] : names };
}

/** The job of a record, without the fields that have a value of the wrong kind. */
export function scannedJob(
  id: string,
  state: JobState,
  values: Values,
  fields: readonly ScannedField[],
): ScannedJob {
  const job: { -readonly [Name in keyof ScannedJob]: ScannedJob[Name] } = { id, state };
  for (const [index, field] of fields.entries()) {
    const value = values[index];
    if (typeof value !== 'string') continue;
    if (field === 'name' || field === 'group' || field === 'failedReason') job[field] = value;
    else if (field === 'stepped') job.stepped = true;
    else if (field === 'data') job.data = storedValue(value);
    else if (field === 'origin') {
      const origin = originOfLetter(storedValue(value));
      if (origin !== undefined) job.origin = origin;
    } else {
      const number =
        field === 'answerStatus'
          ? lastAnswerStatus(value, numberIn(values[fields.length]))
          : storedNumber(value);
      if (typeof number === 'number') job[field] = number;
    }
  }
  return job;
}

function numberIn(value: Values[number] | undefined): number | null {
  return typeof value === 'string' ? (storedNumber(value) ?? null) : null;
}
