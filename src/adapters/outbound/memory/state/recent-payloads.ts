import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoredJob } from './stored-job.ts';

/** About how many bytes a whole job takes beside its payload. */
const OVERHEAD = 200;

/** How many bytes of payloads of jobs that have not ended stay in memory: 16 MB. */
export const RECENT_BYTES = 16 * 1_048_576;

/**
 * The payloads of jobs that have not ended and are on a disk: the newest stay in memory, so that a job that is claimed
 * soon after it was added is not read.
 */
export class RecentPayloads {
  /** The queue and the size of each, the oldest first. */
  readonly #kept = new Map<StoredJob, { readonly queue: QueueName; readonly bytes: number }>();
  readonly #most: number;
  readonly #isStored: (queue: QueueName, jobId: string) => boolean;
  #bytes = 0;
  /**
   * Where the oldest one is, since all before it were removed. To begin anew each time would pass over the places of those
   * that were removed, which a Map keeps until it has many of them.
   */
  #oldest: Iterator<readonly [StoredJob, { readonly queue: QueueName }]> | undefined;

  /** @param isStored whether all of a job is on a disk as it is now. */
  constructor(most: number, isStored: (queue: QueueName, jobId: string) => boolean) {
    this.#most = most;
    this.#isStored = isStored;
  }

  /** Keeps that of a job, which has not ended, as the newest. Those of others leave the memory with {@link makeRoom}. */
  keep(queue: QueueName, job: StoredJob): void {
    this.forget(job);
    if (!job.isWhole) return;
    const bytes = OVERHEAD + job.data.length + job.opts.length + lengthOf(job.logs);
    this.#kept.set(job, { queue, bytes });
    this.#bytes += bytes;
  }

  /** Keeps of a job what others need of it. */
  shrink(job: StoredJob): void {
    this.forget(job);
    job.shrink();
  }

  forget(job: StoredJob): void {
    this.#bytes -= this.#kept.get(job)?.bytes ?? 0;
    this.#kept.delete(job);
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
      const [job, { queue }] = next.value;
      if (this.#isStored(queue, job.id)) this.shrink(job);
      else this.forget(job);
    }
  }
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}
