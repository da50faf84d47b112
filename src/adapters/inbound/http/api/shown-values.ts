import type { Caller } from '../../../../domain/access/caller.ts';
import type { AddedJobJson } from '../../../../domain/jobs/job-json.ts';
import { wasThere, type AddedJob } from '../../../../domain/jobs/job.ts';

/** What clients and endpoints put into jobs, which only tokens with the right `data` may see. */
const VALUES: ReadonlySet<string> = new Set([
  'data',
  'returnvalue',
  'progress',
  'response',
  'line',
]);

/** The same object for a caller that may see values, a copy without them for any other. */
export function shownTo<Shown extends object>(caller: Caller, shown: Shown): Partial<Shown> {
  return caller.may('data') ? shown : withoutValues(shown);
}

export function withoutValues<Shown extends object>(shown: Shown): Partial<Shown> {
  const entries = Object.entries(shown).filter(([name]) => !VALUES.has(name));
  return Object.fromEntries(entries) as Partial<Shown>;
}

/** A scheduler, whose values are those of the jobs that it makes. */
export function schedulerShownTo<Shown extends { readonly job: object }>(
  caller: Caller,
  scheduler: Shown,
): Shown | (Omit<Shown, 'job'> & { readonly job: object }) {
  return caller.may('data') ? scheduler : { ...scheduler, job: withoutValues(scheduler.job) };
}

/** A job that its add stored for a caller that may not see values: of its own it sees what it sent. */
export function addedJobShown(
  shown: AddedJobJson,
  job: AddedJob,
  hasEnded: boolean,
): Partial<AddedJobJson> {
  if (wasThere(job) || !('data' in shown)) return withoutValues(shown);
  return hasEnded ? { ...withoutValues(shown), data: shown.data } : shown;
}
