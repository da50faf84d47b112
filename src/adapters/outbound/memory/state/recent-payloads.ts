import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { ValueKey } from '../records/value-key.ts';
import type { LeavingValue } from './leaving-value.ts';
import { lengthOfHistory } from '../records/job-history.ts';
import type { StoredJob } from './stored-job.ts';

/** About how many bytes a whole job takes beside its payload. */
const OVERHEAD = 200;

/** How many bytes of values of jobs that have not ended stay in memory: 16 MB. */
export const RECENT_BYTES = 16 * 1_048_576;

/** A job or a value, which may leave the memory. */
type Owner = Pick<StoredJob, 'shrink'>;

interface KeptOwner extends ValueKey {
  bytes: number;
}

/**
 * The values that are on a disk, of jobs that have not ended: their payloads, and what their children returned. The
 * newest stay in memory, so that a job which is claimed soon after it was added is not read.
 */
export class RecentPayloads {
  /** Each with its size, the oldest first. */
  readonly #kept = new Map<Owner, KeptOwner>();
  readonly #most: number;
  readonly #isStored: (key: ValueKey) => boolean;
  #bytes = 0;
  /**
   * Where the oldest one is, since all before it were removed. To begin anew each time would pass over the places of those
   * that were removed, which a Map keeps until it has many of them.
   */
  #oldest: Iterator<readonly [Owner, KeptOwner]> | undefined;

  /** @param isStored whether all values of an owner are on a disk as they are now. */
  constructor(most: number, isStored: (key: ValueKey) => boolean) {
    this.#most = most;
    this.#isStored = isStored;
  }

  /** Keeps that of a job, which has not ended. Those of others leave the memory with {@link makeRoom}, the oldest first. */
  keep(queue: QueueName, job: StoredJob): void {
    if (!job.isWhole) this.forget(job);
    else {
      const length = job.data.length + job.opts.length + lengthOfHistory(job.history);
      this.#keep(job, length, 'job', queue, job.id);
    }
  }

  /** The same of another value. */
  keepValue(
    { of, queue, id }: ValueKey,
    value: Pick<LeavingValue<unknown>, 'isWhole' | 'length' | 'shrink'>,
  ): void {
    if (value.isWhole) this.#keep(value, value.length, of, queue, id);
    else this.forget(value);
  }

  /** Keeps of an owner what others need of it. */
  shrink(owner: Owner): void {
    this.forget(owner);
    owner.shrink();
  }

  forget(owner: Owner): void {
    const kept = this.#kept.get(owner);
    if (kept === undefined) return;
    this.#bytes -= kept.bytes;
    this.#kept.delete(owner);
  }

  /**
   * To be called once no step waits for one of them. What changed since it was stored stays until it is stored again,
   * and is kept anew.
   */
  makeRoom(): void {
    while (this.#bytes > this.#most && this.#kept.size > 0) {
      this.#oldest ??= this.#kept.entries();
      const next = this.#oldest.next();
      if (next.done === true) {
        this.#oldest = undefined;
        continue;
      }
      const [owner, key] = next.value;
      if (this.#isStored(key)) this.shrink(owner);
      else this.forget(owner);
    }
  }

  /** An owner that is kept by now stays in its place. The parts of its key make no object then: each write calls this. */
  #keep(owner: Owner, length: number, of: ValueKey['of'], queue: QueueName, id: string): void {
    const bytes = OVERHEAD + length;
    const kept = this.#kept.get(owner);
    this.#bytes += bytes - (kept?.bytes ?? 0);
    if (kept === undefined) this.#kept.set(owner, { of, queue, id, bytes });
    else kept.bytes = bytes;
  }
}
