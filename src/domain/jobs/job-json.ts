import type { AddedJob, Job, JobFacts } from './job.ts';

/** A job as it goes over the wire (specification, "JobJson"): its queue has its qualified name there. */
export type JobJson = Omit<JobFacts, 'queue'> & { readonly queueQualifiedName: string };

/** `<prefix>:<queue>`, by which all programs that share a store know a queue. */
export function qualifiedName(prefix: string, queue: string): string {
  return `${prefix}:${queue}`;
}

/** A job as it is shown to those who read it: also where it is. */
export type ReadJobJson = JobJson & Pick<Job, 'state'>;

export function jobJson(job: JobFacts, prefix: string): JobJson {
  const { failedReason, processedOn, finishedOn } = job;
  return {
    id: job.id,
    name: job.name,
    data: job.data,
    opts: job.opts,
    progress: job.progress,
    returnvalue: job.returnvalue,
    ...(failedReason !== undefined && { failedReason }),
    stacktrace: job.stacktrace,
    attemptsStarted: job.attemptsStarted,
    attemptsMade: job.attemptsMade,
    delay: job.delay,
    timestamp: job.timestamp,
    ...(processedOn !== undefined && { processedOn }),
    ...(finishedOn !== undefined && { finishedOn }),
    queueQualifiedName: qualifiedName(prefix, job.queue),
  };
}

export function readJobJson(job: Job, prefix: string): ReadJobJson {
  return Object.assign(jobJson(job, prefix), { state: job.state });
}

/** A job as the answer to its add has it: one that stands for the deduplication id is marked. */
export type AddedJobJson = (JobJson | Pick<JobJson, 'id'>) & Pick<AddedJob, 'deduplicated'>;

/** Of an existing job that is too large for the answer no more than its id is known. */
export function addedJobJson(job: AddedJob, prefix: string): AddedJobJson {
  const json = job.queue === undefined ? { id: job.id } : jobJson(job as JobFacts, prefix);
  return job.deduplicated === undefined ? json : { ...json, deduplicated: true };
}
