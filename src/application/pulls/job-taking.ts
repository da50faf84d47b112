import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import type { JobClaim } from '../../domain/attempts/job-claim.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { openTimeOf } from '../../domain/queues/window.ts';
import { DEFAULT_CONCURRENCY } from '../../domain/workers/worker-options.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import { groupDefaults } from '../policies/group-defaults.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';
import {
  failedForGood,
  reasonNotToStart,
  type AttemptEnding,
} from '../../domain/attempts/ending.ts';
import type { Claim, ClaimRequest } from '../../domain/attempts/claim.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { WorkersInForce } from '../kept/known-workers.ts';
import { giveBack } from '../attempts/give-back.ts';
import type { ClaimNotes } from './claim-notes.ts';
import { ClaimTokens } from '../running/claim-tokens.ts';
import type { NoJob } from '../running/wait-after.ts';
import type { CommonPorts } from '../ports/common-ports.ts';

export interface TakingDependencies extends Pick<
  CommonPorts,
  'attempts' | 'tokens' | 'observer' | 'clock' | 'logger'
> {
  readonly workers: WorkersInForce;
  readonly policies: PoliciesInForce;
  readonly notes: ClaimNotes;
}

export interface Taken {
  readonly attempts: readonly Attempt[];
  /** Why there were no more jobs; undefined when there may be more. */
  readonly noMore: NoJob | undefined;
}

/** @throws the error because of which the client got none. */
export function attemptsOf(result: PromiseSettledResult<Taken>): readonly Attempt[] {
  if (result.status === 'rejected') throw result.reason;
  return result.value.attempts;
}

/** How many jobs a client asks for, and how it holds them. */
export type ClaimTerms = Pick<JobClaim, 'count' | 'lock' | 'isReceived'>;

type Terms = Omit<ClaimRequest, 'token' | 'isRepeated'>;

/** How many unanswered claims of a queue are remembered: those of one client. */
const MOST_UNANSWERED = 100;

/** Claims jobs for clients that pull them, within the limits of the registered worker, if there is one. */
export class JobTaking {
  readonly #dependencies: TakingDependencies;
  /** By queue and by how jobs are held, for claims that are running or got no answer. */
  readonly #tokens = new Map<string, ClaimTokens>();

  constructor(dependencies: TakingDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Claims jobs for several clients, in order. All their claims go to the store in one turn.
   *
   * @returns the jobs of each client, or the error of its claim. It never rejects.
   */
  async takeFor(
    queue: QueueName,
    clients: readonly ClaimTerms[],
  ): Promise<readonly PromiseSettledResult<Taken>[]> {
    const { notes, observer, workers } = this.#dependencies;
    notes.note(queue);
    observer.observe({ kind: 'served', queue });
    const [worker] = await Promise.allSettled([workers.workerOf(queue)]);
    if (worker.status === 'rejected') return clients.map(() => worker);
    return Promise.allSettled(clients.map((client) => this.#take(queue, client, worker.value)));
  }

  /** Puts jobs back where they were, as if they had never been claimed. Jobs that cannot be put back stall. */
  async giveBack(queue: QueueName, taken: readonly Attempt[]): Promise<void> {
    const { attempts, logger } = this.#dependencies;
    const lost = await giveBack(attempts, queue, taken);
    if (lost > 0) {
      logger.warn('Jobs that did not reach their client could not be put back', { queue, lost });
    }
  }

  async #take(
    queue: QueueName,
    { count, lock: lockDuration, isReceived = false }: ClaimTerms,
    worker: Worker | undefined,
  ): Promise<Taken> {
    const { concurrency = DEFAULT_CONCURRENCY, limiter } = worker?.opts ?? {};
    const ofWorker = worker === undefined ? {} : { concurrency, limiter };
    const { policies } = this.#dependencies;
    const terms = (): Terms => {
      const groups = groupDefaults(queue, worker, policies);
      const window = policies.windowOf(queue);
      const limits = policies.of(queue)?.limits;
      return {
        isPulled: true,
        wantsSteps: !isReceived,
        isReceived,
        lockDuration,
        ...ofWorker,
        ...(groups && { groups }),
        ...(limits && { limits }),
        ...(window && { openTime: openTimeOf(window) }),
      };
    };
    const claims = await (ofWorker.limiter === undefined
      ? policies.startJobs(() => this.#claimEach(queue, count, terms()))
      : this.#claimUntilRefused(queue, count, terms));
    const taken = claims.flatMap((claim) => (claim.kind === 'attempt' ? [claim.attempt] : []));
    const noMore = claims.find((claim) => claim.kind !== 'attempt');
    // A received message does not stall.
    const held = isReceived ? taken : await this.#held(queue, taken, lockDuration);
    const attempts = await this.#startable(queue, held, worker);
    return { attempts, noMore };
  }

  async #claimEach(queue: QueueName, count: number, terms: Terms): Promise<readonly Claim[]> {
    const claims = Array.from({ length: count }, () => this.#claim(queue, terms));
    const results = await Promise.allSettled(claims);
    const answered = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const failed = results.find((each) => each.status === 'rejected');
    if (failed !== undefined && !answered.some(({ kind }) => kind === 'attempt')) {
      throw failed.reason;
    }
    return answered;
  }

  /** Claims one job at a time: with a limiter, each claim goes to the store separately. */
  async #claimUntilRefused(queue: QueueName, count: number, terms: () => Terms): Promise<Claim[]> {
    const { policies } = this.#dependencies;
    const claims: Claim[] = [];
    while (claims.length < count) {
      try {
        const claim = await policies.startJobs(() => this.#claim(queue, terms()));
        claims.push(claim);
        if (claim.kind !== 'attempt') break;
      } catch (error) {
        if (claims.length === 0) throw error;
        break;
      }
    }
    return claims;
  }

  async #claim(queue: QueueName, terms: Terms): Promise<Claim> {
    const { attempts } = this.#dependencies;
    const key = `${terms.isReceived === true ? 'received' : 'pulled'}:${queue}`;
    const tokens = this.#tokensOf(key);
    try {
      return await tokens.use((token, isRepeated) =>
        attempts.claim(queue, { ...terms, token, ...(isRepeated && { isRepeated }) }),
      );
    } finally {
      if (tokens.isIdle) this.#tokens.delete(key);
    }
  }

  #tokensOf(key: string): ClaimTokens {
    const { tokens } = this.#dependencies;
    return keptOrMade(this.#tokens, key, () => new ClaimTokens(tokens, MOST_UNANSWERED));
  }

  /** The attempts that still hold their jobs: locks may have expired while this process was suspended. */
  async #held(
    queue: QueueName,
    taken: readonly Attempt[],
    lockDuration: number,
  ): Promise<readonly Attempt[]> {
    const { attempts, clock, logger } = this.#dependencies;
    const now = clock.now();
    const late = taken.filter(({ job }) => now - (job.processedOn ?? now) > lockDuration / 2);
    if (late.length === 0) return taken;
    try {
      const lost = new Set(await attempts.renew(queue, late, lockDuration));
      return taken.filter((attempt) => !lost.has(attempt));
    } catch (error) {
      // These jobs stall, and their next holder processes them.
      logger.debug('Locks of jobs claimed long ago could not be renewed', { queue, error });
      return taken.filter((attempt) => !late.includes(attempt));
    }
  }

  /** Returns the attempts that may be processed, and fails the others without trying them. */
  async #startable(
    queue: QueueName,
    taken: readonly Attempt[],
    worker: Worker | undefined,
  ): Promise<readonly Attempt[]> {
    const { observer, clock } = this.#dependencies;
    const startable: Attempt[] = [];
    for (const attempt of taken) {
      observer.observe({ kind: 'started', queue, attempt });
      const reason = reasonNotToStart(attempt, clock.now());
      if (reason === undefined) startable.push(attempt);
      else await this.#fail(queue, attempt, failedForGood(worker?.opts?.removeOnFail, reason));
    }
    return startable;
  }

  async #fail(queue: QueueName, attempt: Attempt, ending: AttemptEnding): Promise<void> {
    const { attempts, observer, logger } = this.#dependencies;
    const { job, jobId } = attempt;
    try {
      const { held } = await attempts.settle(queue, attempt, ending);
      if (!held) return;
      observer.observe({ kind: 'reported', queue, attempt, job, ending, isQuoted: false });
    } catch (error) {
      // The job stalls, and its next holder tries again.
      logger.debug('A job that must fail could not be ended', { queue, job: jobId, error });
    }
  }
}
