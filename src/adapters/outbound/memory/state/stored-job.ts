import type { EndingNotice } from '../../../../application/ports/job-endings-port.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';
import type { Json } from '../../../../domain/values/json.ts';
import type { Children } from './children.ts';

/** A job in memory: its record, with what has records of its own. Only the store writes to it. */
export interface StoredJob extends JobFields {
  readonly logs: string[];
  /** Undefined for a job that never waits for others. */
  readonly children: Children | undefined;
}

type JobFields = { -readonly [Field in keyof JobRecord]: JobRecord[Field] };

/** About how many bytes a job takes in an answer. */
export function shownBytes({ name, data, opts, ...stored }: JobRecord): number {
  const { progress, returnvalue, failedReason = '', stacktrace } = stored;
  const texts = [name, data, opts, progress, returnvalue, failedReason, ...(stacktrace ?? [])];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

export function endingOf({ status, returnvalue, failedReason = '' }: JobRecord): EndingNotice {
  return status === 'completed'
    ? { state: 'completed', returnvalue: JSON.parse(returnvalue) as Json }
    : { state: 'failed', failedReason };
}

/** How many characters the values take that may be long. */
export function sizeOf({ name, data, opts, progress, returnvalue }: JobRecord): number {
  return name.length + data.length + opts.length + progress.length + returnvalue.length;
}
