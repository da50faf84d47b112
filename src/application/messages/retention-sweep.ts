import { isStoreUnavailable } from '../../domain/errors.ts';
import type { ActionOutcome } from '../../domain/jobs/job-actions.ts';
import { JOB_STATUSES, type JobState } from '../../domain/jobs/job-status.ts';
import { MESSAGE_NAME } from '../../domain/jobs/message-job.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Policies } from '../policies/policies.ts';
import type { JobControlPort } from '../ports/job-control-port.ts';
import type { JobScanPort, ScannedJob } from '../ports/job-scan-port.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import { inTurns } from '../running/in-turns.ts';
import type { RepeatedWork } from '../running/rounds.ts';
import { messageTerms } from './message-terms.ts';
import type { CommonPorts } from '../ports/common-ports.ts';

/** How often (ms) the sweep looks which queues are due. */
const INTERVAL = 1000;

/** Pause (ms) between steps while messages are to go, so that the store can serve others. */
const PAUSE = 10;

/** How long (ms) a queue is left alone: until its oldest message has to go, within these bounds. */
const [SHORTEST, LONGEST] = [1000, 3_600_000];

/** How long (ms) after a failure. */
const WAIT_AFTER_FAILURE = 10_000;

/** How many jobs of a state are looked at, from the oldest, and how many more when other jobs may hide messages. */
const [LOOKED_AT, MOST_LOOKED_AT] = [200, 5000];

/** How many jobs one look reads, and how many are removed at once. */
const [READ_AT_ONCE, REMOVED_AT_ONCE] = [1000, 50];

interface SweptQueue {
  readonly retention: number;
  /** When (epoch ms) it is looked at next. */
  readonly dueAt: number;
}

export interface RetentionSweepDependencies extends Pick<CommonPorts, 'clock' | 'logger'> {
  readonly policies: Pick<Policies, 'each'>;
  readonly scan: Pick<JobScanPort, 'oldest' | 'look'>;
  readonly control: Pick<JobControlPort, 'bringTogether' | 'removeAlone' | 'removeActive'>;
  readonly signals: Pick<ReplicaSignalsPort, 'send'>;
}

/**
 * Removes the messages that are older than the retention of their queue, those in flight and deleted ones included,
 * without failing them (reach contract, section 21). Other jobs of the queue stay. Every replica sweeps all queues.
 */
export class RetentionSweep implements RepeatedWork {
  readonly name = 'retention sweep';
  readonly failure = { line: 'The retention sweep failed', pause: INTERVAL };
  readonly #dependencies: RetentionSweepDependencies;
  readonly #queues = new Map<QueueName, SweptQueue>();

  constructor(dependencies: RetentionSweepDependencies) {
    this.#dependencies = dependencies;
  }

  async round(): Promise<number> {
    const now = this.#dependencies.clock.now();
    this.#follow(now);
    let isBusy = false;
    for (const [queue, { dueAt, retention }] of this.#queues) {
      if (dueAt > now) continue;
      const wait = await this.#sweep(queue, retention);
      isBusy ||= wait === 0;
      this.#queues.set(queue, { retention, dueAt: this.#dependencies.clock.now() + wait });
    }
    return isBusy ? PAUSE : INTERVAL;
  }

  /** Takes up the queues that have messages now. Those with another retention are looked at anew. */
  #follow(now: number): void {
    const seen = new Set<QueueName>();
    for (const [queue, { messages }] of this.#dependencies.policies.each()) {
      if (messages === undefined) continue;
      seen.add(queue);
      const { retention } = messageTerms(messages);
      if (this.#queues.get(queue)?.retention === retention) continue;
      this.#queues.set(queue, { retention, dueAt: now });
    }
    for (const queue of this.#queues.keys()) if (!seen.has(queue)) this.#queues.delete(queue);
  }

  /** One step on a queue. @returns how long (ms) it may wait for the next one. */
  async #sweep(queue: QueueName, retention: number): Promise<number> {
    const { logger } = this.#dependencies;
    try {
      let wait = Math.min(LONGEST, retention);
      // Those in flight come first: what comes back meanwhile is looked at afterwards.
      for (const state of JOB_STATUSES) {
        wait = Math.min(wait, await this.#sweepState(queue, state, retention));
      }
      return wait;
    } catch (error) {
      if (!isStoreUnavailable(error)) {
        logger.error('Messages beyond their retention could not be removed', { queue, error });
      }
      return WAIT_AFTER_FAILURE;
    }
  }

  async #sweepState(queue: QueueName, state: JobState, retention: number): Promise<number> {
    const { clock } = this.#dependencies;
    const { total, messages } = await this.#oldest(queue, state);
    const end = clock.now() - retention;
    const old = messages.filter(({ timestamp = end }) => timestamp < end);
    if (old.length > 0) {
      await this.#remove(queue, state, old);
      return old.length === messages.length && total > messages.length ? 0 : SHORTEST;
    }
    const first = Math.min(...messages.map(({ timestamp = end }) => timestamp));
    return Math.min(LONGEST, Math.max(SHORTEST, first - end));
  }

  /** The oldest messages of a state, behind other jobs too, as far as these are not too many. */
  async #oldest(
    queue: QueueName,
    state: JobState,
  ): Promise<{ readonly total: number; readonly messages: readonly ScannedJob[] }> {
    const { scan, clock } = this.#dependencies;
    for (const most of [LOOKED_AT, MOST_LOOKED_AT]) {
      const { total, jobs } = await scan.oldest(queue, [state], most);
      const messages: ScannedJob[] = [];
      for await (const some of inTurns(clock, jobs, READ_AT_ONCE)) {
        const ids = some.map(({ id }) => id);
        for await (const piece of scan.look(queue, ids, ['name', 'timestamp'])) {
          messages.push(...piece.filter(({ name }) => name === MESSAGE_NAME));
        }
      }
      const isHidden = messages.length < jobs.length / 2 && total > jobs.length;
      if (!isHidden || most === MOST_LOOKED_AT) return { total, messages };
    }
    return { total: 0, messages: [] };
  }

  async #remove(queue: QueueName, state: JobState, jobs: readonly ScannedJob[]): Promise<void> {
    const { control, signals, logger, clock } = this.#dependencies;
    const ids = jobs.slice(0, LOOKED_AT).map(({ id }) => id);
    if (state === 'waiting') await control.bringTogether(queue, ids);
    const remove = (id: string): Promise<ActionOutcome> =>
      state === 'active'
        ? control.removeActive(queue, id)
        : control.removeAlone(queue, id, [state]);
    let removed = 0;
    for await (const some of inTurns(clock, ids, REMOVED_AT_ONCE)) {
      const outcomes = await Promise.all(some.map(remove));
      removed += outcomes.filter(({ kind }) => kind === 'done').length;
    }
    // The replicas that call for such jobs end these calls.
    if (state === 'active' && removed > 0) signals.send('cancelled', { queue });
    logger.debug('Messages beyond their retention removed', { queue, state, removed });
  }
}
