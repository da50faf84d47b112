import type { Attempt, AttemptKey } from '../../domain/attempts/attempt.ts';
import { receiveClaim, type Receipt, type Receive } from '../../domain/attempts/received.ts';
import { DomainError, invalidRequest } from '../../domain/errors.ts';
import { isReservedJobId } from '../../domain/jobs/job-id.ts';
import { MAX_VISIBILITY, visibilityShape } from '../../domain/policies/message-policy.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import type { AttemptReports } from '../attempts/attempt-reports.ts';
import type { OverdueSweep } from '../maintenance/overdue-sweep.ts';
import type { VisibleMessages } from '../maintenance/visible-messages.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { AttemptHolderPort } from '../ports/attempt-holder-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { JobControlPort } from '../ports/job-control-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import type { JobClaims } from '../pulls/job-claims.ts';

export interface ReceivesDependencies {
  readonly claims: Pick<JobClaims, 'take' | 'giveBack'>;
  readonly reports: Pick<AttemptReports, 'complete'>;
  readonly attempts: Pick<AttemptHolderPort, 'extend' | 'heldJob'>;
  readonly queues: Pick<QueuePort, 'find'>;
  readonly control: Pick<JobControlPort, 'removeAlone'>;
  readonly visible: Pick<VisibleMessages, 'show'>;
  readonly sweep: Pick<OverdueSweep, 'expect'>;
  readonly policies: Pick<PoliciesInForce, 'known' | 'of'>;
  readonly clock: ClockPort;
}

/**
 * Hands out the jobs of queues as messages (reach contract, section 21). A received message is in flight: until its
 * visibility timeout is over no other receive gets it; then it is visible again, or goes to the dead letter queue of the
 * policy in force. Methods throw DomainError `store-unavailable`.
 */
export class Receives {
  readonly #dependencies: ReceivesDependencies;

  constructor(dependencies: ReceivesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Receives messages, and waits for the first one as long as the client, or else the policy, asks. More may be there.
   *
   * @param ending makes a signal that ends the wait; messages may still be received.
   * @throws DomainError `invalid-request` naming the field.
   */
  async receive(
    queue: QueueName,
    input: Receive,
    ending: () => AbortSignal,
  ): Promise<readonly Attempt[]> {
    const { claims, policies, sweep, clock } = this.#dependencies;
    await policies.known();
    const claim = receiveClaim(input, policies.of(queue)?.messages);
    const attempts = await claims.take(queue, claim, ending);
    if (attempts.length > 0) sweep.expect(clock.now() + claim.lock);
    return attempts;
  }

  /** Puts messages back that did not reach their client. */
  giveBack(queue: QueueName, attempts: readonly Attempt[]): Promise<void> {
    return this.#dependencies.claims.giveBack(queue, attempts);
  }

  /**
   * Ends the visibility timeout of a message in flight in `visibility` ms: with 0 now, as when it is over by itself.
   *
   * @throws DomainError `message-not-in-flight`; `invalid-request` for an end of more than 12 hours after the receive.
   */
  async changeVisibility(queue: QueueName, key: AttemptKey, visibility: number): Promise<void> {
    checkShape(visibilityShape, visibility, 'visibility');
    const { attempts, visible, sweep, clock } = this.#dependencies;
    const job = isReservedJobId(key.jobId) ? undefined : await attempts.heldJob(queue, key);
    if (job === undefined) throw notInFlight();
    if (visibility === 0) {
      if (!(await visible.show(queue, { ...key, job }, 'behind'))) throw notInFlight();
      return;
    }
    const until = clock.now() + visibility;
    if (until - (job.processedOn ?? until) > MAX_VISIBILITY) {
      const must = `must end at most ${MAX_VISIBILITY} ms after the receive`;
      throw invalidRequest(`visibility ${must}`, 'visibility');
    }
    if (!(await attempts.extend(queue, key, visibility))) throw notInFlight();
    sweep.expect(until);
  }

  /**
   * Deletes a message: its job is completed with null, or removed when it is not in flight any more and nobody received
   * it since. An older receipt changes nothing.
   *
   * @throws DomainError `receipt-expired` when the queue is in order (`fifo`) and the message is not in flight.
   */
  async delete(queue: QueueName, { jobId, token, receives }: Receipt): Promise<void> {
    const { policies, control, queues } = this.#dependencies;
    const key = { jobId, token };
    if (await this.#complete(queue, key)) return;
    const job = isReservedJobId(jobId) ? undefined : await queues.find(queue, jobId);
    if (job === undefined || job.state === 'completed') return;
    await policies.known();
    if (policies.of(queue)?.messages?.fifo === true) throw receiptExpired();
    if (job.attemptsStarted !== receives) return;
    // Another receive may have got it meanwhile: then it stays.
    await control.removeAlone(queue, jobId, ['waiting', 'prioritized', 'delayed']);
  }

  /** @returns false when the message is not in flight, and no such report ended its receive just now. */
  async #complete(queue: QueueName, key: AttemptKey): Promise<boolean> {
    try {
      await this.#dependencies.reports.complete(queue, key, null);
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unauthorized') return false;
      throw error;
    }
  }
}

function notInFlight(): DomainError {
  return new DomainError('message-not-in-flight', 'The message is not in flight');
}

function receiptExpired(): DomainError {
  return new DomainError('receipt-expired', 'The receipt has expired');
}
