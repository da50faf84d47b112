import type { AddedOnce, RepeatableJobs } from '../../../../application/ports/queue-port.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import { MAX_EXISTING_BYTES, type AddedJob, type NewJob } from '../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Addition, QueueJobs } from './queue-jobs.ts';
import type { ChangesOfQueue } from './record-changes.ts';
import { RememberedAdds, type RememberedAdd, type RememberedJob } from './remembered-adds.ts';
import { addedJob, existingJob, shownBytes, storedJob } from './stored-job.ts';

/** Adds jobs to one queue, and returns them as the answer to the add shows them. */
export class QueueAdding {
  readonly #jobs: QueueJobs;
  readonly #queue: QueueName;
  readonly remembered: RememberedAdds;

  constructor(jobs: QueueJobs, queue: QueueName, changes: ChangesOfQueue) {
    this.#jobs = jobs;
    this.#queue = queue;
    this.remembered = new RememberedAdds(changes);
  }

  add(
    jobs: readonly NewJob[],
    maxWaiting: number | undefined,
    now: number,
    maxWaitingOfGroup?: number,
  ): readonly AddedJob[] {
    return this.#shown(jobs, this.#jobs.add(jobs, maxWaiting, now, maxWaitingOfGroup));
  }

  addOnce(add: RepeatableJobs, identity: AddIdentity, now: number): AddedOnce {
    const known = this.recall(add, identity, now);
    if (known !== undefined) return known;
    const { jobs, defaults, maxWaiting, maxWaitingOfGroup } = add;
    const firstId = this.#jobs.nextId;
    const additions = this.#jobs.add(jobs, maxWaiting, now, maxWaitingOfGroup);
    const existing = new Map<number, RememberedJob>();
    additions.forEach(({ id, existed, isDeduplicated }, position) => {
      if (existed) existing.set(position, { id, isDeduplicated });
    });
    const { body } = identity;
    this.remembered.remember(identity, { body, defaults, timestamp: now, firstId, existing }, now);
    return { kind: 'added', jobs: this.#shown(jobs, additions) };
  }

  recall({ madeWith }: RepeatableJobs, identity: AddIdentity, now: number): AddedOnce | undefined {
    const known = this.remembered.find(identity.key, now);
    if (known === undefined) return undefined;
    if (known.body !== identity.body) return { kind: 'other' };
    const jobs = madeWith(known.defaults);
    return { kind: 'repeated', jobs: this.#shown(jobs, this.#recalled(jobs, known)) };
  }

  /** The jobs of an add as it stored them; those that had existed are shown as they are now. */
  #recalled(
    jobs: readonly NewJob[],
    { timestamp, firstId, existing }: RememberedAdd,
  ): readonly Addition[] {
    return jobs.map((job, position) => {
      const id = job.opts.jobId ?? String(firstId + position);
      const known = existing.get(position);
      if (known !== undefined) {
        return { ...known, stored: undefined, existed: true };
      }
      const stored = storedJob(id, job, timestamp);
      return { id, stored, existed: false, isDeduplicated: false };
    });
  }

  /** Jobs that existed are shown as they are now: a later job of the same add may have replaced one. */
  #shown(jobs: readonly NewJob[], additions: readonly Addition[]): readonly AddedJob[] {
    const existing = additions
      .filter(({ existed }) => existed)
      .map(({ id }) => ({ id, stored: this.#jobs.find(id) }));
    const bytes = existing.reduce((sum, { stored }) => sum + (stored ? shownBytes(stored) : 0), 0);
    const repeated = new Map<string, AddedJob>();
    for (const { id, stored } of existing) {
      if (repeated.has(id)) continue;
      const isShown = stored !== undefined && bytes <= MAX_EXISTING_BYTES;
      repeated.set(id, isShown ? existingJob(stored, this.#queue) : { id });
    }
    return additions.map(({ id, stored, existed, isDeduplicated }, index) => {
      if (existed || stored === undefined) {
        const known = repeated.get(id) ?? { id };
        return isDeduplicated ? { ...known, deduplicated: true } : { ...known, existed: true };
      }
      return addedJob(stored, jobs[index] as NewJob, this.#queue);
    });
  }
}
