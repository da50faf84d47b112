import { isStoreUnavailable } from '../../domain/errors.ts';
import type { Attempt, AttemptKey } from '../../domain/attempts/attempt.ts';
import { failedForGood, type AttemptEnding } from '../../domain/attempts/ending.ts';
import type { Job, NewJob } from '../../domain/jobs/job.ts';
import { MOVE_QUEUE } from '../../domain/queues/own-queue.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { isObject } from '../../domain/values/json.ts';
import type { AttemptReports } from '../attempts/attempt-reports.ts';
import type { StalledSweep } from '../maintenance/stalled-sweep.ts';
import type { AttemptEnginePort } from '../ports/attempt-engine-port.ts';
import type { AttemptHolderPort } from '../ports/attempt-holder-port.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { MessageIdPort } from '../ports/message-id-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import type { TokenPort } from '../ports/token-port.ts';
import type { JobClaims } from '../pulls/job-claims.ts';
import { ClaimTokens } from '../running/claim-tokens.ts';
import type { Startable } from '../running/startable.ts';
import { movedOf, moveOrderOf, type MoveOrder } from './move-task.ts';

/**
 * How long (ms) a task, and a message that it moves, is held without a sign of life: when another replica takes up the
 * task, the messages of the one that died are there again.
 */
const [LOCK, MESSAGE_LOCK] = [30_000, 10_000];

/** How many messages are moved at once, and how many tasks run on a replica. */
const [AT_ONCE, MOST_TASKS] = [50, 10];

/** Longest pause (ms) without asking for a task. */
const LONGEST_PAUSE = 5000;

/** How long (ms) after a failure of the store. */
const PAUSE_AFTER_FAILURE = 1000;

/** A task is lost by no number of replicas that die as they work on it. */
const MAX_STALLED_COUNT = 1_000_000;

/** Why a message cannot go back: it was sent to the dead letter queue itself. */
const NO_SOURCE = 'CouldNotDetermineMessageSource';

const NOT_ENDING = (): AbortSignal => new AbortController().signal;

export interface MessageMoverDependencies {
  readonly claims: Pick<JobClaims, 'take' | 'giveBack'>;
  readonly reports: Pick<AttemptReports, 'complete'>;
  readonly attempts: Pick<
    AttemptEnginePort,
    'claim' | 'renew' | 'release' | 'settle' | 'waitForJobs'
  >;
  readonly holders: Pick<AttemptHolderPort, 'reportProgress'>;
  readonly queues: Pick<QueuePort, 'addOnce'>;
  readonly sweep: Pick<StalledSweep, 'watch'>;
  readonly ids: MessageIdPort;
  readonly tokens: TokenPort;
  readonly observer: AttemptObserver;
  readonly clock: ClockPort;
  readonly logger: LoggerPort;
}

/**
 * Works on the tasks that move messages. A message is claimed, added where it goes, and completed where it was: one whose
 * replica dies in between is added once for a task, since the add is remembered.
 */
export class MessageMover implements Startable {
  readonly name = 'mover of messages';
  readonly #dependencies: MessageMoverDependencies;
  readonly #tokens: ClaimTokens;
  readonly #stopped = new AbortController();
  readonly #tasks = new Set<Promise<void>>();
  #running: Promise<void> | undefined;

  constructor(dependencies: MessageMoverDependencies) {
    this.#dependencies = dependencies;
    this.#tokens = new ClaimTokens(dependencies.tokens, 1);
  }

  /** Does not wait for the store: a replica that starts while the store is away recovers by itself. */
  start(): Promise<void> {
    this.#dependencies.sweep.watch(MOVE_QUEUE, MAX_STALLED_COUNT);
    this.#running ??= this.#run();
    return Promise.resolve();
  }

  /** Tasks that are not done go on with another replica, or with the next start. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    await Promise.all(this.#tasks);
  }

  async #run(): Promise<void> {
    const { attempts, clock } = this.#dependencies;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const task = this.#tasks.size < MOST_TASKS ? await this.#nextTask() : undefined;
      if (task === undefined) {
        await attempts.waitForJobs(MOVE_QUEUE, clock.now() + LONGEST_PAUSE, signal);
        continue;
      }
      const run = this.#workOn(task).finally(() => this.#tasks.delete(run));
      this.#tasks.add(run);
    }
  }

  async #nextTask(): Promise<Attempt | undefined> {
    const { attempts, clock, logger } = this.#dependencies;
    try {
      const claim = await this.#tokens.use((token, isRepeated) =>
        attempts.claim(MOVE_QUEUE, {
          token,
          lockDuration: LOCK,
          ...(isRepeated && { isRepeated }),
        }),
      );
      return claim.kind === 'attempt' ? claim.attempt : undefined;
    } catch (error) {
      if (!isStoreUnavailable(error))
        logger.error('No task to move messages could be read', { error });
      await clock.sleep(PAUSE_AFTER_FAILURE, this.#stopped.signal);
      return undefined;
    }
  }

  async #workOn(task: Attempt): Promise<void> {
    const { attempts, logger } = this.#dependencies;
    try {
      const ending = await this.#move(task);
      if (ending === 'lost') return;
      if (ending === 'left') await attempts.release(MOVE_QUEUE, task);
      else await attempts.settle(MOVE_QUEUE, task, ending);
    } catch (error) {
      // The task stalls, and goes on from there.
      if (isStoreUnavailable(error)) return;
      logger.error('Messages could not be moved', { error });
      await attempts
        .settle(MOVE_QUEUE, task, failedForGood(undefined, 'Internal error'))
        .catch(() => undefined);
    }
  }

  /** @returns how the task ends; `lost` when it was cancelled, `left` when the replica stops before it ends. */
  async #move(task: Attempt): Promise<AttemptEnding | 'lost' | 'left'> {
    const { claims, attempts, holders, clock } = this.#dependencies;
    const { signal } = this.#stopped;
    const order = moveOrderOf(task.job);
    if (order === undefined) return failedForGood(undefined, 'The task is not valid');
    let moved = movedOf(task.job);
    const atOnce = Math.min(AT_ONCE, order.rate ?? AT_ONCE);
    while (moved < order.found) {
      if (signal.aborted) return 'left';
      const began = clock.now();
      const count = Math.min(atOnce, order.found - moved);
      const claim = { count, wait: 0, lock: MESSAGE_LOCK, isReceived: true };
      const messages = await claims.take(order.source, claim, NOT_ENDING);
      if (messages.length === 0) break;
      const [homeless] = messages.filter(({ job }) => targetOf(order, job) === undefined);
      if (homeless !== undefined) {
        await claims.giveBack(order.source, messages);
        return failedForGood(undefined, NO_SOURCE);
      }
      await Promise.all(messages.map((message) => this.#moveOne(task, order, message)));
      moved += messages.length;
      if (!(await holders.reportProgress(MOVE_QUEUE, task, moved))) return 'lost';
      if ((await attempts.renew(MOVE_QUEUE, [task], LOCK)).length > 0) return 'lost';
      if (order.rate !== null) {
        const pause = (1000 * messages.length) / order.rate - (clock.now() - began);
        await clock.sleep(pause, signal);
      }
    }
    return { kind: 'completed', returnvalue: { moved } };
  }

  async #moveOne({ jobId: task }: AttemptKey, order: MoveOrder, message: Attempt): Promise<void> {
    const { queues, reports, observer, ids } = this.#dependencies;
    const { job, jobId } = message;
    const target = targetOf(order, job);
    if (target === undefined) return;
    const jobs = [copyOf(job, ids.draw())];
    const add = { jobs, defaults: {}, madeWith: () => jobs };
    const identity = { key: `move:${task}:${order.source}:${jobId}`, body: '' };
    const { kind } = await queues.addOnce(target, add, identity);
    if (kind === 'added') observer.observe({ kind: 'added', queue: target, jobs: 1 });
    await reports.complete(order.source, message, null);
  }
}

/** Where a message goes; undefined when it came from no queue. */
function targetOf({ destination }: MoveOrder, { opts }: Job): QueueName | undefined {
  if (destination !== null) return destination;
  const origin = opts['origin'];
  const queue = isObject(origin) ? origin['queue'] : undefined;
  // The service itself wrote it.
  return typeof queue === 'string' ? (queue as QueueName) : undefined;
}

/** The message as it was sent: a new one, with an id of its own. */
function copyOf({ name, data, opts }: Job, id: string): NewJob {
  const { group, message } = opts;
  return {
    name,
    data,
    opts: {
      attempts: 0,
      delay: 0,
      jobId: id,
      ...(group && { group }),
      ...(message !== undefined && { message }),
    },
  };
}
