import type { NewJob } from '../../../../domain/job.ts';
import { jsonText } from '../../../../domain/json.ts';
import type { ScriptArgument } from '../connection/scripts.ts';
import { storedOptions } from '../layout/job-record.ts';
import { placeOf } from './job-place.ts';
import type { AddCall } from './shared-adds.ts';

/** Jobs as arguments of a script: of each its place, name, data and options. */
export function addCall(jobs: readonly NewJob[]): AddCall {
  const args: ScriptArgument[] = [];
  let size = 0;
  for (const { name, data, opts } of jobs) {
    const text = jsonText(data);
    const options = storedOptions(opts);
    args.push(placeOf(opts), name, text, options);
    size += name.length + text.length + options.length;
  }
  return { args, jobs: jobs.length, size };
}
