import { MOST_REMEMBERED, type AddIdentity } from '../jobs/add-identity.ts';
import type { NewJob } from '../jobs/job.ts';
import type { PolicyDefaults } from '../policies/policy.ts';
import { newJobRecord } from '../records/job-record.ts';
import { isForgotten, type RememberedAdd, type RememberedJob } from '../records/remembered-add.ts';
import { addJobs, nextId, type Addition, type MadeJobs, type RoomForAdd } from './add.ts';
import { inOneStep } from './in-one-step.ts';
import type { QueueState, RememberedAdds } from './queue-state.ts';

/** The add that the queue remembers under a key; undefined when it remembers none. */
export function rememberedAdd(
  adds: RememberedAdds,
  key: string,
  now: number,
): RememberedAdd | undefined {
  const add = adds.find(key);
  return add === undefined || isForgotten(add, now) ? undefined : add;
}

/**
 * Adds the jobs as `addJobs` does, and remembers the add. To be called when the queue remembers none of that key.
 *
 * @param defaults those that the jobs were created with.
 * @param made as in `addJobs`.
 */
export function addOnce(
  queue: QueueState,
  jobs: readonly NewJob[],
  room: RoomForAdd,
  { key, body }: AddIdentity,
  defaults: PolicyDefaults,
  now: number,
  made?: MadeJobs,
): readonly Addition[] {
  const firstId = made?.first ?? nextId(queue);
  const additions = addJobs(queue, jobs, room, now, made);
  const existing = new Map<number, RememberedJob>();
  additions.forEach(({ id, existed, isDeduplicated }, position) => {
    if (existed) existing.set(position, { id, isDeduplicated });
  });
  const timestamp = made?.at ?? now;
  rememberAdd(queue.adds, key, { body, defaults, timestamp, firstId, existing }, now);
  return additions;
}

/** Remembers a flow that was added just now, in the queue of its first job, an add to several queues, or a signal. */
export function rememberOther(
  queue: QueueState,
  { key, body }: AddIdentity,
  other: Partial<Pick<RememberedAdd, 'flow' | 'origin' | 'woken' | 'existing'>>,
  now: number,
): void {
  const add = { body, defaults: {}, timestamp: now, firstId: 0, existing: new Map(), ...other };
  rememberAdd(queue.adds, key, add, now);
}

/**
 * The jobs of a remembered add as it stored them.
 *
 * @param jobs made with the defaults of that add.
 */
export function recalled(
  jobs: readonly NewJob[],
  { timestamp, firstId, existing }: RememberedAdd,
): readonly Addition[] {
  return jobs.map((job, position) => {
    const known = existing.get(position);
    if (known !== undefined) return { ...known, stored: undefined, existed: true };
    const id = job.opts.jobId ?? String(firstId + position);
    const stored = newJobRecord(id, job, timestamp);
    return { id, stored, existed: false, isDeduplicated: false };
  });
}

/** Remembers an add. Forgets the oldest where there are too many, and those that are too old. */
export function rememberAdd(
  adds: RememberedAdds,
  key: string,
  add: RememberedAdd,
  now: number,
): void {
  adds.remove(key);
  adds.put(key, add);
  for (const [oldestKey, oldestAdd] of inOneStep(() => adds.oldest())) {
    if (adds.pieces <= MOST_REMEMBERED && !isForgotten(oldestAdd, now)) return;
    adds.remove(oldestKey);
  }
}
