import type { JobAddress } from '../../domain/flows/flow.ts';
import type { ActionOutcome } from '../../domain/jobs/job-actions.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { FlowPort } from '../ports/flow-port.ts';
import type { JobControlPort } from '../ports/job-control-port.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import type { KeptWorkers } from '../kept/workers.ts';
import { allEnded } from '../running/all-ended.ts';
import { inSteps } from '../running/in-steps.ts';
import { inTurns } from '../running/in-turns.ts';
import { familyOf, inQueues, MEMBERS_AT_ONCE } from './family.ts';

export interface FamilyCancellingDependencies extends Pick<
  CommonPorts,
  'flows' | 'control' | 'signals' | 'observer'
> {
  readonly workers: KeptWorkers;
  readonly clock: Pick<ClockPort, 'turn'>;
}

/** Cancels jobs with all their descendants, in any queues, in short steps. */
export class FamilyCancelling {
  readonly #flows: FlowPort;
  readonly #control: JobControlPort;
  readonly #workers: KeptWorkers;
  readonly #signals: ReplicaSignalsPort;
  readonly #observer: AttemptObserver;
  readonly #clock: Pick<ClockPort, 'turn'>;

  constructor({ flows, control, workers, signals, observer, clock }: FamilyCancellingDependencies) {
    this.#flows = flows;
    this.#control = control;
    this.#workers = workers;
    this.#signals = signals;
    this.#observer = observer;
    this.#clock = clock;
  }

  /**
   * Parents are cancelled before their children, so that no parent starts when its children end. When it throws an error
   * that `mayBeStored`, some jobs may already be cancelled; it may be repeated.
   *
   * @returns the outcome for the first job, or `done` when any other job was cancelled.
   */
  cancel(root: JobAddress, reason: string): Promise<ActionOutcome> {
    return inSteps((changed) => this.#cancel(root, reason, changed));
  }

  async #cancel(root: JobAddress, reason: string, changed: () => void): Promise<ActionOutcome> {
    // The list of children is lost with a job that is not kept.
    const levels = await familyOf(({ queue, id }) => this.#flows.childAddresses(queue, id), root);
    const cancel = await this.#cancelling(levels, reason, changed);
    if (levels.length > 1) {
      for (const [queue, ids] of inQueues(levels.flat())) {
        await this.#control.bringTogether(queue, ids);
      }
    }
    const outcomes: ActionOutcome[] = [];
    for (const level of levels) {
      for await (const group of inTurns(this.#clock, level, MEMBERS_AT_ONCE)) {
        outcomes.push(...(await this.#wakingOthers(group, () => allEnded(group.map(cancel)))));
      }
    }
    const done = outcomes.find(({ kind }) => kind === 'done');
    return done ?? outcomes[0] ?? { kind: 'missing' };
  }

  async #cancelling(
    levels: readonly (readonly JobAddress[])[],
    reason: string,
    changed: () => void,
  ) {
    const queues = [...new Set(levels.flat().map(({ queue }) => queue))];
    const workers = await Promise.all(queues.map((queue) => this.#workers.find(queue)));
    const keep = new Map(queues.map((queue, at) => [queue, workers[at]?.opts?.removeOnFail]));
    return async ({ queue, id }: JobAddress): Promise<ActionOutcome> => {
      const outcome = await this.#control.cancel(queue, id, { reason, keep: keep.get(queue) });
      if (outcome.kind === 'done') {
        changed();
        this.#observer.observe({ kind: 'failed', queue, jobs: [{ id, reason }] });
      }
      return outcome;
    };
  }

  /** As for a single job, replicas that may hold a job are also woken when the answer of the store was lost. */
  async #wakingOthers(
    group: readonly JobAddress[],
    cancel: () => Promise<readonly ActionOutcome[]>,
  ): Promise<readonly ActionOutcome[]> {
    let queues: readonly QueueName[] = group.map(({ queue }) => queue);
    try {
      const outcomes = await cancel();
      queues = queues.filter((_, index) => outcomes[index]?.kind === 'done');
      return outcomes;
    } finally {
      for (const queue of new Set(queues)) this.#signals.send('cancelled', { queue });
    }
  }
}
