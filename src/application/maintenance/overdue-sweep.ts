import { attemptFailed, withCall } from '../../domain/attempts/ending.ts';
import { overdueReason, type OverdueAttempt } from '../../domain/attempts/acceptance.ts';
import type { AttemptHolderPort } from '../ports/attempt-holder-port.ts';
import type { AttemptSweepPort } from '../ports/attempt-sweep-port.ts';
import type { WorkersInForce } from '../kept/known-workers.ts';
import { Notifier } from '../running/notifier.ts';
import type { RepeatedWork } from '../running/rounds.ts';
import type { VisibleMessages } from './visible-messages.ts';
import type { CommonPorts } from '../ports/common-ports.ts';

/** Maximum time (ms) between two rounds. */
const LONGEST_INTERVAL = 5000;

/** Minimum pause (ms) between rounds, so that the store can serve others. */
const PAUSE = 10;

export interface OverdueSweepDependencies extends Pick<
  CommonPorts,
  'attempts' | 'observer' | 'clock'
> {
  readonly holders: Pick<AttemptHolderPort, 'callOf'>;
  readonly sweeps: AttemptSweepPort;
  readonly workers: WorkersInForce;
  readonly messages: Pick<VisibleMessages, 'show'>;
}

/**
 * Fails the attempts whose endpoints accepted their jobs but did not complete them in time, and makes messages visible
 * again whose visibility timeout is over. Every replica sweeps all queues; the first one to find an attempt ends it.
 */
export class OverdueSweep implements RepeatedWork {
  readonly name = 'overdue sweep';
  readonly failure;
  readonly sooner = new Notifier();
  readonly #dependencies: OverdueSweepDependencies;
  readonly #interval: number;
  /** When (epoch ms) the next round begins; none is expected to begin earlier while one runs. */
  #nextRoundAt = -Infinity;
  /** The earliest time that was expected since the last round began. */
  #expected = Infinity;

  /** @param interval how long (ms) an overdue attempt may go unnoticed (STALLED_INTERVAL). */
  constructor(dependencies: OverdueSweepDependencies, interval: number) {
    this.#dependencies = dependencies;
    this.#interval = Math.min(interval, LONGEST_INTERVAL);
    this.failure = { line: 'The overdue sweep failed', pause: this.#interval };
  }

  /** An attempt may be overdue at that time (epoch ms), and is to be found then rather than within the interval. */
  expect(at: number): void {
    this.#expected = Math.min(this.#expected, at);
    if (at + PAUSE < this.#nextRoundAt) this.sooner.notify();
  }

  async round(): Promise<number> {
    const { sweeps, clock } = this.#dependencies;
    this.#nextRoundAt = -Infinity;
    this.#expected = Infinity;
    const { found, nextAt = Infinity } = await sweeps.overdue();
    // The latest first, since a message goes ahead of those before it.
    await Promise.all(found.toReversed().map((each) => this.#end(each)));
    const now = clock.now();
    const untilNext = Math.min(nextAt, this.#expected) - now;
    const pause = found.length > 0 ? PAUSE : Math.max(PAUSE, Math.min(this.#interval, untilNext));
    this.#nextRoundAt = now + pause;
    return pause;
  }

  async #end(overdue: OverdueAttempt): Promise<void> {
    const { messages } = this.#dependencies;
    if (overdue.isReceived) await messages.show(overdue.queue, overdue.attempt, 'ahead');
    else await this.#fail(overdue);
  }

  async #fail({ queue, attempt, bound }: OverdueAttempt): Promise<void> {
    const { attempts, holders, workers, observer, clock } = this.#dependencies;
    const worker = await workers.workerOf(queue);
    const keep = worker?.opts?.removeOnFail;
    const call = { outcome: 'timeout' } as const;
    const batch =
      worker?.opts?.batch === undefined ? undefined : await holders.callOf(queue, attempt);
    const failed = attemptFailed(keep, attempt, overdueReason(bound), call, clock.now());
    const ending = withCall(failed, batch);
    const { held } = await attempts.settle(queue, attempt, ending);
    if (!held) return;
    const { job } = attempt;
    observer.observe({ kind: 'reported', queue, attempt, ending, isQuoted: false, job });
  }
}
