import { hasEnded } from '../../../../domain/records/job-record.ts';
import type { JobLists } from './job-lists.ts';
import type { StoredJob } from './stored-job.ts';

/**
 * The jobs of a queue that wait, in the order in which they were added. It is made once the queue is asked for the
 * oldest one, which most never are.
 */
export class UnstartedByAge {
  readonly #in: JobLists['of'];
  readonly #find: (id: string) => StoredJob | undefined;
  /** Some may have started or ended since; those that wait again after they ended are missing. */
  #ids: Set<string> | undefined;

  constructor(lists: JobLists['of'], find: (id: string) => StoredJob | undefined) {
    this.#in = lists;
    this.#find = find;
  }

  add(id: string): void {
    this.#ids?.add(id);
  }

  remove(id: string): void {
    this.#ids?.delete(id);
  }

  oldest(): StoredJob | undefined {
    const { waiting, delayed } = this.#in;
    if (waiting.size + delayed.size === 0) return undefined;
    return this.#first() ?? this.#firstAnew();
  }

  #first(): StoredJob | undefined {
    const ids = this.#ids;
    if (ids === undefined) return undefined;
    for (const id of ids) {
      const job = this.#find(id);
      if (job !== undefined && isUnstarted(job)) return job;
      if (job === undefined || hasEnded(job)) ids.delete(id);
    }
    return undefined;
  }

  #firstAnew(): StoredJob | undefined {
    const { waiting, delayed, active } = this.#in;
    const jobs = [waiting, delayed, active].flatMap((list) => list.fromFirst(Infinity));
    jobs.sort((one, other) => one.timestamp - other.timestamp);
    this.#ids = new Set(jobs.map(({ id }) => id));
    return this.#first();
  }
}

function isUnstarted({ status }: StoredJob): boolean {
  return status === 'waiting' || status === 'delayed';
}
