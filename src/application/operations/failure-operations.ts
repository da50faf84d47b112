import { failuresAge, causesLength } from '../../domain/figures/failures-window.ts';
import { failuresWindow } from '../../domain/jobs/failures.ts';
import { listOf } from '../../domain/values/shape.ts';
import { type RecentFailures, queueFailureShape } from '../figures/recent-failures.ts';
import { type Failures, failuresReportShape } from '../jobs/failures.ts';
import { ofQueue } from './in-queue.ts';
import { operation } from './operation.ts';
import { wholeNumber } from './options.ts';
import { answers } from './out.ts';

/** Why jobs failed. */
export function failureOperations(failures: Failures, recentFailures: RecentFailures) {
  return {
    readFailures: operation({
      access: 'read',
      summary: 'Group the latest failed jobs of a queue by their causes',
      description:
        'Numbers, ids and quoted parts of the reasons are masked, so that the same cause is ' +
        'counted once.',
      in: {
        ...ofQueue,
        window: wholeNumber(
          failuresWindow,
          1000,
          'How many of the latest failed jobs to look at, at most',
        ),
      },
      out: answers(failuresReportShape, 'The causes'),
      perform: ({ queue, window }) => failures.report(queue, window),
    }),
    readRecentFailures: operation({
      access: 'read',
      summary: 'Group the jobs of all queues that failed of late by their causes',
      description: 'The answer is at most ten seconds old. `window` is how far back it looks.',
      in: {
        window: wholeNumber(failuresAge, 3_600_000, 'Of the last so many milliseconds'),
        length: wholeNumber(causesLength, 50, 'Most causes to return'),
      },
      out: answers(listOf(queueFailureShape), 'The causes, the most frequent one first'),
      perform: ({ window, length }, { caller }) =>
        recentFailures.report(window, length, caller.mayUse),
    }),
  };
}
