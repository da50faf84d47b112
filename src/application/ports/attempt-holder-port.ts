import type { CallOfSeveral } from '../../domain/attempts/attempt-record.ts';
import type { ReportOutcome } from '../../domain/attempts/attempt-report.ts';
import type { AttemptKey } from '../../domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../domain/attempts/ending.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Json } from '../../domain/values/json.ts';
import type { Natures } from './nature.ts';

/**
 * Serves the holders of attempts, each by its token: clients that pulled a job, endpoints that accepted one or are
 * being called, and the replica that calls them. Every change is atomic. Methods throw DomainError `store-unavailable`
 * when the store cannot be reached; whether the change was made is then unknown, and repeating the call is safe.
 */
export interface AttemptHolderPort {
  /** Whether the attempt holds its job now. */
  holds(queue: QueueName, attempt: AttemptKey): Promise<boolean>;

  /** The job that the attempt holds now; undefined when it has lost it. Its cost does not grow with the queue. */
  heldJob(queue: QueueName, attempt: AttemptKey): Promise<Job | undefined>;

  /** The call for several jobs that the attempt belongs to, as long as it is remembered. */
  callOf(queue: QueueName, attempt: AttemptKey): Promise<CallOfSeveral | undefined>;

  /** Whether the attempt was ended by a report that is still remembered. */
  wasReported(queue: QueueName, attempt: AttemptKey): Promise<boolean>;

  /**
   * Holds the job for `duration` ms from now, which may be shorter than before, whether the attempt is called, pulled or accepted. False when the job is
   * lost. If it throws because the store did not answer in time, the extension will not be applied later.
   */
  extend(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean>;

  /**
   * Leaves a job to its endpoint, which accepted it for later completion, or to the client that pulled it: from now on
   * only the token holds the attempt, for `duration` ms or longer when extended, and it never stalls. False when it has
   * lost the job.
   */
  accept(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean>;

  /**
   * Ends an attempt as reported by the holder of its token, and remembers the report in the same step. All reports of
   * completion count as the same, regardless of their value, and so do all reports of failure, regardless of their
   * reason and outcome.
   */
  reportEnding(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
  ): Promise<ReportOutcome>;

  /**
   * Puts a job back as if the attempt had never started, at the request of its holder: at the head of its place, or
   * after `delay` ms. The report is remembered in the same step, as for an ending. If the method throws because the
   * store did not answer in time, the release will not be applied later.
   *
   * @param cost what its start counted in limiters, if that was reported; it counts on else.
   */
  reportRelease(
    queue: QueueName,
    attempt: AttemptKey,
    delay: number,
    cost?: number,
  ): Promise<ReportOutcome>;

  /** Returns false, and stores nothing, unless the attempt holds its job. */
  reportProgress(queue: QueueName, attempt: AttemptKey, progress: Json): Promise<boolean>;

  /**
   * Returns false, and stores nothing, unless the attempt holds its job. A job keeps its last `KEPT_LOG_LINES` lines,
   * or as many as its options say.
   */
  addLog(queue: QueueName, attempt: AttemptKey, line: string): Promise<boolean>;
}

export const ATTEMPT_HOLDER_NATURES: Natures<AttemptHolderPort> = {
  holds: 'looks',
  heldJob: 'looks',
  callOf: 'looks',
  wasReported: 'reads queue',
  extend: 'changes',
  accept: 'changes',
  reportEnding: 'changes',
  reportRelease: 'changes',
  reportProgress: 'enlarges later',
  addLog: 'enlarges later',
};
