import type { Caller } from '../../domain/access/caller.ts';
import { entitled, withOptionsShownTo, type Visible } from '../../domain/access/visible.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';
import { jobClaimShape } from '../../domain/attempts/job-claim.ts';
import type { FlowChild } from '../../domain/flows/flow-child.ts';
import { jobJson, type JobJson } from '../../domain/jobs/job-json.ts';
import type { NewStep } from '../../domain/steps/step.ts';
import type { Json } from '../../domain/values/json.ts';
import {
  anyJson,
  listOf,
  mapOf,
  object,
  optional,
  required,
  string,
} from '../../domain/values/shape.ts';
import type { JobClaims } from '../pulls/job-claims.ts';
import { flowChildrenAnswer } from './answers/flow-answers.ts';
import { jobFields } from './answers/job-answers.ts';
import { ofQueue } from './in-queue.ts';
import { withOptionalOrder } from './input.ts';
import { operation } from './operation.ts';
import { answers } from './out.ts';

/** A job as the client that claimed it gets it. */
export interface ClaimedJob {
  readonly job: JobJson;
  /** Holds the job. */
  readonly token: string;
  /** Absent for a job without children. */
  readonly children?: readonly FlowChild[];
  /** The values of its saved steps by their names; absent without any. */
  readonly steps?: Readonly<Record<string, Json>>;
}

/** What a client claimed. */
export interface ClaimedJobs {
  /** How many jobs there are. */
  readonly length: number;
  /** Each is made when it is read, since together they may be large. They can be iterated once. */
  readonly jobs: Iterable<Visible<ClaimedJob>>;
  /** Puts back those jobs, from one position to before another, that do not reach their client. */
  readonly giveBack: (from: number, to: number) => void;
}

const claimedJobShape = object('ClaimedJob', {
  job: required(object('ActiveJob', jobFields), 'The job as its call would have it'),
  token: required(string, 'The token that holds the job, and that reports need'),
  children: optional(
    flowChildrenAnswer,
    'The outcomes of the jobs that it waited for, as its call would carry them; absent when there are none',
  ),
  steps: optional(
    mapOf(string, anyJson, 'be an object'),
    'The values of its saved steps by their names; absent when there are none',
  ),
});

/** Claims, for workers that cannot be called. */
export function jobClaimOperations(claims: JobClaims, queuePrefix: string) {
  return {
    claimJobs: operation({
      access: 'process',
      summary: 'Take jobs to process, instead of being called for them',
      description:
        'The jobs are yours until their locks end: report on each with its own token, and extend ' +
        'the lock of a long one. With `wait` the call stays open until a job comes.',
      in: { ...ofQueue, ...withOptionalOrder(jobClaimShape, 'a claim') },
      out: answers(listOf(claimedJobShape), 'The jobs; none when the time is up'),
      perform: async ({ queue, order }, { ending }) => ({
        queue,
        attempts: await claims.claim(queue, order, ending),
      }),
      view: ({ queue, attempts }, caller): ClaimedJobs => ({
        length: attempts.length,
        jobs: claimedJobs(attempts, caller, queuePrefix),
        giveBack: (from, to) => {
          void claims.giveBack(queue, attempts.slice(from, to));
        },
      }),
    }),
  };
}

function* claimedJobs(
  attempts: readonly Attempt[],
  caller: Caller,
  queuePrefix: string,
): Generator<Visible<ClaimedJob>> {
  for (const { job, token, children, steps } of attempts) {
    const shown = withOptionsShownTo(caller, jobJson(job, queuePrefix));
    const saved = steps && valuesOf(steps);
    yield entitled({
      job: shown,
      token,
      ...(children && { children }),
      ...(saved && { steps: saved }),
    });
  }
}

/** The names of steps may be those of properties that assignment would not add. */
function valuesOf(steps: readonly NewStep[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(steps.map(({ name, value }) => [name, JSON.parse(value) as Json]));
}
