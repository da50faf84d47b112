import type { NewJob } from '../../../../domain/jobs/job.ts';
import { jsonText } from '../../../../domain/values/json.ts';
import type { ScriptArgument } from '../lua/script.ts';
import { storedOptions } from '../layout/job-record.ts';
import { placeOf } from './job-place.ts';
import type { AddCall } from './add-run.ts';

/** Jobs as arguments of a script: the place, name, data and options of each, and its deduplication where any has one. */
export function addCall(jobs: readonly NewJob[], maxWaiting?: number): AddCall {
  const isDeduplicating = jobs.some(isDeduplicated);
  const args: ScriptArgument[] = [];
  let size = 0;
  let latest: NewJob['opts'] | undefined;
  let options = '';
  for (const { name, data, opts } of jobs) {
    const text = jsonText(data);
    if (opts !== latest) options = storedOptions(opts);
    latest = opts;
    args.push(placeOf(opts), name, text, options);
    if (isDeduplicating) args.push(opts.deduplication ? JSON.stringify(opts.deduplication) : '');
    size += name.length + text.length + options.length;
  }
  return { args, jobs, size, isDeduplicating, maxWaiting };
}

export function isDeduplicated({ opts }: NewJob): boolean {
  return opts.deduplication !== undefined;
}
