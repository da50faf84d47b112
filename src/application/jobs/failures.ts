import { statusOfFailure } from '../../domain/jobs/failure-cause.ts';
import { FailureGroups, failuresWindow, failureGroupFields } from '../../domain/jobs/failures.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { object, required, integer, listOf, type Shaped } from '../../domain/values/shape.ts';
import type { JobScanPort } from '../ports/job-scan-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import { scannedJobs } from './found-jobs.ts';

const FIELDS = ['failedReason', 'answerStatus', 'timestamp', 'finishedOn'] as const;

/** Why jobs of a queue failed. */
export const failuresReportShape = object('Failures', {
  window: required(integer(0), 'How many of the latest failed jobs were examined'),
  failed: required(integer(0), 'How many failed jobs the queue holds'),
  causes: required(
    listOf(object('FailureGroup', failureGroupFields)),
    'Why they failed, the most frequent cause first',
  ),
});

export type FailuresReport = Shaped<typeof failuresReportShape>;

/** Groups failed jobs by cause. */
export class Failures {
  readonly #scan: JobScanPort;
  readonly #queues: QueuePort;

  constructor(scan: JobScanPort, queues: QueuePort) {
    this.#scan = scan;
    this.#queues = queues;
  }

  /**
   * @param window how many failed jobs to examine at most, the latest first.
   * @throws DomainError `invalid-request`.
   */
  async report(queue: QueueName, window: number): Promise<FailuresReport> {
    checkShape(failuresWindow, window, 'window');
    const { counts } = await this.#queues.summary(queue);
    const groups = new FailureGroups();
    let looked = 0;
    for await (const jobs of scannedJobs(this.#scan, queue, ['failed'], FIELDS)) {
      for (const job of jobs.slice(0, window - looked)) {
        const { id, failedReason = '', timestamp = 0, finishedOn = timestamp } = job;
        groups.add({
          id,
          reason: failedReason,
          status: statusOfFailure(job),
          failedAt: finishedOn,
        });
        looked += 1;
      }
      if (looked === window) break;
    }
    return { window: looked, failed: counts.failed, causes: groups.all() };
  }
}
