import { Packr } from 'msgpackr';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  Attempt,
  AttemptEnding,
  Claim,
  ClaimRequest,
  JobConsumerPort,
  Settled,
  StalledCheckRequest,
  StalledCheckResult,
} from '../../../../application/ports/job-consumer-port.ts';
import { withFailure } from '../../../../domain/job.ts';
import { isObject } from '../../../../domain/json.ts';
import { missingField } from '../../../../domain/usable-job.ts';
import { limiterWindow, type Retention } from '../../../../domain/worker-options.ts';
import type { RedisClient } from '../connection/redis-client.ts';
import { Scripts, type Script } from '../connection/scripts.ts';
import type { StoreErrors } from '../connection/store-errors.ts';
import { StoreTime } from '../connection/store-time.ts';
import { extendLocksScript, startOf } from './attempt-scripts.ts';
import { jobFromRecord, jobRecord, type JobRecord } from '../layout/job-record.ts';
import { libraryScripts, type LibraryScripts } from './library-scripts.ts';
import type { MarkerWatch } from '../wakeups/marker-watch.ts';
import type { NativeSchedulers } from './native-schedulers.ts';
import type { QueueCache } from '../layout/queue-cache.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { TokenSource } from './token.ts';
import { findClaimedScript, UnansweredClaims } from './unanswered-claims.ts';

/** What the library's scripts answer a claim: a job's hash and id, or until when to wait. */
type ClaimAnswer = readonly [
  record: readonly string[] | 0 | null,
  id: string | 0,
  limitedFor: number,
  nextAt: number,
];

/** Why a claimed job must fail: BullMQ leaves it to the consumer to fail it. */
const DEFERRED_FAILURE = 'defa';

/** The scheduler that a job comes from. */
const SCHEDULER = 'rjk';

/** How late the store may still give a job to a claim, in milliseconds: later its caller has given up. */
const CLAIM_DEADLINE = 1000;

/** Consumes queues through BullMQ's scripts, patched as docs/adr/0003 says. */
export class RedisJobConsumer implements JobConsumerPort {
  readonly #library: LibraryScripts;
  readonly #scripts: Scripts;
  readonly #queues: QueueCache;
  readonly #markers: MarkerWatch;
  readonly #schedulers: NativeSchedulers;
  readonly #clock: ClockPort;
  readonly #unanswered: UnansweredClaims;
  readonly #storeTime: StoreTime;
  readonly #tokens = new TokenSource();
  readonly #packr = new Packr({ useRecords: false, encodeUndefinedAsNil: true });

  /** @throws Error when the installed BullMQ is not the version that the patches are for. */
  constructor(
    client: RedisClient,
    queues: QueueCache,
    markers: MarkerWatch,
    schedulers: NativeSchedulers,
    clock: ClockPort,
    errors: StoreErrors,
  ) {
    this.#library = libraryScripts();
    const own = [extendLocksScript, findClaimedScript];
    const scripts = [...(Object.values(this.#library) as Script[]), ...own];
    this.#scripts = new Scripts(client, scripts, errors);
    this.#unanswered = new UnansweredClaims(this.#scripts);
    this.#storeTime = new StoreTime(client);
    this.#queues = queues;
    this.#markers = markers;
    this.#schedulers = schedulers;
    this.#clock = clock;
  }

  async claim(queue: string, request: ClaimRequest): Promise<Claim> {
    const keys = this.#queues.get(queue);
    const found = await this.#unanswered.find(keys);
    if (found !== undefined) {
      const { record, id } = found;
      return this.#claimed(queue, keys, [record, id, 0, 0], found.token);
    }
    const token = this.#tokens.next();
    const claim = this.#scripts.run(
      this.#library.claim,
      [...takingKeys(keys), keys.marker],
      [keys.jobPrefix, this.#clock.now(), this.#pack({ token, ...this.#claimOptions(request) })],
    );
    const answer = await this.#unanswered.watch(keys, token, claim);
    return this.#claimed(queue, keys, answer as ClaimAnswer, token);
  }

  async settle(
    queue: string,
    attempt: Attempt,
    ending: AttemptEnding,
    next?: ClaimRequest,
  ): Promise<Settled> {
    const keys = this.#queues.get(queue);
    const nextToken = this.#tokens.next();
    const end = this.#end(keys, attempt, ending, next, nextToken);
    const answer = await this.#unanswered.watch(keys, nextToken, end);
    if (typeof answer === 'number' && answer < 0) {
      if (LOST_JOB.has(answer)) return { held: false };
      throw new Error(`Job ${attempt.job.id} could not be ended: the store answered ${answer}`);
    }
    if (next === undefined || !Array.isArray(answer)) return { held: true };
    const claimed = await this.#claimed(queue, keys, answer as never, nextToken);
    return { held: true, next: claimed };
  }

  async release(queue: string, { job, token }: Attempt): Promise<void> {
    const keys = this.#queues.get(queue);
    await this.#scripts.run(
      this.#library.release,
      [
        keys.active,
        keys.wait,
        keys.stalled,
        keys.paused,
        keys.meta,
        keys.limiter,
        keys.prioritized,
        keys.marker,
        keys.events,
      ],
      [job.id, token, keys.jobPrefix + job.id, ...startOf(job)],
    );
  }

  async extendLocks(
    queue: string,
    attempts: readonly Attempt[],
    duration: number,
  ): Promise<readonly Attempt[]> {
    const keys = this.#queues.get(queue);
    const held = attempts.flatMap(({ job, token }) => [job.id, token, ...startOf(job)]);
    const lost = (await this.#scripts.run(
      extendLocksScript,
      [keys.stalled, keys.active],
      [keys.jobPrefix, duration, ...held],
    )) as string[];
    return attempts.filter(({ job }) => lost.includes(job.id));
  }

  async recoverStalled(
    queue: string,
    { maxStalledCount, interval, grace }: StalledCheckRequest,
  ): Promise<StalledCheckResult> {
    const keys = this.#queues.get(queue);
    const answer = await this.#scripts.run(
      this.#library.recoverStalled,
      [
        keys.stalled,
        keys.wait,
        keys.active,
        keys.stalledCheck,
        keys.meta,
        keys.paused,
        keys.marker,
        keys.events,
        keys.repeat,
      ],
      [maxStalledCount, keys.jobPrefix, this.#clock.now(), interval, grace],
    );
    const [stalled, suspected] = answer as [string[], number];
    return { stalled, suspected: suspected === 1 };
  }

  async waitForJobs(queue: string, until: number, signal: AbortSignal): Promise<void> {
    await this.#markers.wait(this.#queues.get(queue).marker, until - this.#clock.now(), signal);
  }

  #end(
    keys: QueueKeys,
    attempt: Attempt,
    ending: AttemptEnding,
    next: ClaimRequest | undefined,
    nextToken: string,
  ): Promise<unknown> {
    if (ending.kind === 'completed') {
      const returnvalue = JSON.stringify(ending.returnvalue);
      const kept = { target: 'completed', field: 'returnvalue', value: returnvalue } as const;
      return this.#finish(keys, attempt, { ...kept, keep: ending.keep }, next, nextToken);
    }
    const { reason } = ending;
    const fields = this.#pack([
      'failedReason',
      reason,
      'stacktrace',
      JSON.stringify(withFailure(attempt.job.stacktrace, reason)),
    ]);
    if (ending.kind === 'failed') {
      const kept = { target: 'failed', field: 'failedReason', value: reason } as const;
      return this.#finish(keys, attempt, { ...kept, keep: ending.keep, fields }, next, nextToken);
    }
    if (ending.delay === 0) return this.#retryNow(keys, attempt, fields);
    return this.#delay(keys, attempt, ending.delay, fields, next, nextToken);
  }

  #finish(
    keys: QueueKeys,
    { job, token }: Attempt,
    end: {
      readonly target: 'completed' | 'failed';
      readonly field: 'returnvalue' | 'failedReason';
      readonly value: string;
      readonly keep: Retention | undefined;
      readonly fields?: Buffer;
    },
    next: ClaimRequest | undefined,
    nextToken: string,
  ): Promise<unknown> {
    const { opts } = job;
    const own = end.target === 'completed' ? opts['removeOnComplete'] : opts['removeOnFail'];
    return this.#scripts.run(
      this.#library.finish,
      [
        ...takingKeys(keys),
        keys[end.target],
        keys.jobPrefix + job.id,
        `${keys.jobPrefix}metrics:${end.target}`,
        keys.marker,
      ],
      [
        job.id,
        this.#clock.now(),
        end.field,
        end.value,
        end.target,
        next === undefined ? 0 : 1,
        keys.jobPrefix,
        this.#pack({
          token,
          nextToken,
          keepJobs: keptJobs(own, end.keep),
          attempts: finite(opts.attempts) ?? 0,
          maxMetricsSize: '',
          fpof: Boolean(opts['failParentOnFailure']),
          cpof: Boolean(opts['continueParentOnFailure']),
          idof: Boolean(opts['ignoreDependencyOnFailure']),
          rdof: Boolean(opts['removeDependencyOnFailure']),
          ...(next !== undefined && this.#claimOptions(next)),
        }),
        end.fields ?? '',
        ...startOf(job),
      ],
    );
  }

  #delay(
    keys: QueueKeys,
    { job, token }: Attempt,
    delay: number,
    fields: Buffer,
    next: ClaimRequest | undefined,
    nextToken: string,
  ): Promise<unknown> {
    const following = next && this.#pack({ token, nextToken, ...this.#claimOptions(next) });
    return this.#scripts.run(
      this.#library.delay,
      [
        keys.marker,
        keys.active,
        keys.prioritized,
        keys.delayed,
        keys.jobPrefix + job.id,
        keys.events,
        keys.meta,
        keys.stalled,
        keys.wait,
        keys.limiter,
        keys.priorityCounter,
      ],
      [
        keys.jobPrefix,
        this.#clock.now(),
        job.id,
        token,
        delay,
        '0',
        fields,
        following ? 1 : 0,
        following ?? '',
        ...startOf(job),
      ],
    );
  }

  #retryNow(keys: QueueKeys, { job, token }: Attempt, fields: Buffer): Promise<unknown> {
    return this.#scripts.run(
      this.#library.retry,
      [
        keys.active,
        keys.wait,
        keys.paused,
        keys.jobPrefix + job.id,
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
        job.opts.lifo === true ? 'RPUSH' : 'LPUSH',
        job.id,
        token,
        fields,
        ...startOf(job),
      ],
    );
  }

  async #claimed(
    queue: string,
    keys: QueueKeys,
    [fields, id, limitedFor, nextAt]: ClaimAnswer,
    token: string,
  ): Promise<Claim> {
    if (!Array.isArray(fields) || id === 0) {
      if (limitedFor > 0) return { kind: 'limited', until: this.#clock.now() + limitedFor };
      return nextAt > 0 ? { kind: 'idle', nextAt } : { kind: 'idle' };
    }
    const record: JobRecord = jobRecord(fields as string[]);
    const job = jobFromRecord(id, record, keys.qualifiedName);
    const scheduler = record.get(SCHEDULER);
    if (scheduler !== undefined) await this.#schedulers.planNext(queue, scheduler, job);
    const mustFail = record.get(DEFERRED_FAILURE) ?? missingField(record);
    const attempt = { job, token, ...(mustFail !== undefined && { mustFail }) };
    return { kind: 'attempt', attempt };
  }

  #claimOptions({ concurrency, limiter, lockDuration }: ClaimRequest): object {
    const deadline = this.#storeTime.in(CLAIM_DEADLINE);
    if (limiter === undefined) return { concurrency, lockDuration, deadline };
    const { max, duration } = limiter;
    const sliding = { max, duration, window: limiterWindow(limiter) };
    return { concurrency, lockDuration, deadline, limiter: sliding };
  }

  #pack(value: unknown): Buffer {
    // The packer reuses its buffer for what follows, and a command may be written later.
    return Buffer.from(this.#packr.pack(value));
  }
}

/** The keys with which the scripts that take a job begin, in the order of the library. */
function takingKeys(keys: QueueKeys): readonly string[] {
  return [
    keys.wait,
    keys.active,
    keys.prioritized,
    keys.events,
    keys.stalled,
    keys.limiter,
    keys.delayed,
    keys.paused,
    keys.meta,
    keys.priorityCounter,
  ];
}

/** Job gone, lock gone and the job not held without it, job not active, or the lock in other hands. */
const LOST_JOB: ReadonlySet<number> = new Set([-1, -2, -3, -6]);

/** What a job says of itself goes before what its worker says, as in BullMQ. */
function keptJobs(own: unknown, worker: Retention | undefined): object {
  if (isObject(own)) {
    const [count, age, limit] = [own['count'], own['age'], own['limit']].map(finite);
    return { count: count && Math.trunc(count), age, limit: limit && Math.trunc(limit) };
  }
  if (typeof own === 'number') return { count: Math.trunc(own) };
  if (typeof own === 'boolean') return { count: own ? 0 : -1 };
  return worker ?? { count: -1 };
}

/** The value when the scripts can reckon with it. */
function finite(value: unknown): number | undefined {
  return Number.isFinite(value) ? (value as number) : undefined;
}
