import type { QueueName } from '../../../../domain/queue-name.ts';
import { Packr } from 'msgpackr';
import type { Claim, ClaimRequest } from '../../../../application/ports/attempt-port.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import { missingField } from '../../../../domain/usable-job.ts';
import { MOST_CHILDREN_BYTES } from '../../../../domain/flow.ts';
import { limiterWindow } from '../../../../domain/worker-options.ts';
import type { FlowChildren } from '../flows/flow-children.ts';
import { IS_PARENT } from '../flows/parent-mark.ts';
import type { StoreTime } from '../connection/store-time.ts';
import { jobFromRecord, jobRecord, storedNumber, type JobRecord } from '../layout/job-record.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import type { FollowingJobs } from '../schedulers/following-jobs.ts';
import { DEFERRALS } from './defer-script.ts';

/**
 * What the library's scripts answer a claim: a job's hash and id, or until when to wait; or the id alone of a job that
 * was put aside, as its slot is to be skipped.
 */
export type ClaimAnswer = readonly [
  record: readonly string[] | 0 | null,
  id: string | 0,
  limitedFor: number,
  nextAt: number,
];

/** Why a claimed job must fail: BullMQ leaves it to the consumer to fail it. */
export const DEFERRED_FAILURE = 'defa';

/** The scheduler that a job comes from. */
const SCHEDULER = 'rjk';

/** How late the store may still give a job to a claim, in milliseconds: later its caller has given up. */
const CLAIM_DEADLINE = 1000;

/** Claims as the library's scripts take and answer them. */
export class Claiming {
  readonly #clock: ClockPort;
  readonly #storeTime: StoreTime;
  readonly #following: FollowingJobs;
  readonly #children: FlowChildren;
  /** Which replica claims, as its log lines name it. */
  readonly replica: string;
  readonly #packr = new Packr({ useRecords: false, encodeUndefinedAsNil: true });

  constructor(
    clock: ClockPort,
    storeTime: StoreTime,
    following: FollowingJobs,
    children: FlowChildren,
    replica: string,
  ) {
    this.#clock = clock;
    this.#storeTime = storeTime;
    this.#following = following;
    this.#children = children;
    this.replica = replica;
  }

  /** Until when a claim that is sent now may be given a job, by the store's clock. */
  get deadline(): number {
    return this.#storeTime.in(CLAIM_DEADLINE);
  }

  /** What of a request the scripts read among their options, the token apart. */
  options({ concurrency, limiter, lockDuration, isPulled, hasBreaker }: ClaimRequest): object {
    const { deadline, replica: name } = this;
    const options = {
      concurrency,
      lockDuration,
      deadline,
      name,
      ...(isPulled !== true && { hasBreaker: hasBreaker === true }),
    };
    if (limiter === undefined) return options;
    const { max, duration } = limiter;
    const sliding = { max, duration, window: limiterWindow(limiter) };
    return { ...options, limiter: sliding };
  }

  pack(value: unknown): Buffer {
    // The packer reuses its buffer for what follows, and a command may be written later.
    return Buffer.from(this.#packr.pack(value));
  }

  /** Skips the slot of a job that a claim has put aside. */
  skip(queue: QueueName, jobId: string): Promise<void> {
    return this.#following.skip(queue, jobId);
  }

  async claimed(
    queue: QueueName,
    keys: QueueKeys,
    [fields, id, limitedFor, nextAt]: ClaimAnswer,
    token: string,
  ): Promise<Claim> {
    if (!Array.isArray(fields) || id === 0) {
      if (id !== 0) await this.skip(queue, id);
      if (limitedFor > 0) return { kind: 'limited', until: this.#clock.now() + limitedFor };
      return nextAt > 0 ? { kind: 'idle', nextAt } : { kind: 'idle' };
    }
    const record: JobRecord = jobRecord(fields as string[]);
    const job = jobFromRecord(id, record, keys.queue, 'active');
    const scheduler = record.get(SCHEDULER);
    if (scheduler !== undefined) await this.#following.plan(queue, scheduler, job);
    const mustFail = record.get(DEFERRED_FAILURE) ?? missingField(record);
    const deferrals = storedNumber(record.get(DEFERRALS));
    const attempt = {
      jobId: id,
      token,
      job,
      ...(mustFail !== undefined && { mustFail }),
      ...(deferrals !== undefined && { deferrals }),
    };
    if (!record.has(IS_PARENT) || mustFail !== undefined) return { kind: 'attempt', attempt };
    const children = await this.#children.fitting(keys.jobPrefix + id, MOST_CHILDREN_BYTES);
    return { kind: 'attempt', attempt: { ...attempt, children } };
  }
}

/** The job that a claim has put aside, as its slot is to be skipped. */
export function skippedBy([fields, id]: ClaimAnswer): string | undefined {
  return Array.isArray(fields) || id === 0 ? undefined : id;
}

/** The keys with which the scripts that take a job begin, in the order of the library. */
export function takingKeys(keys: QueueKeys): readonly string[] {
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
