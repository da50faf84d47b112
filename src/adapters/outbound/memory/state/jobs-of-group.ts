import type { Position } from '../../../../domain/records/job-record.ts';
import type { WaitingOfGroup } from '../../../../domain/transitions/groups-state.ts';
import { SortedTree } from './sorted-tree.ts';
import type { StoredJob } from './stored-job.ts';

/** The waiting jobs of one group, in the order in which they start. */
export class JobsOfGroup implements WaitingOfGroup {
  readonly #jobs = new SortedTree<Position, StoredJob>(
    undefined,
    (a, b) => a.rank - b.rank || a.order - b.order,
  );

  get size(): number {
    return this.#jobs.size;
  }

  first(): StoredJob | undefined {
    const position = this.#jobs.minKey();
    return position && this.#jobs.get(position);
  }

  put(job: StoredJob, position: Position): void {
    job.groupPosition = position;
    this.#jobs.set(position, job);
  }

  remove(job: StoredJob): void {
    if (job.groupPosition !== undefined && this.#jobs.get(job.groupPosition) === job) {
      this.#jobs.delete(job.groupPosition);
    }
  }
}
