import { setImmediate } from 'node:timers/promises';
import type { ForgottenSteps, SteppedJobs } from '../../../../application/ports/erasure-port.ts';
import { hasAll, type ErasureFilter } from '../../../../domain/jobs/erasure.ts';
import type { ActionOutcome } from '../../../../domain/jobs/job-actions.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { clearSteps } from '../../../../domain/transitions/steps.ts';
import { parsedJson } from '../../../../domain/values/json.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { memorySteps } from './memory-steps.ts';
import { QueueSteps } from './queue-steps.ts';

/** Signals that are read at once: each may have 64 kB. */
const AT_ONCE = 100;

const MISSING: ActionOutcome = { kind: 'missing' };

/** Erases the steps of some jobs, and what matches a filter by data of the steps of others and of kept signals. */
export async function eraseSteps(
  store: MemoryStore,
  name: QueueName,
  { erased, others }: SteppedJobs,
  filter: ErasureFilter,
): Promise<ForgottenSteps> {
  const queue = store.find(name);
  if (queue === undefined) return { steps: 0, signals: 0 };
  const ports = memorySteps(store);
  const clear = new QueueSteps(store).onWhole(
    (found, now, id: string, names: readonly string[]) => clearSteps(found, id, names, now),
    MISSING,
  );
  const fields = filter.kind === 'data' ? filter.fields : undefined;
  const matches = (text: string): boolean => hasAll(fields ?? [], parsedJson(text));
  const gone = new Set(erased);
  let steps = 0;
  for (const id of fields === undefined ? erased : [...erased, ...others]) {
    if ((queue.jobs.find(id)?.lastStep ?? 0) === 0) continue;
    const saved = (await ports.list(name, id)) ?? [];
    const found = saved.filter(({ value }) => gone.has(id) || matches(value));
    const names = found.map((step) => step.name);
    if (names.length === 0) continue;
    const { kind } = await (gone.has(id) ? ports.remove(name, id) : clear(name, id, names));
    if (kind === 'done') steps += names.length;
    await setImmediate();
  }
  return { steps, signals: fields === undefined ? 0 : await eraseSignals(store, queue, matches) };
}

async function eraseSignals(
  store: MemoryStore,
  { signals }: StoredQueue,
  matches: (text: string) => boolean,
): Promise<number> {
  let count = 0;
  for (const keys of piecesOf([...signals.ids()], AT_ONCE)) {
    const bodies = await signals.bodies.read(keys);
    store.run(() => {
      for (const [key, body] of bodies) {
        if (body !== undefined && matches(body) && signals.remove(key)) count += 1;
      }
    });
    await setImmediate();
  }
  return count;
}
