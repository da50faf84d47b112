import {
  bulkRepair,
  isRepaired,
  repairedFields,
  takesWholeStates,
  type BulkRepair,
  type BulkRepairInput,
  type RepairKind,
} from '../../domain/jobs/bulk-repair.ts';
import type { ActionOutcome } from '../../domain/jobs/job-actions.ts';
import { CANCELLED } from '../../domain/jobs/job-cancellation.ts';
import { isStoreUnavailable } from '../../domain/errors.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import {
  object,
  required,
  integer,
  optional,
  listOf,
  type Shaped,
  string,
} from '../../domain/values/shape.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { JobCancellation, JobControlPort } from '../ports/job-control-port.ts';
import type { JobScanPort, ScannedJob } from '../ports/job-scan-port.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import type { KeptWorkers } from '../kept/workers.ts';
import { allEnded } from '../running/all-ended.ts';
import { inTurns } from '../running/in-turns.ts';
import { findJobs, gatherWaiting, type FoundJobs } from './found-jobs.ts';
import { wakingCancellation } from './waking-cancellation.ts';

/** How many jobs are repaired concurrently. */
const JOBS_AT_ONCE = 50;

/** How many ids a dry run returns. */
export const MOST_SAMPLES = 10;

export const repairResultShape = object('RepairResult', {
  matched: required(integer(0), 'How many jobs matched, whatever the limit'),
  done: required(integer(0), 'How many of them it repaired'),
  remaining: required(integer(0), 'How many jobs still match'),
  skipped: optional(
    integer(1),
    'How many jobs it passed over: redacted ones, and letters that the token may not bring back; absent for none',
  ),
  samples: optional(listOf(string), 'Of a dry run: the ids of those that would be first'),
});

export type RepairResult = Shaped<typeof repairResultShape>;

/** Whether the job was gone or had left the state that it was found in. */
function hasMoved({ kind }: ActionOutcome): boolean {
  return kind === 'missing' || kind === 'refused';
}

type Act = (job: ScannedJob) => Promise<ActionOutcome>;

export interface BulkRepairsDependencies extends Pick<
  CommonPorts,
  'scan' | 'control' | 'signals' | 'observer' | 'clock'
> {
  readonly workers: KeptWorkers;
}

/** Repairs many jobs with the actions for single ones, in short steps. */
export class BulkRepairs {
  readonly #scan: JobScanPort;
  readonly #control: JobControlPort;
  readonly #workers: KeptWorkers;
  readonly #signals: ReplicaSignalsPort;
  readonly #observer: AttemptObserver;
  readonly #clock: ClockPort;

  constructor(dependencies: BulkRepairsDependencies) {
    this.#scan = dependencies.scan;
    this.#control = dependencies.control;
    this.#workers = dependencies.workers;
    this.#signals = dependencies.signals;
    this.#observer = dependencies.observer;
    this.#clock = dependencies.clock;
  }

  /**
   * Ignores jobs that enter the states in the meantime. When the store fails after some jobs are repaired, it answers with
   * these, and the others remain.
   *
   * @throws DomainError `invalid-request` naming the field, or `store-unavailable` when no job is known to be repaired.
   */
  async repair(queue: QueueName, kind: RepairKind, input: BulkRepairInput): Promise<RepairResult> {
    const repair = bulkRepair(kind, input);
    const { matched, jobs } = await this.#find(queue, repair);
    if (repair.isDryRun) {
      const samples = jobs.slice(0, MOST_SAMPLES).map(({ id }) => id);
      return { matched, done: 0, remaining: matched, samples };
    }
    const act = await this.#action(queue, kind);
    await gatherWaiting(this.#control, queue, jobs);
    let [done, moved, skipped] = [0, 0, 0];
    for await (const some of inTurns(this.#clock, jobs, JOBS_AT_ONCE)) {
      const acts = some.map(async (job) => ({ id: job.id, outcome: await act(job) }));
      try {
        await allEnded(acts, (ended) => {
          const repaired = ended.filter(({ outcome }) => outcome.kind === 'done');
          if (kind === 'cancel' && repaired.length > 0) {
            const failed = repaired.map(({ id }) => ({ id, reason: CANCELLED }));
            this.#observer.observe({ kind: 'failed', queue, jobs: failed });
          }
          done += repaired.length;
          moved += ended.filter(({ outcome }) => hasMoved(outcome)).length;
          skipped += ended.filter(({ outcome }) => outcome.kind === 'redacted').length;
        });
      } catch (error) {
        if (done === 0 || !isStoreUnavailable(error)) throw error;
        break;
      }
    }
    return {
      matched,
      done,
      remaining: matched - done - moved - skipped,
      ...(skipped > 0 && { skipped }),
    };
  }

  async #find(queue: QueueName, repair: BulkRepair): Promise<FoundJobs<ScannedJob>> {
    const { filter, states, limit } = repair;
    if (takesWholeStates(repair)) {
      const { total, jobs } = await this.#scan.oldest(queue, states, limit);
      return { matched: total, jobs };
    }
    const now = this.#clock.now();
    const fields = repairedFields(repair);
    // Reads only ids and states, since the examined fields may be large.
    const search = { ids: filter.ids, states, fields, limit };
    return findJobs(this.#scan, queue, search, (job) =>
      isRepaired(repair, job, now) ? { id: job.id, state: job.state } : undefined,
    );
  }

  /** The action on each job, which takes effect only in the state that the job was found in. */
  async #action(queue: QueueName, kind: RepairKind): Promise<Act> {
    switch (kind) {
      case 'retry':
        return ({ id, state }) => this.#control.retry(queue, id, {}, [state]);
      case 'promote':
        return ({ id }) => this.#control.promote(queue, id);
      case 'clean':
        return ({ id, state }) => this.#control.removeAlone(queue, id, [state]);
      case 'cancel': {
        const worker = await this.#workers.find(queue);
        const cancellation = {
          reason: CANCELLED,
          keep: worker?.opts?.removeOnFail,
        };
        return (job) => this.#cancel(queue, job, cancellation);
      }
    }
  }

  #cancel(
    queue: QueueName,
    { id, state }: ScannedJob,
    cancellation: JobCancellation,
  ): Promise<ActionOutcome> {
    const cancel = (): Promise<ActionOutcome> =>
      this.#control.cancel(queue, id, cancellation, [state]);
    if (state !== 'active') return cancel();
    return wakingCancellation(this.#signals, { queue, jobId: id }, cancel);
  }
}
