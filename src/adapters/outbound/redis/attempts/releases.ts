import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { ReportOutcome } from '../../../../domain/attempts/attempt-report.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { runInTime } from '../connection/timely-run.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { CAME_LATE } from '../lua/answers.ts';
import { luaScript } from '../lua/load.ts';
import { isToken } from './attempt-token.ts';

const releaseScript = luaScript('release');

/** Puts jobs back as if their attempts had never started. */
export class Releases {
  readonly #commands: StoreCommands;
  readonly #clock: ClockPort;

  constructor(commands: StoreCommands, clock: ClockPort) {
    this.#commands = commands;
    this.#clock = clock;
  }

  /** Does nothing when the attempt does not hold the job. */
  async release(
    { meta, jobPrefix }: QueueKeys,
    { jobId, token }: AttemptKey,
    isUncounted: boolean,
  ): Promise<void> {
    if (!isToken(token)) return;
    const args = [jobPrefix, this.#clock.now(), jobId, token, 0, '', '', isUncounted ? '1' : ''];
    await this.#commands.scripts.run(releaseScript, [meta], args);
  }

  /**
   * Releases a job on the report of its holder: to the head of its place, or back after `delay` ms. If the store does
   * not answer in time, it does not make the change later either.
   */
  async report(
    { meta, jobPrefix }: QueueKeys,
    { jobId, token }: AttemptKey,
    delay: number,
  ): Promise<ReportOutcome> {
    if (!isToken(token)) return 'refused';
    const args = [jobPrefix, this.#clock.now(), jobId, token, delay, '1'];
    const answer = await runInTime(this.#commands, {
      script: releaseScript,
      keys: [meta],
      args: (deadline) => [...args, deadline],
      count: args.length,
      size: 0,
      isTooLate: (answer) => answer === CAME_LATE,
      what: 'a release',
    });
    if (answer === 'repeated') return 'repeated';
    return answer === 1 ? 'recorded' : 'refused';
  }
}
