import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { Attempt } from '../../../../domain/attempts/attempt.ts';
import { isWakeAfter } from '../../../../domain/attempts/attempt-record.ts';
import type { Claim, ClaimRequest } from '../../../../domain/attempts/claim.ts';
import { MOST_CHILDREN_BYTES } from '../../../../domain/flows/flow.ts';
import { missingField } from '../../../../domain/jobs/usable-job.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { closedFor, type OpenTime } from '../../../../domain/queues/window.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { FlowChildren } from '../flows/flow-children.ts';
import { readAttempts, RECORDED } from '../layout/attempt-lines.ts';
import { readSteps } from '../layout/step-values.ts';
import { STEPS, STEP_VALUES, SUSPENSIONS } from '../layout/step-keys.ts';
import { DEFERRALS, DEFERRED_FAILURE, HALF, IS_PARENT } from '../layout/attempt-fields.ts';
import { jobFromRecord, jobRecord, storedNumber, type JobRecord } from '../layout/job-record.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import type { NextJobs } from '../schedulers/next-jobs.ts';

/** The steps of a job, as HGETALL has them; undefined where they are to be read. */
type FewSteps = readonly string[] | undefined;

/** The store's answer to a claim: a job, one that was put aside because its slot is skipped, or when to ask again. */
export type ClaimAnswer =
  | { readonly id: string; readonly record: readonly string[]; readonly steps?: FewSteps }
  | { readonly skipped: string }
  | { readonly limitedFor: number; readonly nextAt: number };

/** The scheduler that a job comes from. */
const SCHEDULER = 'rjk';

/** How late the store may still give a job to a claim, in milliseconds: the caller gives up after that. */
const CLAIM_DEADLINE = 1000;

/** The parts of the store that a claimed job involves. */
export interface ClaimingParts {
  readonly clock: ClockPort;
  readonly store: Pick<StoreCommands, 'readLarge' | 'time'>;
  readonly nextJobs: NextJobs;
  readonly children: FlowChildren;
  /** The name of the replica that claims, as in its log lines. */
  readonly replica: string;
}

/** Reads the answers to claims, and plans the next jobs of schedulers. */
export class Claiming {
  readonly #parts: ClaimingParts;

  constructor(parts: ClaimingParts) {
    this.#parts = parts;
  }

  get replica(): string {
    return this.#parts.replica;
  }

  /** Until when, by the store's clock, a claim sent now may get a job. */
  deadlineOf(claim: Pick<ClaimRequest, 'openTime'> | undefined): number {
    return Math.min(this.#parts.store.time.in(CLAIM_DEADLINE), claim?.openTime?.to ?? Infinity);
  }

  /** Has the next claims follow the store's clock, which may be why one came late. */
  cameLate(): Promise<void> {
    return this.#parts.store.time.measureAgain();
  }

  /** The answer to a claim outside of the open time of its queue, by the store's clock; undefined within it. */
  async refused(openTime: OpenTime): Promise<Claim | undefined> {
    const { clock, store } = this.#parts;
    if (!store.time.isKnown) await store.time.measured();
    const here = clock.now();
    const there = store.time.in(0);
    const opensIn = closedFor(openTime, there === Infinity ? here : there);
    return opensIn > 0 ? { kind: 'limited', until: here + opensIn } : undefined;
  }

  /** Skips the slot of a job that a claim has put aside. */
  skip(queue: QueueName, jobId: string): Promise<void> {
    return this.#parts.nextJobs.skip(queue, jobId);
  }

  async claimed(
    queue: QueueName,
    keys: QueueKeys,
    answer: ClaimAnswer,
    { token, wantsSteps = false }: Pick<ClaimRequest, 'token' | 'wantsSteps'>,
  ): Promise<Claim> {
    const { clock, nextJobs } = this.#parts;
    if (!('record' in answer)) {
      if ('skipped' in answer) await this.skip(queue, answer.skipped);
      const { limitedFor = 0, nextAt = 0 } = 'skipped' in answer ? {} : answer;
      if (limitedFor > 0) return { kind: 'limited', until: clock.now() + limitedFor };
      return nextAt > 0 ? { kind: 'idle', nextAt } : { kind: 'idle' };
    }
    const { id } = answer;
    const record: JobRecord = jobRecord(answer.record);
    const job = jobFromRecord(id, record, keys.queue, 'active');
    const scheduler = record.get(SCHEDULER);
    if (scheduler !== undefined) await nextJobs.plan(queue, scheduler, id, record);
    const mustFail = record.get(DEFERRED_FAILURE) ?? missingField(record);
    const deferrals = storedNumber(record.get(DEFERRALS));
    const half = record.get(HALF);
    const attempt = {
      jobId: id,
      token,
      job,
      ...(mustFail !== undefined && { mustFail }),
      ...(deferrals !== undefined && { deferrals }),
      ...(half !== undefined && { half }),
      ...(isWake(record) && { isWake: true as const }),
      ...(wantsSteps &&
        record.has(STEPS) &&
        mustFail === undefined &&
        (await this.#steps(keys, answer))),
    };
    if (!record.has(IS_PARENT) || mustFail !== undefined) return { kind: 'attempt', attempt };
    const children = await this.#parts.children.fitting(keys.jobPrefix + id, MOST_CHILDREN_BYTES);
    return { kind: 'attempt', attempt: { ...attempt, children } };
  }

  /** The steps of a job that was claimed: nobody removes them while it is held. */
  async #steps(
    { jobPrefix }: QueueKeys,
    { id, steps }: Extract<ClaimAnswer, { readonly record: readonly string[] }>,
  ): Promise<Pick<Attempt, 'steps'>> {
    const key = jobPrefix + id + STEP_VALUES;
    const read = () => this.#parts.store.readLarge((client) => client.hgetall(key));
    const values = steps === undefined ? Object.entries(await read()) : jobRecord(steps);
    return { steps: readSteps(values).map(({ name, value }) => ({ name, value })) };
  }
}

function isWake(record: JobRecord): boolean {
  const suspensions = storedNumber(record.get(SUSPENSIONS)) ?? 0;
  if (suspensions === 0) return false;
  return isWakeAfter(readAttempts(record.get(RECORDED) ?? ''), suspensions);
}
