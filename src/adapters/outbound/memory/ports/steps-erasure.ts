import { setImmediate } from 'node:timers/promises';
import type { ForgottenSteps, SteppedJobs } from '../../../../application/ports/erasure-port.ts';
import { hasAll, type ErasureFilter } from '../../../../domain/jobs/erasure.ts';
import type { ActionOutcome } from '../../../../domain/jobs/job-actions.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { MOST_REMOVED } from '../../../../domain/transitions/removal.ts';
import { clearSteps } from '../../../../domain/transitions/steps.ts';
import { parsedJson } from '../../../../domain/values/json.ts';
import { boundedPieces, piecesOf } from '../../../../domain/values/pieces.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { memorySteps } from './memory-steps.ts';
import { QueueSteps } from './queue-steps.ts';
import type { Steps } from './steps.ts';

/** Jobs or signals that one step examines, at most: a job may have 1 MB of steps, a signal 64 kB. */
const AT_ONCE = 10;

const MISSING: ActionOutcome = { kind: 'missing' };

/** Erases the steps of some jobs, and what matches a filter by data of the steps of others and of kept signals. */
export async function eraseSteps(
  store: MemoryStore,
  run: Steps,
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
  const stepsOf = (id: string): number => queue.jobs.find(id)?.lastStep ?? 0;
  const gone = new Set(erased);
  const eraseOf = async (id: string): Promise<number> => {
    const saved = (await ports.list(name, id)) ?? [];
    const found = saved.filter(({ value }) => gone.has(id) || matches(value));
    const names = found.map((step) => step.name);
    if (names.length === 0) return 0;
    const { kind } = await (gone.has(id) ? ports.remove(name, id) : clear(name, id, names));
    return kind === 'done' ? names.length : 0;
  };
  let steps = 0;
  const all = fields === undefined ? erased : [...erased, ...others];
  const most = { count: AT_ONCE, size: MOST_REMOVED };
  const pieces = await run.small(() =>
    boundedPieces(
      all.filter((id) => stepsOf(id) > 0),
      stepsOf,
      most,
    ),
  );
  for (const ids of pieces) {
    await run.piece(async () => {
      for (const id of ids) steps += await eraseOf(id);
    });
    await setImmediate();
  }
  const signals = fields === undefined ? 0 : await eraseSignals(store, run, queue, matches);
  return { steps, signals };
}

async function eraseSignals(
  store: MemoryStore,
  run: Steps,
  { signals }: StoredQueue,
  matches: (text: string) => boolean,
): Promise<number> {
  let count = 0;
  for (const keys of piecesOf([...signals.ids()], AT_ONCE)) {
    count += await run.small(async () => {
      const bodies = await signals.bodies.read(keys);
      const matching = keys.filter((key) => matches(bodies.get(key) ?? ''));
      return store.run(() => matching.filter((key) => signals.remove(key)).length);
    });
    await setImmediate();
  }
  return count;
}
