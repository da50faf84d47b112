import { jobClaim, type JobClaim, type JobClaimInput } from '../../domain/attempts/job-claim.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { ReplicaSignalsPort, SignalScope } from '../ports/replica-signals-port.ts';
import { ClaimLine } from './claim-line.ts';
import { attemptsOf, JobTaking, type TakingDependencies } from './job-taking.ts';

/** Claims jobs for clients that pull jobs instead of being called. */
export class JobClaims {
  readonly #dependencies: TakingDependencies;
  readonly #signals: ReplicaSignalsPort;
  readonly #lockDuration: number;
  readonly #taking: JobTaking;
  readonly #lines = new Map<QueueName, ClaimLine>();
  #stopListening: (() => void) | undefined;

  /** @param lockDuration how long (ms) a job is held unless the client asks for another time. */
  constructor(dependencies: TakingDependencies, signals: ReplicaSignalsPort, lockDuration: number) {
    this.#dependencies = dependencies;
    this.#signals = signals;
    this.#lockDuration = lockDuration;
    this.#taking = new JobTaking(dependencies);
  }

  /**
   * Claims jobs for a client, and waits for the first one as long as the client asks. More jobs may be waiting.
   *
   * @param ending makes a signal that ends the wait; the claim may still return jobs.
   * @throws DomainError `invalid-request` naming the field.
   */
  claim(
    queue: QueueName,
    input: JobClaimInput,
    ending: () => AbortSignal,
  ): Promise<readonly Attempt[]> {
    return this.take(queue, jobClaim(input, this.#lockDuration), ending);
  }

  /** The same for a claim whose fields were checked. */
  async take(
    queue: QueueName,
    claim: JobClaim,
    ending: () => AbortSignal,
  ): Promise<readonly Attempt[]> {
    if (claim.wait > 0) return this.#line(queue).wait(claim, ending());
    const [result] = await this.#taking.takeFor(queue, [claim]);
    return result === undefined ? [] : attemptsOf(result);
  }

  /** Puts back jobs that did not reach their client, as if they had never been claimed. */
  giveBack(queue: QueueName, attempts: readonly Attempt[]): Promise<void> {
    return this.#taking.giveBack(queue, attempts);
  }

  /** Handles the signal that a queue was opened: its hold has ended, or its endpoint may be called again. */
  #askAgain({ queue }: SignalScope): void {
    for (const [waitedFor, line] of this.#lines) {
      if (queue === undefined || queue === waitedFor) line.askAgain();
    }
  }

  #line(queue: QueueName): ClaimLine {
    const known = this.#lines.get(queue);
    if (known !== undefined) return known;
    const { attempts, clock } = this.#dependencies;
    const ended = (): void => {
      this.#leave(queue);
    };
    const line = new ClaimLine({ queue, taking: this.#taking, attempts, clock, ended });
    this.#lines.set(queue, line);
    this.#stopListening ??= this.#signals.listen('opened', (scope) => {
      this.#askAgain(scope);
    });
    return line;
  }

  #leave(queue: QueueName): void {
    this.#lines.delete(queue);
    if (this.#lines.size > 0) return;
    this.#stopListening?.();
    this.#stopListening = undefined;
  }
}
