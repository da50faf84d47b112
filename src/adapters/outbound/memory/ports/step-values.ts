import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { NewStep } from '../../../../domain/steps/step.ts';
import { readPieces } from '../records/value-reading.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { stepRecordId } from '../state/stored-jobs.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import type { StoredTexts } from '../state/stored-texts.ts';

/** Texts of which one read has the records, at most. */
const MOST_AT_ONCE = 1000;

/** Texts of a queue in memory or on a disk; undefined in place of one that is gone. */
export async function readTexts(
  { values }: StoredQueue,
  texts: StoredTexts,
  ids: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const inMemory = ids.map((id) => texts.find(id));
  if (inMemory.every((text) => text !== undefined)) return inMemory;
  const read: (string | undefined)[] = [];
  const pieces = readPieces<string, string, string | undefined, string | undefined>(values, ids, {
    kind: texts.reading,
    most: MOST_AT_ONCE,
    elsewhere: (id) => (texts.find(id) === undefined ? id : undefined),
    show: (id, found) => texts.find(id) ?? found,
    sizeOf: (text) => text?.length ?? 0,
  });
  for await (const piece of pieces) read.push(...piece);
  return read;
}

/** The values of steps of a job, as a call carries them. @param steps with the numbers of the values. */
export async function stepsOfCall(
  store: MemoryStore,
  queue: QueueName,
  jobId: string,
  steps: readonly { readonly name: string; readonly number: number }[],
): Promise<readonly NewStep[]> {
  const found = store.open(queue);
  const ids = steps.map(({ number }) => stepRecordId(jobId, number));
  const values = await readTexts(found, found.jobs.steps, ids);
  return steps.flatMap(({ name }, index) => {
    const value = values[index];
    return value === undefined ? [] : [{ name, value }];
  });
}
