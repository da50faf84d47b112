import { shownTo } from '../../domain/access/visible.ts';
import { hasEnded, resultTimeout } from '../../domain/jobs/job-result.ts';
import type { JobWaits } from '../jobs/job-waits.ts';
import { endedJobAnswer } from './answers/job-answers.ts';
import { onJob } from './in-queue.ts';
import { operation } from './operation.ts';
import { wholeNumber } from './options.ts';
import { answers } from './out.ts';

/** The results of jobs. */
export function jobResultOperations(waits: JobWaits) {
  return {
    waitForResult: operation({
      access: 'read',
      summary: 'Wait for the end of a job',
      description:
        'Answers as soon as the job has ended, or with 202 when the time to wait is over: then ' +
        'call again.',
      in: { ...onJob, timeout: wholeNumber(resultTimeout, 30_000, 'Most milliseconds to wait') },
      out: answers(endedJobAnswer, 'The job has ended'),
      errors: ['job-not-found'],
      perform: ({ queue, jobId, timeout }, { ending }) =>
        waits.result(queue, jobId, timeout, ending()),
      view: (result, caller) => ({
        hasEnded: hasEnded(result),
        result: shownTo(caller, result),
      }),
    }),
  };
}
