import { attemptFailed, withCall } from '../../domain/attempts/ending.ts';
import { overdueReason } from '../../domain/attempts/acceptance.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { AttemptEnginePort } from '../ports/attempt-engine-port.ts';
import type { AttemptHolderPort } from '../ports/attempt-holder-port.ts';
import type { AttemptSweepPort } from '../ports/attempt-sweep-port.ts';
import type { OverdueAttempt } from '../../domain/attempts/acceptance.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { WorkersInForce } from '../ports/workers-in-force.ts';
import type { RepeatedWork } from '../running/rounds.ts';

/** Maximum time (ms) between two rounds. */
const LONGEST_INTERVAL = 5000;

/** Pause (ms) between rounds while more attempts are overdue, so that the store can serve others. */
const PAUSE = 10;

export interface OverdueSweepDependencies {
  readonly attempts: AttemptEnginePort;
  readonly holders: Pick<AttemptHolderPort, 'callOf'>;
  readonly sweeps: AttemptSweepPort;
  readonly workers: WorkersInForce;
  readonly observer: AttemptObserver;
  readonly clock: ClockPort;
}

/**
 * Fails the attempts whose endpoints accepted their jobs but did not complete them in time. Every replica sweeps all
 * queues; the first one to find an attempt ends it.
 */
export class OverdueSweep implements RepeatedWork {
  readonly name = 'overdue sweep';
  readonly failure;
  readonly #dependencies: OverdueSweepDependencies;
  readonly #interval: number;

  /** @param interval how long (ms) an overdue attempt may go unnoticed (STALLED_INTERVAL). */
  constructor(dependencies: OverdueSweepDependencies, interval: number) {
    this.#dependencies = dependencies;
    this.#interval = Math.min(interval, LONGEST_INTERVAL);
    this.failure = { line: 'The overdue sweep failed', pause: this.#interval };
  }

  async round(): Promise<number> {
    const overdue = await this.#dependencies.sweeps.overdue();
    await Promise.all(overdue.map((each) => this.#fail(each)));
    return overdue.length > 0 ? PAUSE : this.#interval;
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
