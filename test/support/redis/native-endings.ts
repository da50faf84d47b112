import {
  moveJobFromActiveToWait,
  moveStalledJobsToWait,
  moveToActive,
  moveToDelayed,
  moveToFinished,
  retryJob,
} from 'bullmq/dist/cjs/scripts/index.js';
import type { Redis } from 'ioredis';
import { Packr } from 'msgpackr';
import type { QueueKeys } from '../../../src/adapters/outbound/redis/layout/queue-keys.ts';
import type { AttemptKey } from '../../../src/domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import type { ClaimRequest } from '../../../src/domain/attempts/claim.ts';
import type { Job } from '../../../src/domain/jobs/job.ts';
import { REPLICA } from './redis-stores.ts';

type NativeEnding = Exclude<AttemptEnding, { kind: 'deferred' | 'suspended' }>;

const packr = new Packr({ useRecords: false, encodeUndefinedAsNil: true });

/** BullMQ's own scripts, run as its workers run them: what they leave is what ours must leave. */
export class NativeEndings {
  readonly #redis: Redis;
  readonly #keys: QueueKeys;
  readonly #now: () => number;

  constructor(redis: Redis, keys: QueueKeys, now: () => number) {
    this.#redis = redis;
    this.#keys = keys;
    this.#now = now;
  }

  async claim({ token, lockDuration, limiter }: ClaimRequest): Promise<void> {
    const options = packed({ token, name: REPLICA, lockDuration, ...(limiter && { limiter }) });
    const args = [this.#keys.jobPrefix, this.#now(), options];
    await this.#run(moveToActive, [...this.#taking, this.#keys.marker], args);
  }

  async end(
    key: AttemptKey,
    { opts }: Job,
    ending: NativeEnding,
    next?: ClaimRequest,
  ): Promise<void> {
    if (ending.kind === 'completed' || ending.kind === 'failed') {
      await this.#finish(key, opts, ending, next);
    } else if (ending.delay > 0) await this.#delay(key, ending, next);
    else await this.#retry(key, opts, ending);
  }

  async release({ jobId, token }: AttemptKey): Promise<void> {
    const { active, wait, stalled, paused, meta, limiter, prioritized, marker, events } =
      this.#keys;
    const keys = [active, wait, stalled, paused, meta, limiter, prioritized, marker, events];
    await this.#run(moveJobFromActiveToWait, keys, [jobId, token, this.#keys.jobPrefix + jobId]);
  }

  async recoverStalled(maxStalledCount: number, grace: number): Promise<void> {
    const { stalled, wait, active, stalledCheck, meta, paused, marker, events, schedulers } =
      this.#keys;
    const keys = [stalled, wait, active, stalledCheck, meta, paused, marker, events, schedulers];
    const args = [maxStalledCount, this.#keys.jobPrefix, this.#now(), grace];
    await this.#run(moveStalledJobsToWait, keys, args);
  }

  #finish(
    { jobId, token }: AttemptKey,
    opts: Job['opts'],
    ending: NativeEnding & { kind: 'completed' | 'failed' },
    next?: ClaimRequest,
  ): Promise<unknown> {
    const isCompleted = ending.kind === 'completed';
    const own = isCompleted ? opts.removeOnComplete : opts.removeOnFail;
    return this.#run(
      moveToFinished,
      [
        ...this.#taking,
        this.#keys[ending.kind],
        this.#keys.jobPrefix + jobId,
        `${this.#keys.jobPrefix}metrics:${ending.kind}`,
        this.#keys.marker,
      ],
      [
        jobId,
        this.#now(),
        isCompleted ? 'returnvalue' : 'failedReason',
        isCompleted ? JSON.stringify(ending.returnvalue) : ending.reason,
        ending.kind,
        next === undefined ? '' : '1',
        this.#keys.jobPrefix,
        packed({
          token,
          name: REPLICA,
          lockDuration: next?.lockDuration ?? 0,
          keepJobs: keptJobs(own) ?? ending.keep ?? { count: -1 },
          attempts: opts.attempts,
          maxMetricsSize: '',
        }),
        isCompleted ? '' : failure(ending.reason),
      ],
    );
  }

  #delay(
    { jobId, token }: AttemptKey,
    { delay, reason }: NativeEnding & { kind: 'retry' },
    next?: ClaimRequest,
  ): Promise<unknown> {
    const { marker, active, prioritized, delayed, jobPrefix, events, meta } = this.#keys;
    const { stalled, wait, limiter, priorityCounter } = this.#keys;
    return this.#run(
      moveToDelayed,
      [
        ...[marker, active, prioritized, delayed, jobPrefix + jobId, events, meta],
        ...[stalled, wait, limiter, priorityCounter],
      ],
      [
        ...[jobPrefix, this.#now(), jobId, token, delay, '0', failure(reason)],
        next === undefined ? '0' : '1',
        packed({ token, name: REPLICA, lockDuration: next?.lockDuration ?? 0 }),
      ],
    );
  }

  #retry(
    { jobId, token }: AttemptKey,
    opts: Job['opts'],
    { reason }: NativeEnding & { kind: 'retry' },
  ): Promise<unknown> {
    const { active, wait, paused, jobPrefix, meta, events, delayed } = this.#keys;
    const { prioritized, priorityCounter, marker, stalled } = this.#keys;
    return this.#run(
      retryJob,
      [
        ...[active, wait, paused, jobPrefix + jobId, meta, events, delayed],
        ...[prioritized, priorityCounter, marker, stalled],
      ],
      [
        jobPrefix,
        this.#now(),
        opts.lifo === true ? 'RPUSH' : 'LPUSH',
        jobId,
        token,
        failure(reason),
      ],
    );
  }

  get #taking(): readonly string[] {
    const { wait, active, prioritized, events, stalled, limiter, delayed, paused, meta } =
      this.#keys;
    const { priorityCounter } = this.#keys;
    return [
      wait,
      active,
      prioritized,
      events,
      stalled,
      limiter,
      delayed,
      paused,
      meta,
      priorityCounter,
    ];
  }

  async #run(
    { content, name }: { readonly content: string; readonly name: string },
    keys: readonly string[],
    args: readonly (string | number | Buffer)[],
  ): Promise<unknown> {
    const answer = await this.#redis.eval(content, keys.length, ...keys, ...args);
    if (typeof answer === 'number' && answer < 0) throw new Error(`${name} answered ${answer}`);
    return answer;
  }
}

function failure(reason: string): Buffer {
  return packed(['failedReason', reason, 'stacktrace', JSON.stringify([reason])]);
}

/** The retention of a job as BullMQ's worker passes it to the script. */
function keptJobs(own: unknown): object | undefined {
  if (typeof own === 'boolean') return { count: own ? 0 : -1 };
  if (typeof own === 'number') return { count: own };
  return typeof own === 'object' && own !== null ? own : undefined;
}

/** A value as the scripts unpack it (MessagePack). */
function packed(value: unknown): Buffer {
  // The packer reuses its buffer, and the command may be written later.
  return Buffer.from(packr.pack(value));
}
