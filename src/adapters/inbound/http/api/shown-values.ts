import { shownOptions } from '../../../../domain/jobs/callback.ts';
import type { Caller } from '../../../../domain/access/caller.ts';
import type { AddedJobJson } from '../../../../domain/jobs/job-json.ts';
import { wasThere, type AddedJob } from '../../../../domain/jobs/job.ts';

/** The fields that clients and endpoints fill, which only tokens with the right `data` may see. */
const VALUES: ReadonlySet<string> = new Set([
  'data',
  'returnvalue',
  'progress',
  'response',
  'line',
]);

/** The object itself for a caller that may see values, a copy without them for any other. */
export function shownTo<Shown extends object>(caller: Caller, shown: Shown): Partial<Shown> {
  return caller.may('data') ? shown : withoutValues(shown);
}

export function withoutValues<Shown extends object>(shown: Shown): Partial<Shown> {
  const entries = Object.entries(shown).filter(([name]) => !VALUES.has(name));
  return Object.fromEntries(entries) as Partial<Shown>;
}

/** A scheduler as a caller may see it: its values are those of the jobs that it adds. */
export function schedulerShownTo<Shown extends { readonly job: object }>(
  caller: Caller,
  scheduler: Shown,
): Shown | (Omit<Shown, 'job'> & { readonly job: object }) {
  const shown = { ...scheduler, job: withShownOptions(scheduler.job) };
  return caller.may('data') ? shown : { ...shown, job: withoutValues(shown.job) };
}

/** Header values of callbacks often hold secrets. */
function withShownOptions<Job extends object>(job: Job): Job {
  return 'opts' in job ? { ...job, opts: shownOptions(job.opts) } : job;
}

/** An added job for a caller that may not see values: of a job that its add stored, it sees the values that it sent. */
export function addedJobShown(
  shown: AddedJobJson,
  job: AddedJob,
  hasEnded: boolean,
): Partial<AddedJobJson> {
  if (wasThere(job) || !('data' in shown)) return withoutValues(shown);
  return hasEnded ? { ...withoutValues(shown), data: shown.data } : shown;
}
