import type { AttemptReportOperations } from '../../../../../application/operations/attempt-report-operations.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { byHolder } from '../by-holder.ts';
import { route, type Route } from '../route.ts';
import { extendedLockAnswer } from '../schemas/answer-shapes.ts';
import {
  failureReportBody,
  lockExtensionBody,
  releaseBody,
  returnValueBody,
} from '../schemas/body-formats.ts';

/**
 * Reports by the holder of an attempt's token.
 *
 * @param maxReturnValue largest return value, in bytes.
 */
export function attemptReportRoutes(
  reports: AttemptReportOperations,
  maxReturnValue: number,
): readonly Route[] {
  const report = { method: 'POST', tag: 'Jobs' } as const;

  return [
    route({
      ...report,
      path: '/queues/:queue/jobs/:jobId/complete',
      operation: reports.complete,
      summary: 'Complete a job that you hold, with its return value',
      description:
        'For jobs that were claimed, and for those whose endpoint answered that it would complete ' +
        'them later. Needs the token of the attempt.',
      replies: { 200: okContent('The job has completed') },
      errors: ['request-too-large'],
      body: returnValueBody(maxReturnValue),
      input: byHolder,
    }),
    route({
      ...report,
      path: '/queues/:queue/jobs/:jobId/fail',
      operation: reports.fail,
      summary: 'Fail your attempt at a job that you hold',
      description:
        'The job is tried again while it has attempts left, unless the report says that it shall ' +
        'not be.',
      replies: { 200: okContent('The attempt has failed') },
      body: failureReportBody,
      input: byHolder,
    }),
    route({
      ...report,
      path: '/queues/:queue/jobs/:jobId/extend',
      operation: reports.extend,
      summary: 'Hold a job for longer',
      description:
        "Call it before the lock ends; afterwards the job may be someone else's, and the answer " +
        'is 409.',
      replies: { 200: jsonContent(extendedLockAnswer, 'Until when it is held') },
      body: lockExtensionBody,
      input: byHolder,
    }),
    route({
      ...report,
      path: '/queues/:queue/jobs/:jobId/release',
      operation: reports.release,
      summary: 'Return a job that you hold, as if you had not taken it',
      description:
        'The attempt does not count, and another client may take the job at once or after the ' +
        'delay that you give.',
      replies: { 200: okContent('The job waits, or is delayed') },
      body: releaseBody,
      input: byHolder,
    }),
  ];
}
