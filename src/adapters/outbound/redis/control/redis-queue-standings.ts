import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  AwaitedJob,
  QueueStandingPort,
  StandingQuery,
} from '../../../../application/ports/queue-standing-port.ts';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import { limiterWindow } from '../../../../domain/queues/limiter.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { CLAIMED_FOR, type QueueStanding } from '../../../../domain/workers/blocked.ts';
import type { ScriptArgument } from '../connection/scripts.ts';
import { severalAtOnce } from '../../../../application/running/several-at-once.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { jobOfKey } from '../layout/job-of-key.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { registryKey } from '../layout/queue-keys.ts';
import { luaScript } from '../lua/load.ts';

const countStuckScript = luaScript('count-stuck-parents');
const findAwaitedJobScript = luaScript('find-awaited-job');
const findFailedChildrenScript = luaScript('find-failed-children');
const noteClaimScript = luaScript('note-claim');
const readStandingsScript = luaScript('read-standings');

/** How many queues one run reads, in two milliseconds at most. */
const QUEUES_PER_RUN = 50;

/** How many parents, and how many of their children, one look goes through, in about two milliseconds. */
const MOST_PARENTS = 1000;
const MOST_CHILDREN = 2000;

/** How many of the oldest parents of a queue, and how many jobs below them, are examined for a failed one. */
const OLDEST_PARENTS = 20;
const MOST_BELOW = 100;

/** How many runs are in progress at a time. */
const RUNS_AT_ONCE = 4;

/** 0 stands for a missing number or time, -1 for a missing claim. */
type StandingAnswer = readonly [
  running: number,
  concurrency: number,
  latestStart: number,
  limitedFor: number,
  nextDue: number,
  claimedAgo: number,
  openSince: number,
  openUntil: number,
  openReason: string,
  areGroupsBlocked: number,
];

/** Reads the standings of many queues in one run of a script. */
export class RedisQueueStandings implements QueueStandingPort {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #clock: ClockPort;

  constructor(commands: StoreCommands, keys: QueueKeysCache, clock: ClockPort) {
    this.#commands = commands;
    this.#keys = keys;
    this.#clock = clock;
  }

  async standings(queries: readonly StandingQuery[]): Promise<readonly QueueStanding[]> {
    const pieces = piecesOf(queries, QUEUES_PER_RUN);
    return (await severalAtOnce(pieces, RUNS_AT_ONCE, (piece) => this.#read(piece))).flat();
  }

  async stuckParents(queue: QueueName): Promise<number> {
    const { waitingChildren, jobPrefix } = this.#keys.get(queue);
    const args = [jobPrefix, MOST_PARENTS, MOST_CHILDREN];
    return (await this.#commands.scripts.run(countStuckScript, [waitingChildren], args)) as number;
  }

  async failedChildren(queues: readonly QueueName[]): Promise<readonly (JobAddress | undefined)[]> {
    const pieces = piecesOf(queues, QUEUES_PER_RUN);
    return (await severalAtOnce(pieces, RUNS_AT_ONCE, (piece) => this.#failedOf(piece))).flat();
  }

  async #failedOf(queues: readonly QueueName[]): Promise<readonly (JobAddress | undefined)[]> {
    const prefixes = queues.map((queue) => this.#keys.get(queue).jobPrefix);
    const found = (await this.#commands.scripts.run(
      findFailedChildrenScript,
      [registryKey(this.#keys.prefix)],
      [OLDEST_PARENTS, MOST_BELOW, ...prefixes],
    )) as readonly string[];
    return found.map((key) => (key === '' ? undefined : this.#jobOf(key)));
  }

  async awaitedJob(queue: QueueName, jobId: string): Promise<AwaitedJob | undefined> {
    const keys = [`${this.#keys.get(queue).jobPrefix}${jobId}`];
    const found = (await this.#commands.scripts.run(findAwaitedJobScript, keys, [MOST_BELOW])) as
      readonly [key: string, isFailed: number] | null;
    if (found === null) return undefined;
    const [key, isFailed] = found;
    return { ...this.#jobOf(key), isFailed: isFailed === 1 };
  }

  #jobOf(key: string): JobAddress {
    const { queue, id } = jobOfKey(this.#keys.prefix, key);
    return { queue, id };
  }

  async noteClaim(queue: QueueName): Promise<boolean> {
    const { meta, jobPrefix } = this.#keys.get(queue);
    const args = [jobPrefix, CLAIMED_FOR];
    return (await this.#commands.scripts.run(noteClaimScript, [meta], args)) === 1;
  }

  async #read(queries: readonly StandingQuery[]): Promise<readonly QueueStanding[]> {
    const { prefix } = this.#keys;
    const answer = await this.#commands.scripts.run(
      readStandingsScript,
      [registryKey(prefix)],
      [`${prefix}:`, ...queries.flatMap(argumentsOf)],
    );
    const now = this.#clock.now();
    return (answer as readonly StandingAnswer[]).map((each) => standingOf(each, now));
  }
}

function argumentsOf({ queue, limiter, hasBatches }: StandingQuery): readonly ScriptArgument[] {
  const batches = hasBatches === true ? '1' : '';
  if (limiter === undefined) return [queue, '', '', '', batches];
  return [queue, limiter.max, limiter.duration, limiterWindow(limiter), batches];
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
