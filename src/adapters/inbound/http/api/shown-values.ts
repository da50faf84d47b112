import type { Caller } from '../../../../domain/access/caller.ts';
import type { AddedJobJson } from '../../../../domain/jobs/job-json.ts';
import type { JobInput } from '../../../../domain/jobs/job.ts';

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

/**
 * A job as the answer to its add has it for a caller that may not see values: its data only if the job was made by this
 * add, which a job with an id or a deduplication of the client's choice need not be.
 */
export function withOwnData(
  shown: AddedJobJson,
  input: JobInput | undefined,
): Partial<AddedJobJson> {
  const isNew = input?.opts?.jobId === undefined && input?.opts?.deduplication === undefined;
  const isOwn = isNew && input !== undefined && 'data' in shown;
  return isOwn ? { ...withoutValues(shown), data: shown.data } : withoutValues(shown);
}
