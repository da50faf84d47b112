import {
  attemptFailed,
  failedForGood,
  reasonNotToStart,
  type AttemptEnding,
} from '../../domain/attempts/ending.ts';
import { DomainError, isStoreUnavailable } from '../../domain/errors.ts';
import { pushEnding } from '../../domain/messages/push-ending.ts';
import { pushOf, type Push } from '../../domain/messages/push.ts';
import { hasUrl, NO_ENDPOINT } from '../../domain/workers/called-worker.ts';
import {
  makeCall,
  runAttempt,
  type AttemptRun,
  type MakeAttempt,
} from '../calls/attempt-runner.ts';
import type { AttemptResult } from '../ports/attempt-observer.ts';
import { untilStoreAnswers } from '../running/until-store-answers.ts';
import type { PushCallbacks, PushOutcome } from './push-callbacks.ts';
import type { PushCalls } from './push-calls.ts';
import type { PushKeys } from './push-keys.ts';
import type { PushSchedules } from './push-schedules.ts';

/** Calls for pushed messages as QStash does, and for all other jobs as ever (further contract, section 24). */
export class PushAttempts {
  readonly #calls: PushCalls;
  readonly #callbacks: PushCallbacks;
  readonly #keys: Pick<PushKeys, 'read'>;
  #publishing: Pick<PushSchedules, 'publish'> | undefined;

  constructor(calls: PushCalls, callbacks: PushCallbacks, keys: Pick<PushKeys, 'read'>) {
    this.#calls = calls;
    this.#callbacks = callbacks;
    this.#keys = keys;
  }

  readonly make: MakeAttempt = (run) => {
    const push = pushOf(run.attempt.job.opts);
    if (push === undefined) return runAttempt(run);
    return push.scheduled === undefined ? this.#push(run, push) : this.#publish(run);
  };

  /** To be called before the first attempt. @param schedules publish the messages of their jobs. */
  publishBy(schedules: Pick<PushSchedules, 'publish'>): void {
    this.#publishing = schedules;
  }

  async #publish({ worker, attempt, clock }: AttemptRun): Promise<AttemptResult> {
    const { removeOnComplete, removeOnFail } = worker.opts ?? {};
    try {
      await this.#publishing?.publish(attempt.job);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const call = { outcome: 'failed' } as const;
      return { ending: attemptFailed(removeOnFail, attempt, error.message, call, clock.now()) };
    }
    const call = { outcome: 'completed' } as const;
    return { ending: { kind: 'completed', returnvalue: null, keep: removeOnComplete, call } };
  }

  async #push(run: AttemptRun, push: Push): Promise<AttemptResult> {
    const { worker, attempt, clock } = run;
    const keep = worker.opts?.removeOnFail;
    const mustFail = reasonNotToStart(attempt, clock.now());
    if (!hasUrl(worker)) return { ending: failedForGood(keep, mustFail ?? NO_ENDPOINT) };
    const follow = (made: PushOutcome, ending: AttemptEnding): Promise<void> =>
      this.#callbacks.follow(run, worker, push, made, ending);
    if (mustFail !== undefined) {
      const ending = failedForGood(keep, mustFail);
      await follow({ outcome: { succeeded: false, reason: mustFail } }, ending);
      return { ending };
    }
    const key = worker.unreadable === undefined ? await this.#keyFor(run) : undefined;
    if (key === undefined || key instanceof DomainError) {
      const reason = worker.unreadable ?? key?.message ?? '';
      return { ending: attemptFailed(keep, attempt, reason, { outcome: 'failed' }, clock.now()) };
    }
    const call = this.#calls.of(worker, attempt, push, key, clock.now());
    const made = await makeCall(run, call);
    const ending = pushEnding(made, push, attempt, worker.opts, clock.now());
    await follow(made, ending);
    const { outcome } = made;
    return { ending, ...(!outcome.succeeded && { status: outcome.status }) };
  }

  /** The key that signs the call, or why there is none; undefined for an attempt that was given up. */
  async #keyFor({ clock, cancellation }: AttemptRun): Promise<string | DomainError | undefined> {
    try {
      const isNeeded = (): boolean => !cancellation.isRequested;
      return (await untilStoreAnswers(clock, isNeeded, () => this.#keys.read()))?.current;
    } catch (error) {
      if (!(error instanceof DomainError) || isStoreUnavailable(error)) throw error;
      return error;
    }
  }
}
