import type { Job, JobFacts } from '../jobs/job.ts';
import { optionsOf, type JobRecord } from '../records/job-record.ts';
import type { QueueName } from '../queues/queue-name.ts';
import type { JobOptions } from '../jobs/job-options.ts';
import type { Json } from '../values/json.ts';

/** A job as it is shown and called. */
export function shownJob(record: JobRecord, queue: QueueName): Job {
  const data = JSON.parse(record.data) as Json;
  return Object.assign(jobFacts(data, record, queue), { state: record.status ?? 'waiting' });
}

/** A job without its state. @param data its data, or the text of these. */
export function jobFacts<Data>(
  data: Data,
  record: JobRecord,
  queue: QueueName,
): Omit<JobFacts, 'data'> & { data: Data } {
  const { failedReason, processedOn, finishedOn, calledBack, redactedOn } = record;
  return {
    queue,
    id: record.id,
    name: record.name,
    data,
    opts: shownOptions(record),
    progress: JSON.parse(record.progress) as Json,
    returnvalue: JSON.parse(record.returnvalue) as Json,
    ...(failedReason !== undefined && { failedReason }),
    stacktrace: record.stacktrace === null ? null : [...record.stacktrace],
    attemptsStarted: record.attemptsStarted,
    attemptsMade: record.attemptsMade,
    delay: record.delay,
    timestamp: record.timestamp,
    ...(processedOn !== undefined && { processedOn }),
    ...(finishedOn !== undefined && { finishedOn }),
    ...(calledBack !== undefined && { calledBack }),
    ...(redactedOn !== undefined && { redactedOn }),
  };
}

/**
 * The options that the job was added with, but with its current priority: changing that leaves the stored options
 * alone.
 */
function shownOptions(record: JobRecord): JobOptions {
  const options = optionsOf(record);
  const { priority } = record;
  return priority === (options.priority ?? 0) ? options : { ...options, priority };
}
