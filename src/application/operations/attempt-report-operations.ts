import type {
  FailureReport,
  LockExtension,
  ReleaseReport,
} from '../../domain/attempts/attempt-report.ts';
import type { Json } from '../../domain/values/json.ts';
import type { AttemptReports } from '../attempts/attempt-reports.ts';
import type { ByHolder, Ordered } from './in-queue.ts';
import { operation } from './operation.ts';

/** Reports by the holder of an attempt's token. */
export function attemptReportOperations(reports: AttemptReports) {
  return {
    complete: operation({
      id: 'completeJob',
      access: 'job-token',
      perform: ({ queue, jobId, token, order }: ByHolder & Ordered<Json>) =>
        reports.complete(queue, { jobId, token }, order),
    }),
    fail: operation({
      id: 'failJob',
      access: 'job-token',
      perform: ({ queue, jobId, token, order }: ByHolder & Ordered<FailureReport>) =>
        reports.fail(queue, { jobId, token }, order),
    }),
    extend: operation({
      id: 'extendLock',
      access: 'job-token',
      perform: async ({ queue, jobId, token, order }: ByHolder & Ordered<LockExtension>) => ({
        until: await reports.extend(queue, { jobId, token }, order),
      }),
    }),
    release: operation({
      id: 'releaseJob',
      access: 'job-token',
      perform: ({ queue, jobId, token, order }: ByHolder & Ordered<ReleaseReport>) =>
        reports.release(queue, { jobId, token }, order),
    }),
  };
}

export type AttemptReportOperations = ReturnType<typeof attemptReportOperations>;
