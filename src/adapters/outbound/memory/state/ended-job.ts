import type { JobGroup } from '../../../../domain/groups/job-group.ts';
import type { ListedJob, ParentLink, Position } from '../../../../domain/records/job-record.ts';
import type { EndedState } from '../../../../domain/jobs/job-status.ts';
import type { Children } from './children.ts';
import type { StoredJob } from './stored-job.ts';

/** The fields that only few jobs have. */
interface Ties extends Pick<ListedJob, 'group' | 'deduplicationId' | 'schedulerId' | 'parent'> {
  readonly children: Children | undefined;
  /** Of a job with a parent. */
  readonly name?: string;
  readonly hasLogs: boolean;
}

/** The part of an ended job that stays in memory. */
type Kept = ListedJob &
  Pick<StoredJob, 'name' | 'redactedOn'> & { readonly children?: Children | undefined };

/**
 * A job that ended, without what only a retry and people need: that is on a disk. There may be millions of them, so it
 * is its own position, and what few of them have is apart.
 */
export class EndedJob implements ListedJob, Position {
  readonly id: string;
  readonly status: EndedState;
  readonly rank: number;
  readonly order: number;
  readonly finishedOn: number;
  readonly isRedacted: boolean;
  #ties: Ties | undefined;

  /** @param job with `finishedOn` and a position. */
  constructor(job: Kept, status: EndedState, hasLogs: boolean) {
    const { id, finishedOn = 0, position = { rank: 0, order: 0 } } = job;
    this.id = id;
    this.status = status;
    this.rank = position.rank;
    this.order = position.order;
    this.finishedOn = finishedOn;
    this.isRedacted = job.redactedOn !== undefined;
    this.#ties = tiesOf(job, hasLogs);
  }

  get position(): Position {
    return this;
  }

  get group(): JobGroup | undefined {
    return this.#ties?.group;
  }

  get deduplicationId(): string | undefined {
    return this.#ties?.deduplicationId;
  }

  get schedulerId(): string | undefined {
    return this.#ties?.schedulerId;
  }

  get parent(): ParentLink | undefined {
    return this.#ties?.parent;
  }

  get children(): Children | undefined {
    return this.#ties?.children;
  }

  /** Of a job with a parent; undefined for others. */
  get name(): string | undefined {
    return this.#ties?.name;
  }

  get hasLogs(): boolean {
    return this.#ties?.hasLogs === true;
  }

  noteName(name: string): void {
    if (this.#ties?.parent !== undefined) this.#ties = { ...this.#ties, name };
  }

  noteLogs(): void {
    this.#ties = { children: undefined, ...this.#ties, hasLogs: true };
  }
}

/** A job in memory, whole or not. */
export type KnownJob = StoredJob | EndedJob;

/** Whether the values of a job that ended are gone. */
export function isRedacted(job: KnownJob): boolean {
  return isWhole(job) ? job.redactedOn !== undefined : job.isRedacted;
}

/** Whether all of a job is in memory. */
export function isWhole(job: KnownJob): job is StoredJob {
  return !(job instanceof EndedJob);
}

function tiesOf(job: Kept, hasLogs: boolean): Ties | undefined {
  const { name, group, deduplicationId, schedulerId, parent, children } = job;
  const ties = { group, deduplicationId, schedulerId, parent, children };
  const isTied = Object.values(ties).some((tie) => tie !== undefined);
  if (!isTied && !hasLogs) return undefined;
  return { ...ties, hasLogs, ...(parent && { name }) };
}
