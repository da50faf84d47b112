import type { FiguresReport } from '../../figures/figures.ts';
import type { QueueFailure } from '../../figures/recent-failures.ts';
import type { FiguredQueue, FiguredQueuesPage } from '../../queues/figured-queues.ts';
import { ANSWER_CLASSES, COUNTED } from '../../../domain/figures/figures.ts';
import type { FigureSeries } from '../../../domain/figures/figure-series.ts';
import { ATTENTION_REASONS, type Attention } from '../../../domain/workers/attention.ts';
import type { Failing } from '../../../domain/figures/failing.ts';
import { SPARK_MINUTES, type Rates } from '../../../domain/figures/queue-rates.ts';
import {
  integer,
  listOf,
  nullable,
  number,
  numberFrom,
  object,
  oneOf,
  required,
  string,
  type Field,
} from '../../../domain/values/shape.ts';
import { WORKER_STATES } from '../../../domain/workers/worker-health.ts';
import { blockedAnswer, failureGroupFields, listedQueueFields } from './answer-shapes.ts';

const time = integer(0);

const CLASS_MEANING: Readonly<Record<(typeof ANSWER_CLASSES)[number], string>> = {
  '1xx': 'With a status from 100 to 199',
  '2xx': 'With a status from 200 to 299',
  '3xx': 'With a status from 300 to 399',
  '4xx': 'With a status from 400 to 499, but not 429',
  '5xx': 'With a status from 500 to 599',
  '429': 'With the status 429',
  none: 'Not at all',
};

const series = listOf(nullable(number));

const percentiles = {
  p50: required(series, 'Half of them took no longer'),
  p95: required(series, '95 of 100 took no longer'),
  p99: required(series, '99 of 100 took no longer'),
};

const seriesAnswer = object('FigureSeries', {
  ...(Object.fromEntries(
    COUNTED.map((name) => [name, required(series, `How many jobs were ${name} in each step`)]),
  ) as Record<(typeof COUNTED)[number], Field>),
  waiting: required(series, 'How many jobs were waiting or prioritized at the end of each step'),
  oldestWaiting: required(
    series,
    'For how many milliseconds the oldest of them could have started; null without one',
  ),
  waitMs: required(
    object('WaitSeries', percentiles),
    'How long jobs waited for their first attempt, in milliseconds; null without one',
  ),
  callMs: required(
    object('CallSeries', percentiles),
    'How long calls took, in milliseconds; null without one',
  ),
  status: required(
    object(
      'StatusSeries',
      Object.fromEntries(
        ANSWER_CLASSES.map((name) => [name, required(series, CLASS_MEANING[name])]),
      ),
    ),
    'How calls were answered',
  ),
} as const satisfies Record<keyof FigureSeries, Field>);

export const figuresAnswer = object('Figures', {
  step: required(integer(1), 'The length of a step, in milliseconds'),
  from: required(time, 'When the first step began, in milliseconds since 1970'),
  series: required(
    seriesAnswer,
    'A value for each step, the first at `from`; null for a step that nobody counted',
  ),
} as const satisfies Record<keyof FiguresReport, Field>);

export const recentFailuresAnswer = listOf(
  object('QueueFailure', {
    queue: required(string, 'The queue of the jobs'),
    ...failureGroupFields,
  } as const satisfies Record<keyof QueueFailure, Field>),
);

const rates = object('Rates', {
  added: required(number, 'Jobs that were added'),
  completed: required(number, 'Jobs that completed'),
  failed: required(number, 'Jobs that failed for good'),
} as const satisfies Record<keyof Rates, Field>);

const failing = object('Failing', {
  window: required(integer(1), 'Over how many milliseconds: those of an hour, or of 24'),
  ended: required(integer(1), 'How many jobs ended in that time'),
  failed: required(integer(1), 'How many of them failed for good'),
} as const satisfies Record<keyof Failing, Field>);

const attention = object('Attention', {
  reason: required(
    oneOf(...ATTENTION_REASONS),
    'The reason: that of `blocked`, `failing`, or `late` when jobs have waited for more than five minutes',
  ),
  severity: required(integer(1), 'From 1, the most severe'),
} as const satisfies Record<keyof Attention, Field>);

const figuredQueue = object('FiguredQueue', {
  ...listedQueueFields,
  worker: required(
    nullable(
      object('ListedWorker', {
        url: required(string, 'The URL of the endpoint'),
        state: required(oneOf(...WORKER_STATES), 'Why it is not called, if there is a reason'),
      }),
    ),
    'The worker; null without one',
  ),
  blocked: required(
    nullable(blockedAnswer),
    'Why nothing starts although jobs wait; null when jobs start, or none waits',
  ),
  rates: required(
    rates,
    'Jobs per minute, as a mean of the last five whole minutes, or of those since a younger queue began; in its first minute, the jobs so far',
  ),
  failureRate: required(
    nullable(numberFrom(0, 1)),
    'Of the jobs that ended within the last hour, the part that failed; null without one',
  ),
  failing: required(
    nullable(failing),
    'Whether jobs fail: more than a fifth of at least ten that ended within the last hour, or all of at least three within the last 24 hours; null if not',
  ),
  attention: required(
    nullable(attention),
    'Why an operator should look at the queue: nothing starts that should, a pause or a limit keeps jobs for long, or jobs fail; null if there is no such reason',
  ),
  spark: required(
    listOf(number),
    `The completions of each of the last ${SPARK_MINUTES} whole minutes, oldest first`,
  ),
} as const satisfies Record<keyof FiguredQueue, Field>);

export const figuredQueuesPageAnswer = object('FiguredQueuesPage', {
  at: required(time, 'When the queues were looked at, in milliseconds since 1970'),
  total: required(integer(0), 'The number of queues on all pages together'),
  queues: required(listOf(figuredQueue), 'The queues of this page'),
} as const satisfies Record<keyof FiguredQueuesPage, Field>);
