import type { AttemptEnding } from '../../../../domain/attempts/ending.ts';
import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { ClaimRequest } from '../../../../domain/attempts/claim.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { Verdict } from '../../../../domain/attempts/breaker.ts';
import type { EndedCall } from '../../../../domain/attempts/attempt-record.ts';
import { withFailure, type Job } from '../../../../domain/jobs/job.ts';
import type { Retention } from '../../../../domain/jobs/job-retention.ts';
import type { Script, Scripts } from '../connection/scripts.ts';
import { endedCall } from '../layout/attempt-lines.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { takingKeys, type Claiming } from './claiming.ts';
import { deferScript } from './defer-script.ts';
import type { LibraryScripts } from './library-scripts.ts';

/** The fields of a job that recording its failure needs. */
export type FailedJob = Pick<Job, 'opts' | 'stacktrace'>;

/** Reads a job that failed; a job that no longer exists has the fields of a new one. */
export type ReadFailedJob = (keys: QueueKeys, jobId: string) => Promise<FailedJob>;

/** Runs a script that ends an attempt. */
export type RunScript = Scripts['run'];

type Deferral = Extract<AttemptEnding, { readonly kind: 'deferred' }>;

interface Finish {
  readonly target: 'completed' | 'failed';
  readonly field: 'returnvalue' | 'failedReason';
  readonly value: string;
  readonly keep: Retention | undefined;
  readonly attempts: number;
  readonly fields?: Buffer;
  readonly call: string;
  readonly verdict: Buffer | '';
}

interface FailedCall extends Pick<Finish, 'call' | 'verdict'> {
  readonly fields: Buffer;
}

/** Ends attempts through the library's scripts. */
export class AttemptEndings {
  readonly #library: LibraryScripts;
  readonly #scripts: Scripts;
  readonly #claiming: Claiming;
  readonly #clock: ClockPort;
  readonly #read: ReadFailedJob;
  readonly #deferScript: Script = deferScript();

  constructor(
    library: LibraryScripts,
    scripts: Scripts,
    claiming: Claiming,
    clock: ClockPort,
    read: ReadFailedJob,
  ) {
    this.#library = library;
    this.#scripts = scripts;
    this.#claiming = claiming;
    this.#clock = clock;
    this.#read = read;
  }

  /**
   * @param run runs the script, in place of a plain run.
   * @returns the answer of the script: a number or the answer to the claim, with the move of the breaker if there was
   * one.
   */
  async end(
    keys: QueueKeys,
    attempt: AttemptKey,
    ending: AttemptEnding,
    next: ClaimRequest | undefined,
    run: RunScript = this.#scripts.run.bind(this.#scripts),
  ): Promise<unknown> {
    if (ending.kind === 'deferred') return this.#defer(keys, attempt, ending, run);
    const verdict = this.#packed(ending.verdict);
    if (ending.kind === 'completed') {
      const value = JSON.stringify(ending.returnvalue);
      const call = this.#recorded(ending.call);
      const end = { target: 'completed', field: 'returnvalue', value, attempts: 0, call } as const;
      return this.#finish(keys, attempt, { ...end, keep: ending.keep, verdict }, next, run);
    }
    // Only the attempt that holds the job writes these fields, so they cannot change in between.
    const { opts, stacktrace } = await this.#read(keys, attempt.jobId);
    const { reason } = ending;
    const call = this.#recorded(ending.call, reason);
    const fields = this.#claiming.pack([
      'failedReason',
      reason,
      'stacktrace',
      JSON.stringify(withFailure(stacktrace, reason)),
    ]);
    if (ending.kind === 'failed') {
      const attempts = Number.isFinite(opts.attempts) ? opts.attempts : 0;
      const end = {
        target: 'failed',
        field: 'failedReason',
        value: reason,
        attempts,
        call,
        verdict,
      } as const;
      return this.#finish(keys, attempt, { ...end, keep: ending.keep, fields }, next, run);
    }
    const failed = { fields, call, verdict };
    if (ending.delay === 0) {
      return this.#retryNow(keys, attempt, opts.lifo === true, failed, run);
    }
    return this.#delay(keys, attempt, ending.delay, failed, next, run);
  }

  #finish(
    keys: QueueKeys,
    { jobId, token }: AttemptKey,
    end: Finish,
    next: ClaimRequest | undefined,
    run: RunScript,
  ): Promise<unknown> {
    return run(
      this.#library.finish,
      [
        ...takingKeys(keys),
        keys[end.target],
        keys.jobPrefix + jobId,
        `${keys.jobPrefix}metrics:${end.target}`,
        keys.marker,
      ],
      [
        jobId,
        this.#clock.now(),
        end.field,
        end.value,
        end.target,
        next === undefined ? 0 : 1,
        keys.jobPrefix,
        this.#claiming.pack({
          token,
          keepJobs: end.keep ?? { count: -1 },
          attempts: end.attempts,
          maxMetricsSize: '',
          ...(next !== undefined && this.#claimOptions(next)),
        }),
        end.fields ?? '',
        end.call,
        end.verdict,
      ],
    );
  }

  #delay(
    keys: QueueKeys,
    { jobId, token }: AttemptKey,
    delay: number,
    { fields, call, verdict }: FailedCall,
    next: ClaimRequest | undefined,
    run: RunScript,
  ): Promise<unknown> {
    const claim = next && this.#claiming.pack({ token, ...this.#claimOptions(next) });
    return run(this.#library.delay, delayKeys(keys, jobId), [
      keys.jobPrefix,
      this.#clock.now(),
      jobId,
      token,
      delay,
      '0',
      fields,
      claim ? 1 : 0,
      claim ?? '',
      call,
      verdict,
    ]);
  }

  /** The hold ends by the clock of the store, so the script takes its duration. */
  #defer(
    keys: QueueKeys,
    { jobId, token }: AttemptKey,
    { reason, scope, until, call }: Deferral,
    run: RunScript,
  ): Promise<unknown> {
    const now = this.#clock.now();
    return run(
      this.#deferScript,
      [
        keys.active,
        keys.wait,
        keys.prioritized,
        keys.delayed,
        keys.events,
        keys.meta,
        keys.stalled,
        keys.marker,
        keys.jobPrefix + jobId,
      ],
      [
        keys.jobPrefix,
        now,
        jobId,
        token,
        this.#recorded(call, reason),
        Math.max(0, until - now),
        scope,
      ],
    );
  }

  #retryNow(
    keys: QueueKeys,
    { jobId, token }: AttemptKey,
    lifo: boolean,
    { fields, call, verdict }: FailedCall,
    run: RunScript,
  ): Promise<unknown> {
    return run(
      this.#library.retry,
      [
        keys.active,
        keys.wait,
        keys.paused,
        keys.jobPrefix + jobId,
        keys.meta,
        keys.events,
        keys.delayed,
        keys.prioritized,
        keys.priorityCounter,
        keys.marker,
        keys.stalled,
      ],
      [
        keys.jobPrefix,
        this.#clock.now(),
        lifo ? 'RPUSH' : 'LPUSH',
        jobId,
        token,
        fields,
        call,
        verdict,
      ],
    );
  }

  #packed(verdict: Verdict | undefined): Finish['verdict'] {
    return verdict === undefined ? '' : this.#claiming.pack(verdict);
  }

  #recorded(call: EndedCall | undefined, reason?: string): string {
    return call === undefined ? '' : endedCall(call, this.#claiming.replica, reason);
  }

  #claimOptions(next: ClaimRequest): object {
    return { nextToken: next.token, ...this.#claiming.options(next) };
  }
}

/** The keys of the library's script that delays a job. */
export function delayKeys(keys: QueueKeys, jobId: string): readonly string[] {
  return [
    keys.marker,
    keys.active,
    keys.prioritized,
    keys.delayed,
    keys.jobPrefix + jobId,
    keys.events,
    keys.meta,
    keys.stalled,
    keys.wait,
    keys.limiter,
    keys.priorityCounter,
  ];
}
