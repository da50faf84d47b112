import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { OverdueAttempt, OverdueSearch } from '../../../../domain/attempts/acceptance.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { callInTime } from '../connection/timely-run.ts';
import { jobFromRecord, jobRecord } from '../layout/job-record.ts';
import { PULLED_BY } from '../layout/attempt-fields.ts';
import { accept, extend, findOverdue } from '../scripts/attempts.ts';
import { isToken } from './attempt-token.ts';

/** The most queues that one search covers. */
const QUEUES_AT_ONCE = 20;

/**
 * Jobs that their endpoints accepted, or that clients received as messages. No replica renews their locks; the replica
 * that finds one overdue ends its attempt.
 */
export class AcceptedJobs {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;
  readonly #patience: number;
  readonly #register: string;

  /** @param patience how long a replica that found an overdue attempt has to end it, in milliseconds. */
  constructor(store: StoreCommands, clock: ClockPort, patience: number) {
    this.#store = store;
    this.#clock = clock;
    this.#patience = patience;
    this.#register = store.all.acceptedQueues;
  }

  async accept(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean> {
    if (!isToken(attempt.token)) return false;
    const args = this.#acceptance(queue, attempt, duration);
    return this.#store.callOf(queue, accept, args);
  }

  /** If the store does not answer in time, it does not make the change later either. */
  async extend(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean> {
    if (!isToken(attempt.token)) return false;
    const [keys, args] = [this.#store.keysOf(queue), this.#acceptance(queue, attempt, duration)];
    return callInTime(this.#store, extend, keys, args, 'an extension');
  }

  async overdue(): Promise<OverdueSearch> {
    const now = this.#clock.now();
    const due = (await this.#store.run((client) =>
      client.zrangebyscore(this.#register, '-inf', now, 'LIMIT', 0, QUEUES_AT_ONCE),
    )) as QueueName[];
    const found = await Promise.all(due.map((queue) => this.#overdueOf(queue, now)));
    const [, nextAt] = await this.#store.run((client) =>
      client.zrange(this.#register, 0, 0, 'WITHSCORES'),
    );
    return { found: found.flat(), ...(nextAt !== undefined && { nextAt: Number(nextAt) }) };
  }

  #acceptance(queue: QueueName, { jobId: id, token }: AttemptKey, duration: number) {
    return { token, id, duration, now: this.#clock.now(), queue };
  }

  async #overdueOf(queue: QueueName, now: number): Promise<readonly OverdueAttempt[]> {
    const times = { queue, now, later: now + this.#patience };
    const overdue = await this.#store.callOf(queue, findOverdue, times);
    return overdue.map(([jobId, token, bound, fields]) => {
      const record = jobRecord(fields);
      const job = jobFromRecord(jobId, record, queue, 'active');
      const isReceived = record.get(PULLED_BY) === token;
      return { queue, attempt: { jobId, token, job }, bound: Number(bound), isReceived };
    });
  }
}
