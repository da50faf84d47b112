import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  ExpiredJobs,
  ExpiryPort,
  ExpiryRound,
} from '../../../../application/ports/expiry-port.ts';
import type { HooksOfQueues } from '../../../../application/ports/hooks-of-queues.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { discardStaged } from '../jobs/staged-jobs.ts';
import { hooksArgument } from '../layout/hooks-argument.ts';
import { expireJobs } from '../scripts/attempts.ts';

/** The most queues of one round, each with one run of the script. */
const QUEUES_PER_ROUND = 20;

/** The answer of the script when there is nothing more to do for now. */
const DONE = -1;

/**
 * Fails the jobs that did not start in time, in the queues that the register names. Each round also discards a part of
 * what large adds have staged that nobody finished.
 */
export class RedisExpiry implements ExpiryPort {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;
  readonly #hooks: HooksOfQueues;
  /** How far the lists of a queue have been searched, where that takes several rounds. */
  readonly #positions = new Map<QueueName, number>();

  constructor(store: StoreCommands, clock: ClockPort, hooks: HooksOfQueues) {
    this.#hooks = hooks;
    this.#store = store;
    this.#clock = clock;
  }

  async expireDue(): Promise<ExpiryRound> {
    const now = this.#clock.now();
    const { expiringQueues } = this.#store.all;
    const due = (await this.#store.run((client) =>
      client.zrangebyscore(expiringQueues, '-inf', now, 'LIMIT', 0, QUEUES_PER_ROUND),
    )) as QueueName[];
    let isDone = due.length < QUEUES_PER_ROUND;
    if (await discardStaged(this.#store)) isDone = false;
    const expired: ExpiredJobs[] = [];
    for (const queue of due) {
      const [failed, position] = await this.#expire(queue, now);
      const jobs = [...piecesOf(failed, 2)].map(([id = '', reason = '']) => ({ id, reason }));
      if (jobs.length > 0) expired.push({ queue, jobs });
      if (position === DONE) this.#positions.delete(queue);
      else this.#positions.set(queue, position);
      isDone &&= position === DONE;
    }
    return { expired, isDone };
  }

  #expire(
    queue: QueueName,
    now: number,
  ): Promise<readonly [failed: readonly string[], position: number]> {
    return this.#store.callOf(queue, expireJobs, {
      name: queue,
      now,
      skip: this.#positions.get(queue) ?? 0,
      hooks: hooksArgument(this.#hooks.of(queue)),
    });
  }
}
