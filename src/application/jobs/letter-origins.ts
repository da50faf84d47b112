import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import { originOfLetter, type LetterOrigin, type ShownOrigin } from '../../domain/jobs/letter.ts';
import type { JobState } from '../../domain/jobs/job-status.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { piecesOf } from '../../domain/values/pieces.ts';
import type { JobScanPort } from '../ports/job-scan-port.ts';
import type { Pieces } from '../ports/queue-port.ts';

/** How many originals of a queue are looked up at once. */
const AT_ONCE = 1000;

/** A job as it is read, with its original if it is a letter. */
export interface WithOrigin {
  readonly job: Job;
  readonly origin: ShownOrigin | undefined;
}

/** Finds where the originals of letters are now: the jobs that letters in dead letter queues are copies of. */
export class LetterOrigins {
  readonly #scan: Pick<JobScanPort, 'look'>;

  constructor(scan: Pick<JobScanPort, 'look'>) {
    this.#scan = scan;
  }

  /**
   * The jobs with their originals; jobs that are no letters cost nothing.
   *
   * @param mayUse in which queues the caller may learn where a job is.
   * @throws DomainError `store-unavailable`.
   */
  async of(
    jobs: readonly Job[],
    mayUse: (queue: string) => boolean,
  ): Promise<readonly WithOrigin[]> {
    const origins = jobs.map(({ opts }) => originOfLetter(opts));
    const states = await this.#states(origins.filter((origin) => origin && mayUse(origin.queue)));
    return jobs.map((job, index) => {
      const origin = origins[index];
      return { job, origin: origin && shown(origin, states.get(keyOf(origin)) ?? null) };
    });
  }

  /** The same of the jobs of a list. Those in later pieces are looked up as their piece is read. */
  async ofPieces(
    pieces: Pieces<Job>,
    mayUse: (queue: string) => boolean,
  ): Promise<Pieces<WithOrigin>> {
    if (!(Symbol.asyncIterator in pieces)) return [await this.of(pieces[0], mayUse)];
    return this.#later(pieces, mayUse);
  }

  async *#later(
    pieces: AsyncIterable<readonly Job[]>,
    mayUse: (queue: string) => boolean,
  ): AsyncGenerator<readonly WithOrigin[]> {
    for await (const piece of pieces) yield this.of(piece, mayUse);
  }

  async #states(
    origins: readonly (LetterOrigin | undefined)[],
  ): Promise<ReadonlyMap<string, JobState>> {
    const idsOf = new Map<QueueName, Set<string>>();
    for (const origin of origins) {
      if (origin === undefined) continue;
      keptOrMade(idsOf, origin.queue, () => new Set()).add(origin.id);
    }
    const states = new Map<string, JobState>();
    for (const [queue, ids] of idsOf) {
      for (const some of piecesOf([...ids], AT_ONCE)) {
        for await (const found of this.#scan.look(queue, some, [])) {
          for (const { id, state } of found) states.set(keyOf({ queue, id }), state);
        }
      }
    }
    return states;
  }
}

/** The name of a queue has no colon. */
function keyOf({ queue, id }: Pick<LetterOrigin, 'queue' | 'id'>): string {
  return `${queue}:${id}`;
}

function shown({ queue, id, failedReason }: LetterOrigin, state: JobState | null): ShownOrigin {
  return { queue, id, failedReason: failedReason ?? null, state };
}
