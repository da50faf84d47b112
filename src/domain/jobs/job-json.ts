import type { AddedJob, Job, JobFacts } from './job.ts';

/** A job as the API returns it (specification, "JobJson"), with the qualified name of its queue. */
export type JobJson = Omit<JobFacts, 'queue'> & { readonly queueQualifiedName: string };

/** `<prefix>:<queue>`, the name of a queue for all programs that share the store. */
export function qualifiedName(prefix: string, queue: string): string {
  return `${prefix}:${queue}`;
}

/** A job as readers get it, including its state. */
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

/** A job in the answer to its add. A job that stands for the deduplication id is marked. */
export type AddedJobJson = (JobJson | Pick<JobJson, 'id'>) & Pick<AddedJob, 'deduplicated'>;

/** For an existing job that is too large for the answer, only its id is known. */
export function addedJobJson(job: AddedJob, prefix: string): AddedJobJson {
  const json = job.queue === undefined ? { id: job.id } : jobJson(job as JobFacts, prefix);
  return job.deduplicated === undefined ? json : { ...json, deduplicated: true };
}
