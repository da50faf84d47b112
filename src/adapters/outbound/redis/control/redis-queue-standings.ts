import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  AwaitedJob,
  QueueStandingPort,
  StandingQuery,
} from '../../../../application/ports/queue-standing-port.ts';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { CLAIMED_FOR, type QueueStanding } from '../../../../domain/workers/blocked.ts';
import type { ScriptArgument } from '../lua/script.ts';
import { inPieces } from '../connection/in-pieces.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { jobOfKey } from '../layout/job-of-key.ts';
import { countStuckParents, findAwaitedJob, findFailedChildren } from '../scripts/families.ts';
import { noteClaim } from '../scripts/attempts.ts';
import { readStandings, type StandingAnswer } from '../scripts/reading.ts';

/** How many queues one run reads, in two milliseconds at most. */
const QUEUES_PER_RUN = 50;

/** How many parents, and how many of their children, one look goes through, in about two milliseconds. */
const MOST_PARENTS = 1000;
const MOST_CHILDREN = 2000;

/** How many of the oldest parents of a queue, and how many jobs below them, are examined for a failed one. */
const OLDEST_PARENTS = 20;
const MOST_BELOW = 100;

/** Reads the standings of many queues in one run of a script. */
export class RedisQueueStandings implements QueueStandingPort {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;

  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#clock = clock;
  }

  standings(queries: readonly StandingQuery[]): Promise<readonly QueueStanding[]> {
    return inPieces(queries, QUEUES_PER_RUN, (piece) => this.#read(piece));
  }

  stuckParents(queue: QueueName): Promise<number> {
    const most = { parents: MOST_PARENTS, room: MOST_CHILDREN };
    return this.#store.callOf(queue, countStuckParents, most);
  }

  failedChildren(queues: readonly QueueName[]): Promise<readonly (JobAddress | undefined)[]> {
    return inPieces(queues, QUEUES_PER_RUN, (piece) => this.#failedOf(piece));
  }

  async #failedOf(queues: readonly QueueName[]): Promise<readonly (JobAddress | undefined)[]> {
    const prefixes = queues.map((queue) => this.#store.keysOf(queue).jobPrefix);
    const bounds = { most: OLDEST_PARENTS, room: MOST_BELOW };
    const found = await this.#store.callOfAll(findFailedChildren, bounds, prefixes);
    return found.map((key) => (key === '' ? undefined : this.#jobOf(key)));
  }

  async awaitedJob(queue: QueueName, jobId: string): Promise<AwaitedJob | undefined> {
    const job = `${this.#store.keysOf(queue).jobPrefix}${jobId}`;
    const found = await this.#store.call(findAwaitedJob, { job }, { most: MOST_BELOW });
    if (found === undefined) return undefined;
    const [key, isFailed] = found;
    return { ...this.#jobOf(key), isFailed: isFailed === 1 };
  }

  #jobOf(key: string): JobAddress {
    const { queue, id } = jobOfKey(this.#store.prefix, key);
    return { queue, id };
  }

  noteClaim(queue: QueueName): Promise<boolean> {
    return this.#store.callOf(queue, noteClaim, { duration: CLAIMED_FOR });
  }

  async #read(queries: readonly StandingQuery[]): Promise<readonly QueueStanding[]> {
    const args = queries.flatMap(argumentsOf);
    const answer = await this.#store.callOfAll(readStandings, {}, args);
    const now = this.#clock.now();
    return answer.map((each) => standingOf(each, now));
  }
}

function argumentsOf({ queue, limiter, hasBatches }: StandingQuery): readonly ScriptArgument[] {
  return [queue, limiter?.max ?? '', limiter?.duration ?? '', hasBatches === true ? '1' : ''];
}

function standingOf(answer: StandingAnswer, now: number): QueueStanding {
  const [
    running,
    concurrency,
    latestStart,
    limitedFor,
    nextDue,
    claimedAgo,
    since,
    until,
    reason,
    groups,
  ] = answer;
  return {
    now,
    running,
    ...(concurrency > 0 && { concurrency }),
    ...(latestStart > 0 && { latestStart }),
    ...(limitedFor > 0 && { limitedUntil: now + limitedFor }),
    ...(nextDue > 0 && { nextDue }),
    ...(claimedAgo >= 0 && { claimedAt: now - claimedAgo }),
    ...(groups === 1 && { areGroupsBlocked: true }),
    ...(since > 0 && { breaker: { since, reason, ...(until > 0 && { until }) } }),
  };
}
