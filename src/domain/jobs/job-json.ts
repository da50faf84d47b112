import { isObject } from '../values/json.ts';
import { shownOptions } from './shown-options.ts';
import type { AddedJob, Job, JobFacts } from './job.ts';
import type { JobOptions } from './job-options.ts';
import { originOfLetter, type ShownOrigin } from './letter.ts';

/** A job as the API returns it (specification, "JobJson"), with the qualified name of its queue. */
export type JobJson = Omit<JobFacts, 'queue' | 'calledBack'> & {
  /** Whether its values were removed; absent while it has them. */
  readonly redacted?: true;
  /** The priority of its options; absent when it has none. */
  readonly priority?: number;
  /** The deduplication id of its options; absent when it has none. */
  readonly deduplicationId?: string;
  readonly queueQualifiedName: string;
  /** Of a letter: the options of the job that it is a copy of, which a redrive restores. */
  readonly originOpts?: Partial<JobOptions>;
};

/** `<prefix>:<queue>`, the name of a queue for all programs that share the store. */
export function qualifiedName(prefix: string, queue: string): string {
  return `${prefix}:${queue}`;
}

/** A job as readers get it, including its state, and if it is a letter its original. */
export type ReadJobJson = JobJson & Pick<Job, 'state'> & { readonly origin?: ShownOrigin };

export function jobJson(job: JobFacts, prefix: string): JobJson {
  const { failedReason, processedOn, finishedOn, redactedOn } = job;
  const { opts, originOpts } = asLetter(job.opts);
  const priority = priorityOf(opts);
  const deduplicationId = deduplicationIdOf(opts);
  return {
    id: job.id,
    name: job.name,
    data: job.data,
    opts: shownOptions(opts),
    progress: job.progress,
    returnvalue: job.returnvalue,
    ...(failedReason !== undefined && { failedReason }),
    stacktrace: job.stacktrace,
    attemptsStarted: job.attemptsStarted,
    attemptsMade: job.attemptsMade,
    delay: job.delay,
    ...(priority !== undefined && { priority }),
    ...(deduplicationId !== undefined && { deduplicationId }),
    timestamp: job.timestamp,
    ...(processedOn !== undefined && { processedOn }),
    ...(finishedOn !== undefined && { finishedOn }),
    ...(redactedOn !== undefined && { redacted: true as const, redactedOn }),
    queueQualifiedName: qualifiedName(prefix, job.queue),
    ...(originOpts !== undefined && { originOpts: shownOptions(originOpts) }),
  };
}

/** The options of a job, and those of its original, which its option `origin` has if it is a letter. */
function asLetter(opts: JobOptions): Pick<JobJson, 'opts' | 'originOpts'> {
  const origin = originOfLetter(opts);
  if (origin?.opts === undefined) return { opts };
  const { opts: originOpts, ...rest } = origin;
  return { opts: { ...opts, origin: rest }, originOpts };
}

/** Other producers may have stored any value as options, and in each of them. */
function priorityOf(opts: unknown): number | undefined {
  const priority = isObject(opts) ? opts['priority'] : undefined;
  return typeof priority === 'number' && priority > 0 ? priority : undefined;
}

function deduplicationIdOf(opts: unknown): string | undefined {
  const deduplication = isObject(opts) ? opts['deduplication'] : undefined;
  const id = isObject(deduplication) ? deduplication['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

export function readJobJson(
  job: Job,
  origin: ShownOrigin | undefined,
  prefix: string,
): ReadJobJson {
  const { state } = job;
  return Object.assign(jobJson(job, prefix), origin === undefined ? { state } : { state, origin });
}

/** A job in the answer to its add. A job that stands for the deduplication id is marked. */
export type AddedJobJson = (JobJson | Pick<JobJson, 'id'>) & Pick<AddedJob, 'deduplicated'>;

/** For an existing job that is too large for the answer, only its id is known. */
export function addedJobJson(job: AddedJob, prefix: string): AddedJobJson {
  const json = job.queue === undefined ? { id: job.id } : jobJson(job as JobFacts, prefix);
  return job.deduplicated === undefined ? json : { ...json, deduplicated: true };
}
