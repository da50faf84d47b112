import type { CallOfSeveral } from '../../domain/attempts/attempt-record.ts';
import type { ReportOutcome } from '../../domain/attempts/attempt-report.ts';
import type { AttemptKey } from '../../domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../domain/attempts/ending.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Json } from '../../domain/values/json.ts';

/**
 * Serves the holders of attempts, each by its token: clients that pulled a job, endpoints that accepted one or are being
 * called, and the replica that calls them. Every change is atomic. Methods throw DomainError `store-unavailable` when
 * the store cannot be reached; the change may then have been made or not, and repeating the call is safe.
 */
export interface AttemptHolderPort {
  /** Whether the attempt holds its job now. */
  holds(queue: QueueName, attempt: AttemptKey): Promise<boolean>;

  /** The call with several jobs that the attempt belongs to, while that is remembered. */
  callOf(queue: QueueName, attempt: AttemptKey): Promise<CallOfSeveral | undefined>;

  /** Whether a report that is still remembered ended the attempt. */
  wasReported(queue: QueueName, attempt: AttemptKey): Promise<boolean>;

  /**
   * Holds the job for `duration` ms from now, whether the attempt is called, pulled or accepted. False when the job is
   * lost. When it throws because the store did not answer in time, the extension does not happen later.
   */
  extend(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean>;

  /**
   * Leaves a job to its endpoint, which accepted it to complete it later: the token alone holds the attempt for
   * `duration` ms from now, or longer when that is extended, and it never stalls. False when it has lost the job.
   */
  accept(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean>;

  /**
   * Ends an attempt as the holder of its token reports, and remembers the report in the same step. All reports of
   * completion count as the same one, whatever their value, and so do all of failure, whatever their reason and
   * outcome.
   */
  reportEnding(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
  ): Promise<ReportOutcome>;

  /**
   * Puts a job back as if the attempt had never started, as its holder asks: at the head of its place, or after `delay`
   * ms. The report is remembered in the same step, as for an ending. When the method throws because the store did not
   * answer in time, the release does not happen later.
   */
  reportRelease(queue: QueueName, attempt: AttemptKey, delay: number): Promise<ReportOutcome>;

  /** False, and nothing stored, unless the attempt holds its job. */
  reportProgress(queue: QueueName, attempt: AttemptKey, progress: Json): Promise<boolean>;

  /**
   * False, and nothing stored, unless the attempt holds its job. A job keeps its last `KEPT_LOG_LINES`
   * lines, or as many as it was added with.
   */
  addLog(queue: QueueName, attempt: AttemptKey, line: string): Promise<boolean>;
}
