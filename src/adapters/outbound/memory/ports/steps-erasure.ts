import { setImmediate } from 'node:timers/promises';
import type { ForgottenSteps, SteppedJobs } from '../../../../application/ports/erasure-port.ts';
import { hasAll, type ErasureFilter } from '../../../../domain/jobs/erasure.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { clearSteps, forgetSteps } from '../../../../domain/transitions/steps.ts';
import { parsedJson } from '../../../../domain/values/json.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredJob } from '../state/stored-job.ts';
import { stepRecordId } from '../state/stored-jobs.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { JobReading } from './job-reading.ts';
import { readTexts } from './step-values.ts';

/** Jobs whose steps one step of the store examines, and signals that are read at once. */
const AT_ONCE = 100;

type Matches = (text: string | undefined) => boolean;

/** Erases the steps of some jobs, and what matches a filter by data of the steps of others and of kept signals. */
export async function eraseSteps(
  store: MemoryStore,
  name: QueueName,
  { erased: ids, others }: SteppedJobs,
  filter: ErasureFilter,
): Promise<ForgottenSteps> {
  const queue = store.find(name);
  if (queue === undefined) return { steps: 0, signals: 0 };
  const matches: Matches = (text) =>
    filter.kind === 'data' && text !== undefined && hasAll(filter.fields, parsedJson(text));
  const erased = new Set(ids);
  let steps = 0;
  const stepped = [...ids, ...others].filter((id) => (queue.jobs.find(id)?.lastStep ?? 0) > 0);
  for (const some of piecesOf(stepped, AT_ONCE)) {
    steps += await eraseOf(store, queue, some, erased, matches);
    await setImmediate();
  }
  const signals = filter.kind === 'data' ? await eraseSignals(store, queue, matches) : 0;
  return { steps, signals };
}

async function eraseOf(
  store: MemoryStore,
  queue: StoredQueue,
  ids: readonly string[],
  erased: ReadonlySet<string>,
  matches: Matches,
): Promise<number> {
  const values = new Map<string, string | undefined>();
  for await (const jobs of new JobReading(queue).pieces(ids)) {
    for (const { id, steps } of jobs) {
      if (erased.has(id)) continue;
      const records = steps.map(({ number }) => stepRecordId(id, number));
      const texts = await readTexts(queue, queue.jobs.steps, records);
      for (const [index, record] of records.entries()) values.set(record, texts[index]);
    }
  }
  let count = 0;
  const erase = (job: StoredJob): void => {
    if (job.status === 'active') return;
    const cleared = erased.has(job.id)
      ? job.steps
      : job.steps.filter(({ number }) => matches(values.get(stepRecordId(job.id, number))));
    count += cleared.length;
    if (erased.has(job.id)) forgetSteps(queue, job);
    else clearSteps(queue, job, cleared);
  };
  await new JobReading(queue).eachWhole(ids, (jobs) => {
    store.run(() => {
      for (const job of jobs) erase(job);
    });
  });
  return count;
}

async function eraseSignals(
  store: MemoryStore,
  queue: StoredQueue,
  matches: Matches,
): Promise<number> {
  let count = 0;
  for (const keys of piecesOf([...queue.signals.all.keys()], AT_ONCE)) {
    const bodies = await readTexts(queue, queue.signals.bodies, keys);
    store.run(() => {
      for (const [index, key] of keys.entries()) {
        if (matches(bodies[index]) && queue.signals.forget(key)) count += 1;
      }
    });
    await setImmediate();
  }
  return count;
}
