import { invalidRequest } from '../../domain/errors.ts';
import type { JobState } from '../../domain/jobs/job-status.ts';
import { statusOfFailure } from '../../domain/jobs/failure-cause.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { matchesPush, type PushFilter } from '../../domain/messages/push-filter.ts';
import { PUSH_QUEUE } from '../../domain/messages/push-id.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { JobScanPort, ScannedJob } from '../ports/job-scan-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import { filteredPush, messageOf, type PushedMessage } from './pushed-message.ts';

/** How many steps of the store a page takes at most: one that finds fewer messages says where to go on. */
const STEPS_OF_A_PAGE = 20;

/** Where a page begins: in a queue, at a place of its scan. */
type Place = readonly [queue: QueueName, at: string | null];

export interface PagesQuery {
  /** In their order. */
  readonly queues: readonly QueueName[];
  readonly states: readonly JobState[];
  readonly filter: PushFilter;
  readonly most: number;
  /** That of the page before. */
  readonly cursor?: readonly unknown[] | undefined;
  /** Leaves out messages that match otherwise. */
  readonly isLeftOut?: (message: PushedMessage) => boolean;
}

/** Messages, or the ids of those that were changed, and where those that are left begin, if any are. */
export interface FoundPushes<Found> {
  readonly found: readonly Found[];
  readonly cursor: Place | undefined;
}

export interface PushPage extends FoundPushes<PushedMessage> {
  /** Where the page began: what is left of it is found there again. Undefined for messages that were named. */
  readonly start: Place | undefined;
}

/** Pages of messages over several queues, each in a few short steps of the store. */
export class PushPages {
  readonly #scan: Pick<JobScanPort, 'scan'>;
  readonly #queues: Pick<QueuePort, 'findEach'>;

  constructor({ scan, queues }: { readonly scan: JobScanPort; readonly queues: QueuePort }) {
    this.#scan = scan;
    this.#queues = queues;
  }

  /** @throws DomainError `invalid-request` for a cursor that no page had. */
  async page(query: PagesQuery): Promise<PushPage> {
    const { most, cursor, states } = query;
    const { queue: wanted } = query.filter;
    const queues = query.queues.filter((queue) => wanted?.includes(queue) !== false);
    const first = placeOf(cursor ?? [queues[0] ?? PUSH_QUEUE, null]);
    const messages: PushedMessage[] = [];
    let place: Place | undefined = queues.includes(first[0]) ? first : undefined;
    for (let steps = 0; place !== undefined && steps < STEPS_OF_A_PAGE; steps += 1) {
      const [queue, at]: Place = place;
      const step = await this.#scan.scan(queue, {
        states,
        fields: ['timestamp', 'failedReason', 'answerStatus'],
        cursor: at,
      });
      const { found, examined } = await this.#matching(
        query,
        queue,
        step.jobs,
        most - messages.length,
      );
      messages.push(...found);
      const after = step.cursorAfter(examined);
      const following = queues[queues.indexOf(queue) + 1];
      if (after !== null) place = [queue, after];
      else place = following && [following, null];
      if (messages.length >= most) break;
    }
    return { found: messages, cursor: place, start: first };
  }

  /** The messages that match among jobs, and how many of the jobs were examined until there were enough. */
  async #matching(
    { filter, isLeftOut }: PagesQuery,
    queue: QueueName,
    scanned: readonly (ScannedJob | undefined)[],
    most: number,
  ): Promise<{ readonly found: readonly PushedMessage[]; readonly examined: number }> {
    const jobs = new Map<string, Job>();
    const ids = scanned.flatMap((job) => (job === undefined ? [] : [job.id]));
    for await (const piece of this.#queues.findEach(queue, ids)) {
      for (const job of piece) jobs.set(job.id, job);
    }
    const found: PushedMessage[] = [];
    for (const [index, each] of scanned.entries()) {
      const job = each && jobs.get(each.id);
      const message = job && messageOf(job);
      if (each === undefined || message === undefined || job?.state !== each.state) continue;
      const isMatch = matchesPush(filter, filteredPush(message, statusOfFailure(each)));
      if (!isMatch || isLeftOut?.(message) === true) continue;
      found.push(message);
      if (found.length >= most) return { found, examined: index + 1 };
    }
    return { found, examined: scanned.length };
  }
}

function placeOf([queue, at]: readonly unknown[]): Place {
  const isPlace = typeof queue === 'string' && (at === null || typeof at === 'string');
  if (isPlace) return [queue as QueueName, at];
  throw invalidRequest('cursor must be that of a page before', 'cursor');
}
