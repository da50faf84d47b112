import type { Caller } from '../../domain/access/caller.ts';
import type { TokenLimit } from '../../domain/access/token-limits.ts';
import { invalidRequest } from '../../domain/errors.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import {
  MAX_SCHEDULERS,
  type NewScheduler,
  type SchedulerSource,
} from '../../domain/schedulers/scheduler.ts';
import { shortestGap } from '../../domain/schedulers/slots.ts';
import type { CallerLimit, RequestLimits } from '../access/request-limits.ts';
import type { QueueDirectoryPort } from '../ports/queue-directory-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { SchedulerPort } from '../ports/scheduler-port.ts';

const WHOLE_QUEUE = { start: 0, length: MAX_SCHEDULERS };

/** A scheduler that is to be stored. */
interface Placed {
  readonly queue: QueueName;
  readonly id: string;
  readonly scheduler: NewScheduler;
}

export interface SchedulerRatesDependencies extends Pick<CommonPorts, 'calendar' | 'clock'> {
  readonly schedulers: Pick<SchedulerPort, 'slots' | 'list'>;
  readonly directory: Pick<QueueDirectoryPort, 'names'>;
  readonly limits: Pick<RequestLimits, 'limitsOf'>;
}

/**
 * Keeps the schedulers of a token within its limit on jobs (platform contract, section 11): the slots of all that it or
 * tokens that it made stored, paused ones too, are together no denser than the limit.
 */
export class SchedulerRates {
  readonly #dependencies: SchedulerRatesDependencies;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(dependencies: SchedulerRatesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores a scheduler with its source. Limited callers take turns on this replica, so that each check sees what the
   * calls before it stored.
   *
   * @throws DomainError `invalid-request` naming the field for a scheduler beyond a limit of the caller.
   */
  async admit(
    caller: Caller,
    place: Placed,
    store: (scheduler: NewScheduler) => Promise<void>,
  ): Promise<void> {
    const { limits, calendar, clock } = this.#dependencies;
    const { jobs } = limits.limitsOf(caller);
    const gap = shortestGap(place.scheduler.repeat, clock.now(), calendar);
    const source = { tokens: [caller, ...caller.ancestors].map(({ id }) => id), gap };
    const admitted = { ...place.scheduler, source };
    if (jobs.length === 0) return store(admitted);
    const turn = this.#turn.then(async () => {
      await this.#check(jobs, { ...place, scheduler: admitted }, source);
      await store(admitted);
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #check(
    jobs: readonly CallerLimit[],
    place: Placed,
    source: SchedulerSource,
  ): Promise<void> {
    const added = jobs.map(({ limit }) => jobsOf(source, limit));
    const exceeded = () => jobs.findIndex(({ limit }, index) => (added[index] ?? 0) > limit.max);
    if (exceeded() === -1) {
      for await (const other of this.#sourcesBeside(place)) {
        for (const [index, { limit, holder }] of jobs.entries()) {
          if (other.tokens.includes(holder))
            added[index] = (added[index] ?? 0) + jobsOf(other, limit);
        }
      }
    }
    const beyond = jobs[exceeded()];
    if (beyond !== undefined) throw tooManyJobs(place, beyond, added[jobs.indexOf(beyond)] ?? 0);
  }

  async *#sourcesBeside({ queue, id }: Placed): AsyncGenerator<SchedulerSource> {
    const { schedulers, directory } = this.#dependencies;
    const slots = await schedulers.slots(await directory.names());
    for (const each of new Set(slots.map((slot) => slot.queue))) {
      for await (const piece of schedulers.list(each, WHOLE_QUEUE)) {
        for (const stored of piece) {
          const isReplaced = each === queue && stored.id === id;
          if (!isReplaced && stored.source !== undefined) yield stored.source;
        }
      }
    }
  }
}

/** How many jobs slots with this gap add in the period of a limit, in the long run. */
function jobsOf({ gap }: SchedulerSource, { duration }: TokenLimit): number {
  return duration / gap;
}

function tooManyJobs(
  { scheduler: { repeat } }: Placed,
  { policy, limit: { max, duration } }: CallerLimit,
  added: number,
): Error {
  const field = repeat.pattern === undefined ? 'repeat.every' : 'repeat.pattern';
  const whose = policy === 'jobs' ? 'this token' : 'the token that made this one';
  return invalidRequest(
    `${field} must keep the schedulers of ${whose} within its limit of ${max} jobs in ${duration} ms: ` +
      `with this one, they add ${Math.ceil(added)}`,
    field,
  );
}
