import {
  returnValueTooLarge,
  failureReportShape,
  lockExtensionShape,
  releaseReportShape,
} from '../../domain/attempts/attempt-report.ts';
import { anyJson, object, required, time } from '../../domain/values/shape.ts';
import type { AttemptReports } from '../attempts/attempt-reports.ts';
import { byHolder } from './in-queue.ts';
import { order, withOptionalOrder, withOrder } from './input.ts';
import { operation } from './operation.ts';
import { done, answers } from './out.ts';

/**
 * Reports by the holder of an attempt's token.
 *
 * @param maxReturnValue largest return value, in bytes.
 */
export function attemptReportOperations(reports: AttemptReports, maxReturnValue: number) {
  return {
    completeJob: operation({
      access: 'job-token',
      summary: 'Complete a job that you hold, with its return value',
      description:
        'For jobs that were claimed, and for those whose endpoint answered that it would complete ' +
        'them later. Needs the token of the attempt.',
      in: {
        ...byHolder,
        order: order(anyJson, 'any JSON value', {
          whenAbsent: null,
          most: maxReturnValue,
          tooLarge: () => returnValueTooLarge(maxReturnValue),
        }),
      },
      out: done('The job has completed'),
      errors: ['request-too-large'],
      perform: ({ queue, jobId, token, order }, { cost }) =>
        reports.complete(queue, { jobId, token }, order, cost),
    }),
    failJob: operation({
      access: 'job-token',
      summary: 'Fail your attempt at a job that you hold',
      description:
        'The job is tried again while it has attempts left, unless the report says that it shall ' +
        'not be.',
      in: { ...byHolder, ...withOrder(failureReportShape, 'a reason') },
      out: done('The attempt has failed'),
      perform: ({ queue, jobId, token, order }, { cost }) =>
        reports.fail(queue, { jobId, token }, order, cost),
    }),
    extendLock: operation({
      access: 'job-token',
      summary: 'Hold a job for longer',
      description:
        "Call it before the lock ends; afterwards the job may be someone else's, and the answer " +
        'is 409.',
      in: { ...byHolder, ...withOrder(lockExtensionShape, 'a lock') },
      out: answers(
        object('ExtendedLock', {
          until: required(
            time,
            'Until when the job is held without another extension, in milliseconds since 1970',
          ),
        }),
        'Until when it is held',
      ),
      perform: async ({ queue, jobId, token, order }) => ({
        until: await reports.extend(queue, { jobId, token }, order),
      }),
    }),
    releaseJob: operation({
      access: 'job-token',
      summary: 'Return a job that you hold, as if you had not taken it',
      description:
        'The attempt does not count, and another client may take the job at once or after the ' +
        'delay that you give.',
      in: { ...byHolder, ...withOptionalOrder(releaseReportShape, 'options') },
      out: done('The job waits, or is delayed'),
      perform: ({ queue, jobId, token, order }, { cost }) =>
        reports.release(queue, { jobId, token }, order, cost),
    }),
  };
}
