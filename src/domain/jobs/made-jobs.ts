import type { JobOptionsInput } from './job-options.ts';
import { newJob, type JobInput, type NewJob } from './job.ts';

/** The jobs of an add, as they were made. */
export interface MadeJobs {
  readonly jobs: readonly NewJob[];
  /** From which they were made; absent for jobs that the service copies. */
  readonly inputs?: readonly JobInput[];
  /** The trace of the add, if it has one. */
  readonly carrier?: string | undefined;
}

/** Makes the jobs of an add. @throws DomainError `invalid-request` naming the field, such as `[3].name`. */
export function newJobs(
  inputs: readonly JobInput[],
  defaults: JobOptionsInput | undefined,
  carrier: string | undefined,
): readonly NewJob[] {
  const jobs = inputs.map((input, index) => newJob(input, `[${index}]`, defaults));
  return carrier === undefined ? jobs : jobs.map((job) => withCarrier(job, carrier));
}

/** The jobs as they would be with other defaults. */
export function remade(
  { jobs, inputs, carrier }: MadeJobs,
  defaults: JobOptionsInput,
): readonly NewJob[] {
  return inputs === undefined ? jobs : newJobs(inputs, defaults, carrier);
}

/** Jobs of several queues with the trace of their add, if it has one. */
export function carried<Queued extends { readonly job: NewJob }>(
  jobs: readonly Queued[],
  carrier: string | undefined,
): readonly Queued[] {
  if (carrier === undefined) return jobs;
  return jobs.map((each) => ({ ...each, job: withCarrier(each.job, carrier) }));
}

/** The job with the option in which BullMQ's own clients, too, store the trace of an add. */
function withCarrier(job: NewJob, carrier: string): NewJob {
  return { ...job, opts: { ...job.opts, tm: carrier } };
}
