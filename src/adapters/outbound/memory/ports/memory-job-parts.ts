/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { JobPartPort } from '../../../../application/ports/job-part-port.ts';
import { lastStatusOf } from '../../../../domain/attempts/attempt-record.ts';
import { summarizedReason, type JobSummary } from '../../../../domain/jobs/job-summary.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { optionsOf, type JobRecord } from '../../../../domain/records/job-record.ts';
import { dueAtOf } from '../../../../domain/steps/suspension.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { JobReading, readJob } from './job-reading.ts';

/** Parts of the jobs in the memory of this process. */
export function memoryJobParts(store: MemoryStore): JobPartPort {
  async function* summaries(
    queue: QueueName,
    ids: readonly string[],
  ): AsyncGenerator<readonly JobSummary[]> {
    const found = store.find(queue);
    const pieces = found === undefined ? [] : new JobReading(found).pieces(ids, () => 0);
    for await (const jobs of pieces) yield jobs.map(summary);
  }
  return {
    summaries,
    list: async (queue, query) => {
      const { listed } = store.peek(queue).jobs;
      const ids = listed.slice(query).map(({ id }) => id);
      return { counts: listed.counts(), jobs: summaries(queue, ids) };
    },
    value: async (queue, id, value) => {
      const job = await readJob(store, { queue, id });
      return job && Buffer.from(job[value]);
    },
  };
}

function summary(job: JobRecord): JobSummary {
  const opts = optionsOf(job);
  const state = job.status ?? 'waiting';
  const { parent, failedReason, progress } = job;
  const number: unknown = progress.length <= 32 ? JSON.parse(progress) : undefined;
  return {
    id: job.id,
    name: job.name,
    state,
    timestamp: job.timestamp,
    processedOn: job.processedOn ?? null,
    finishedOn: job.finishedOn ?? null,
    dueAt: state === 'delayed' && job.position ? (dueAtOf(job.position.rank) ?? null) : null,
    priority: job.priority,
    attemptsMade: job.attemptsMade,
    attempts: opts.attempts,
    progress: typeof number === 'number' ? number : null,
    failedReason: failedReason === undefined ? null : summarizedReason(failedReason),
    lastStatus: lastStatusOf(job.attempts.at(-1), job.finishedOn ?? null),
    group: job.group?.id ?? null,
    parent: parent === undefined ? null : { queue: parent.queue, id: parent.id },
    dataSize: Buffer.byteLength(job.data),
  };
}
