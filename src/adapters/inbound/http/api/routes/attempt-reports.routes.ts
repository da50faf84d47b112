import type { AttemptReports } from '../../../../../application/attempts/attempt-reports.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { json, OK } from '../../messages/reply.ts';
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
  reports: AttemptReports,
  maxReturnValue: number,
): readonly Route[] {
  const report = { method: 'POST', access: 'job-token', tag: 'Jobs' } as const;

  return [
    route({
      ...report,
      path: '/queues/:queue/jobs/:jobId/complete',
      operationId: 'completeJob',
      summary: 'Complete a job that you hold, with its return value',
      description:
        'For jobs that were claimed, and for those whose endpoint answered that it would complete ' +
        'them later. Needs the token of the attempt.',
      replies: { 200: okContent('The job has completed') },
      errors: ['request-too-large'],
      body: returnValueBody(maxReturnValue),
      handle: async ({ parameters: { queue, jobId }, token, body }) => {
        await reports.complete(queue, { jobId, token }, body);
        return OK;
      },
    }),
    route({
      ...report,
      path: '/queues/:queue/jobs/:jobId/fail',
      operationId: 'failJob',
      summary: 'Fail your attempt at a job that you hold',
      description:
        'The job is tried again while it has attempts left, unless the report says that it shall ' +
        'not be.',
      replies: { 200: okContent('The attempt has failed') },
      body: failureReportBody,
      handle: async ({ parameters: { queue, jobId }, token, body }) => {
        await reports.fail(queue, { jobId, token }, body);
        return OK;
      },
    }),
    route({
      ...report,
      path: '/queues/:queue/jobs/:jobId/extend',
      operationId: 'extendLock',
      summary: 'Hold a job for longer',
      description:
        "Call it before the lock ends; afterwards the job may be someone else's, and the answer " +
        'is 409.',
      replies: { 200: jsonContent(extendedLockAnswer, 'Until when it is held') },
      body: lockExtensionBody,
      handle: async ({ parameters: { queue, jobId }, token, body }) =>
        json({ until: await reports.extend(queue, { jobId, token }, body) }),
    }),
    route({
      ...report,
      path: '/queues/:queue/jobs/:jobId/release',
      operationId: 'releaseJob',
      summary: 'Return a job that you hold, as if you had not taken it',
      description:
        'The attempt does not count, and another client may take the job at once or after the ' +
        'delay that you give.',
      replies: { 200: okContent('The job waits, or is delayed') },
      body: releaseBody,
      handle: async ({ parameters: { queue, jobId }, token, body }) => {
        await reports.release(queue, { jobId, token }, body);
        return OK;
      },
    }),
  ];
}
