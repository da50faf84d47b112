import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { Packr } from 'msgpackr';
import type { Claim, ClaimRequest } from '../../../../domain/attempts/claim.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import { missingField } from '../../../../domain/jobs/usable-job.ts';
import { MOST_CHILDREN_BYTES } from '../../../../domain/flows/flow.ts';
import { limiterWindow } from '../../../../domain/attempts/limiter.ts';
import type { FlowChildren } from '../flows/flow-children.ts';
import { IS_PARENT } from '../flows/parent-mark.ts';
import type { StoreTime } from '../connection/store-time.ts';
import { jobFromRecord, jobRecord, storedNumber, type JobRecord } from '../layout/job-record.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import type { NextJobs } from '../schedulers/next-jobs.ts';
import { DEFERRALS } from './defer-script.ts';

/**
 * The answer of the library's scripts to a claim: a job's hash and id, or until when to wait; or the id alone of a job
 * that was put aside because its slot is to be skipped.
 */
export type ClaimAnswer = readonly [
  record: readonly string[] | 0 | null,
  id: string | 0,
  limitedFor: number,
  nextAt: number,
];

/** Why a claimed job must fail: BullMQ leaves that to its consumer. */
export const DEFERRED_FAILURE = 'defa';

/** The scheduler that a job comes from. */
const SCHEDULER = 'rjk';

/** How late the store may still give a job to a claim, in milliseconds: its caller gives up later. */
const CLAIM_DEADLINE = 1000;

/** Packs claims for the library's scripts, and reads their answers. */
export class Claiming {
  readonly #clock: ClockPort;
  readonly #storeTime: StoreTime;
  readonly #nextJobs: NextJobs;
  readonly #children: FlowChildren;
  /** The name of the replica that claims, as in its log lines. */
  readonly replica: string;
  readonly #packr = new Packr({ useRecords: false, encodeUndefinedAsNil: true });

  constructor(
    clock: ClockPort,
    storeTime: StoreTime,
    nextJobs: NextJobs,
    children: FlowChildren,
    replica: string,
  ) {
    this.#clock = clock;
    this.#storeTime = storeTime;
    this.#nextJobs = nextJobs;
    this.#children = children;
    this.replica = replica;
  }

  /** Until when a claim that is sent now may get a job, by the store's clock. */
  get deadline(): number {
    return this.#storeTime.in(CLAIM_DEADLINE);
  }

  /** The fields of a request that the scripts read from their options, without the token. */
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
    // The packer reuses its buffer, and the command may be written later.
    return Buffer.from(this.#packr.pack(value));
  }

  /** Skips the slot of a job that a claim has put aside. */
  skip(queue: QueueName, jobId: string): Promise<void> {
    return this.#nextJobs.skip(queue, jobId);
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
    if (scheduler !== undefined) await this.#nextJobs.plan(queue, scheduler, job);
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

/** The job that a claim has put aside because its slot is to be skipped. */
export function skippedBy([fields, id]: ClaimAnswer): string | undefined {
  return Array.isArray(fields) || id === 0 ? undefined : id;
}

/** The first keys of the scripts that take a job, in the order of the library. */
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
