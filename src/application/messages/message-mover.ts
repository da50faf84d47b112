import { queuePatterns } from '../../domain/access/queue-patterns.ts';
import { isStoreUnavailable, storeUnavailable } from '../../domain/errors.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';
import { failedForGood, type AttemptEnding } from '../../domain/attempts/ending.ts';
import type { Job, NewJob } from '../../domain/jobs/job.ts';
import { jobOfLetter, lacking, originOfLetter } from '../../domain/jobs/letter.ts';
import { MOVE_QUEUE } from '../../domain/queues/own-queue.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { AttemptReports } from '../attempts/attempt-reports.ts';
import type { StalledSweep } from '../maintenance/stalled-sweep.ts';
import type { AttemptEnginePort } from '../ports/attempt-engine-port.ts';
import type { AttemptHolderPort } from '../ports/attempt-holder-port.ts';
import type { JobControlPort } from '../ports/job-control-port.ts';
import type { MessageIdPort } from '../ports/message-id-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import type { JobClaims } from '../pulls/job-claims.ts';
import { ClaimTokens } from '../running/claim-tokens.ts';
import type { Startable } from '../running/startable.ts';
import { moveOrderOf, progressOf, type MoveOrder } from './move-task.ts';
import type { CommonPorts } from '../ports/common-ports.ts';

/**
 * How long (ms) a task, and a message that it moves, is held without a sign of life: when another replica takes up the
 * task, the messages of the one that died are there again.
 */
const [LOCK, MESSAGE_LOCK] = [30_000, 10_000];

/** How many messages are moved at once, and how many tasks run on a replica. */
const [AT_ONCE, MOST_TASKS] = [50, 10];

/** How long (ms) a message that stays is away when the replica dies before it is put back. */
const ASIDE = 1000;

/** How many messages that stay are known again, so that each counts once. */
const MOST_STAYED = 10_000;

/** Longest pause (ms) without asking for a task. */
const LONGEST_PAUSE = 5000;

/** How long (ms) after a failure of the store. */
const PAUSE_AFTER_FAILURE = 1000;

/** A task is lost by no number of replicas that die as they work on it. */
const MAX_STALLED_COUNT = 1_000_000;

/** Why a message cannot go back: it was sent to the dead letter queue itself. */
const NO_SOURCE = 'CouldNotDetermineMessageSource';

const NOT_ENDING = (): AbortSignal => new AbortController().signal;

export interface MessageMoverDependencies extends Pick<
  CommonPorts,
  'tokens' | 'observer' | 'clock' | 'logger'
> {
  readonly claims: Pick<JobClaims, 'take' | 'giveBack'>;
  readonly reports: Pick<AttemptReports, 'complete'>;
  readonly attempts: Pick<
    AttemptEnginePort,
    'claim' | 'renew' | 'release' | 'settle' | 'waitForJobs'
  >;
  readonly holders: Pick<AttemptHolderPort, 'reportProgress' | 'reportRelease'>;
  readonly control: Pick<JobControlPort, 'promote'>;
  readonly queues: Pick<QueuePort, 'addOnce'>;
  readonly sweep: Pick<StalledSweep, 'watch'>;
  readonly ids: MessageIdPort;
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
    let { moved, failed } = progressOf(task.job);
    const mayGoTo = queuePatterns(order.addsTo);
    const stays = ({ job }: Attempt): boolean => {
      return order.destination === null && !mayGoTo(targetOf(order, job) ?? '');
    };
    const stayed = new Set<string>();
    const atOnce = Math.min(AT_ONCE, order.rate ?? AT_ONCE);
    while (moved + failed < order.found) {
      if (signal.aborted) return 'left';
      const began = clock.now();
      const count = Math.min(atOnce, order.found - moved - failed);
      const claim = { count, wait: 0, lock: MESSAGE_LOCK, isReceived: true };
      const messages = await claims.take(order.source, claim, NOT_ENDING);
      if (messages.length === 0) break;
      const [homeless] = messages.filter(({ job }) => targetOf(order, job) === undefined);
      if (homeless !== undefined) {
        await claims.giveBack(order.source, messages);
        return failedForGood(undefined, NO_SOURCE);
      }
      const staying = messages.filter(stays);
      await this.#setAside(order.source, staying);
      const fresh = staying.filter(({ jobId }) => !stayed.has(jobId));
      // The rest stays, and comes round again.
      if (staying.length === messages.length && fresh.length === 0) break;
      for (const { jobId } of fresh.slice(0, MOST_STAYED - stayed.size)) stayed.add(jobId);
      failed += fresh.length;
      const going = messages.filter((message) => !staying.includes(message));
      const areMoved = await Promise.all(
        going.map((message) => this.#moveOne(task, order, message)),
      );
      moved += areMoved.filter(Boolean).length;
      if (areMoved.includes(false)) {
        await claims.giveBack(
          order.source,
          going.filter((_, place) => areMoved[place] === false),
        );
        return 'lost';
      }
      if (!(await holders.reportProgress(MOVE_QUEUE, task, { moved, failed }))) return 'lost';
      if (order.rate !== null) {
        const pause = (1000 * going.length) / order.rate - (clock.now() - began);
        await clock.sleep(pause, signal);
      }
      // A task that was cancelled meanwhile must not hold messages, even for a moment: another would not find them.
      if ((await attempts.renew(MOVE_QUEUE, [task], LOCK)).length > 0) return 'lost';
    }
    return { kind: 'completed', returnvalue: { moved, failed } };
  }

  /** Puts messages behind the others of their queue, so that those behind them are found. */
  async #setAside(source: QueueName, messages: readonly Attempt[]): Promise<void> {
    const { holders, control } = this.#dependencies;
    for (const message of messages) {
      await holders.reportRelease(source, message, ASIDE);
      await control.promote(source, message.jobId);
    }
  }

  /** @returns false, and moves nothing, when the task was cancelled. */
  async #moveOne(task: Attempt, order: MoveOrder, message: Attempt): Promise<boolean> {
    const { queues, reports, observer, ids } = this.#dependencies;
    const { job, jobId } = message;
    const target = targetOf(order, job);
    if (target === undefined) return true;
    const jobs = [copyOf(job, ids.draw())];
    const add = { jobs, defaults: {} };
    const identity = { key: `move:${task.jobId}:${order.source}:${jobId}`, body: '' };
    const partOf = { queue: MOVE_QUEUE, attempt: task };
    const { kind } = await queues.addOnce(target, add, identity, partOf);
    if (kind === 'lost') return false;
    if (kind === 'running') throw storeUnavailable(new Error('The move is still in progress'));
    if (kind === 'added') observer.observe({ kind: 'added', queue: target, jobs: 1 });
    await reports.complete(order.source, message, null);
    return true;
  }
}

/** Where a message goes; undefined when it came from no queue. */
function targetOf({ destination }: MoveOrder, { opts }: Job): QueueName | undefined {
  if (destination !== null) return destination;
  return originOfLetter(opts)?.queue;
}

/** The message as it was sent: a new one, with an id of its own, which no other keeps from being received at once. */
function copyOf(letter: Job, id: string): NewJob {
  const { opts, ...job } = lacking(jobOfLetter(letter), 'deduplication');
  return { ...job, opts: { ...opts, delay: 0, jobId: id } };
}
