import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { ReportOutcome } from '../../../../domain/attempts/attempt-report.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { callInTime } from '../connection/timely-run.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { release } from '../scripts/attempts.ts';
import { isToken } from './attempt-token.ts';

/** Puts jobs back as if their attempts had never started. */
export class Releases {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;

  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Does nothing when the attempt does not hold the job. */
  async release(keys: QueueKeys, attempt: AttemptKey, isUncounted: boolean): Promise<void> {
    if (!isToken(attempt.token)) return;
    const args = { ...this.#atOnce(attempt), isUncounted };
    await this.#store.call(release, keys, args);
  }

  /**
   * Releases a job on the report of its holder: to the head of its place, or back after `delay` ms. If the store does
   * not answer in time, it does not make the change later either.
   */
  async report(keys: QueueKeys, attempt: AttemptKey, delay: number): Promise<ReportOutcome> {
    if (!isToken(attempt.token)) return 'refused';
    const args = { ...this.#atOnce(attempt), delay, isReported: true };
    const answer = await callInTime(this.#store, release, keys, args, 'a release');
    if (answer === 'repeated') return 'repeated';
    return answer === 1 ? 'recorded' : 'refused';
  }

  #atOnce({ jobId: id, token }: AttemptKey) {
    const terms = { delay: 0, isReported: false, deadline: '', isUncounted: false };
    return { timestamp: this.#clock.now(), token, id, ...terms };
  }
}
