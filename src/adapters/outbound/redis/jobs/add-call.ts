import type { NewJob } from '../../../../domain/jobs/job.ts';
import { jsonText } from '../../../../domain/values/json.ts';
import type { ScriptArgument } from '../lua/script.ts';
import { storedOptions } from '../layout/job-record.ts';
import { placeOf } from './job-place.ts';
import type { AddCall } from './add-run.ts';

/** Jobs as arguments of a script: the place, name, data and options of each. */
export function addCall(jobs: readonly NewJob[], maxWaiting?: number): AddCall {
  const args: ScriptArgument[] = [];
  let size = 0;
  let latest: NewJob['opts'] | undefined;
  let options = '';
  for (const { name, data, opts } of jobs) {
    const text = jsonText(data);
    if (opts !== latest) options = storedOptions(opts);
    latest = opts;
    args.push(placeOf(opts), name, text, options);
    size += name.length + text.length + options.length;
  }
  return { args, jobs: jobs.length, size, maxWaiting };
}

export function isDeduplicated({ opts }: NewJob): boolean {
  return opts.deduplication !== undefined;
}

/** The same, with the deduplication of each job after it. */
export function deduplicatedCall(jobs: readonly NewJob[]): AddCall {
  const calls = jobs.map((job) => ({ job, ...addCall([job]) }));
  return {
    args: calls.flatMap(({ job, args }) => [...args, deduplicationOf(job)]),
    jobs: jobs.length,
    size: calls.reduce((sum, { size }) => sum + size, 0),
  };
}

function deduplicationOf({ opts: { deduplication } }: NewJob): string {
  return deduplication === undefined ? '' : JSON.stringify(deduplication);
}
