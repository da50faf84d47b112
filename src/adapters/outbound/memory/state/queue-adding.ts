import type { AddedOnce, RepeatableJobs } from '../../../../application/ports/queue-port.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import { MAX_EXISTING_BYTES, type AddedJob, type NewJob } from '../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { JobReading } from './job-reading.ts';
import { isStored } from './listed-job.ts';
import type { Addition, QueueJobs } from './queue-jobs.ts';
import type { ChangesOfQueue } from './record-changes.ts';
import { RememberedAdds, type RememberedAdd, type RememberedJob } from './remembered-adds.ts';
import { addedJob, existingJob, shownBytes, storedJob, type StoredJob } from './stored-job.ts';

/** The jobs of an add as its answer shows them; to wait for where a job that existed is on a disk. */
export type ShownJobs = readonly AddedJob[] | Promise<readonly AddedJob[]>;

/** As `AddedOnce`, with such jobs. */
export type ShownOnce =
  | { readonly kind: 'added' | 'repeated'; readonly jobs: ShownJobs }
  | Exclude<AddedOnce, { readonly jobs: unknown }>;

/** Adds jobs to one queue, and returns them as the answer to the add shows them. */
export class QueueAdding {
  readonly #jobs: QueueJobs;
  readonly #queue: QueueName;
  readonly #reading: JobReading;
  readonly remembered: RememberedAdds;

  constructor(jobs: QueueJobs, queue: QueueName, reading: JobReading, changes: ChangesOfQueue) {
    this.#jobs = jobs;
    this.#reading = reading;
    this.#queue = queue;
    this.remembered = new RememberedAdds(changes);
  }

  add(
    jobs: readonly NewJob[],
    maxWaiting: number | undefined,
    now: number,
    maxWaitingOfGroup?: number,
  ): ShownJobs {
    return this.#shown(jobs, this.#jobs.add(jobs, maxWaiting, now, maxWaitingOfGroup));
  }

  addOnce(add: RepeatableJobs, identity: AddIdentity, now: number): ShownOnce {
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

  recall({ madeWith }: RepeatableJobs, identity: AddIdentity, now: number): ShownOnce | undefined {
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
  #shown(jobs: readonly NewJob[], additions: readonly Addition[]): ShownJobs {
    const added = additions.map(({ stored }, index) =>
      stored === undefined ? undefined : addedJob(stored, jobs[index] as NewJob, this.#queue),
    );
    const existing = additions.flatMap(({ id, existed }) => (existed ? [id] : []));
    const answer = (found: readonly StoredJob[]): readonly AddedJob[] => {
      const shown = this.#existing(existing, found);
      return additions.map(({ id, isDeduplicated }, index) => {
        const known = shown.get(id) ?? { id };
        return (
          added[index] ??
          (isDeduplicated ? { ...known, deduplicated: true } : { ...known, existed: true })
        );
      });
    };
    const found = [...new Set(existing)].flatMap((id) => this.#jobs.find(id) ?? []);
    if (found.every(isStored)) return answer(found);
    return this.#readExisting(found.map(({ id }) => id)).then(answer);
  }

  /** @returns none of them once they are more than an answer shows. */
  async #readExisting(ids: readonly string[]): Promise<readonly StoredJob[]> {
    const found: StoredJob[] = [];
    let bytes = 0;
    for await (const piece of this.#reading.pieces(ids)) {
      found.push(...piece);
      bytes += bytesOf(piece);
      if (bytes > MAX_EXISTING_BYTES) return [];
    }
    return found;
  }

  /** The jobs that existed by their ids; none of them when they are too large for an answer. */
  #existing(ids: readonly string[], found: readonly StoredJob[]): ReadonlyMap<string, AddedJob> {
    const byId = new Map(found.map((job) => [job.id, job]));
    const bytes = bytesOf(ids.flatMap((id) => byId.get(id) ?? []));
    if (bytes > MAX_EXISTING_BYTES) return new Map();
    return new Map(found.map((job) => [job.id, existingJob(job, this.#queue)]));
  }
}

function bytesOf(jobs: readonly StoredJob[]): number {
  return jobs.reduce((sum, job) => sum + shownBytes(job), 0);
}
