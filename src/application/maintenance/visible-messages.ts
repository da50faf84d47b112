import type { Attempt } from '../../domain/attempts/attempt.ts';
import { visibleAgain } from '../../domain/attempts/received.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { AttemptEnginePort } from '../ports/attempt-engine-port.ts';
import type { WorkersInForce } from '../kept/known-workers.ts';

export interface VisibleMessagesDependencies extends Pick<CommonPorts, 'observer' | 'clock'> {
  readonly attempts: Pick<AttemptEnginePort, 'settle'>;
  readonly policies: Pick<PoliciesInForce, 'known' | 'of'>;
  readonly workers: WorkersInForce;
}

/** Makes received messages visible again, or gives them up where the policy in force says so. */
export class VisibleMessages {
  readonly #dependencies: VisibleMessagesDependencies;

  constructor(dependencies: VisibleMessagesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Ends the receive of a message that was not deleted.
   *
   * @param place `ahead` when its time is over, `behind` when its client gave it up.
   * @returns false when the attempt does not hold the job any more.
   * @throws DomainError `store-unavailable`.
   */
  async show(queue: QueueName, attempt: Attempt, place: 'ahead' | 'behind'): Promise<boolean> {
    const { attempts, policies, workers, observer, clock } = this.#dependencies;
    const { job } = attempt;
    const worker = await workers.workerOf(queue);
    await policies.known();
    const redrive = policies.of(queue)?.messages?.redrive;
    const keep = worker?.opts?.removeOnFail;
    const ending = visibleAgain(job, place, redrive, keep, clock.now());
    const { held } = await attempts.settle(queue, attempt, ending);
    if (held) observer.observe({ kind: 'reported', queue, attempt, ending, isQuoted: false, job });
    return held;
  }
}
