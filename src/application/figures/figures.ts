import { severalAtOnce } from '../running/several-at-once.ts';
import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import { existing } from '../../domain/errors.ts';
import {
  figureSeries,
  stepRange,
  type FiguresQuery,
  type RecordedSteps,
  type StepRange,
} from '../../domain/figures/figure-series.ts';
import { beginOf, STEPS, type Backlog } from '../../domain/figures/figure-steps.ts';
import { ANSWER_CLASSES, COUNTED } from '../../domain/figures/figures.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import {
  listOf,
  nullable,
  required,
  object,
  type Field,
  integer,
  time,
  type Shaped,
  number,
} from '../../domain/values/shape.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { FiguresPort } from '../ports/figures-port.ts';
import type { QueueView } from '../queues/queue-view.ts';
import { backlogOf, totalBacklog } from './backlog-sampler.ts';
import type { FigureRecorder } from './figure-recorder.ts';

/** How many queues are read at a time. */
const READ_AT_ONCE = 20;

const series = listOf(nullable(number));

const percentiles = {
  p50: required(series, 'Half of them took no longer'),
  p95: required(series, '95 of 100 took no longer'),
  p99: required(series, '99 of 100 took no longer'),
};

const CLASS_MEANING: Readonly<Record<(typeof ANSWER_CLASSES)[number], string>> = {
  '1xx': 'With a status from 100 to 199',
  '2xx': 'With a status from 200 to 299',
  '3xx': 'With a status from 300 to 399',
  '4xx': 'With a status from 400 to 499, but not 429',
  '5xx': 'With a status from 500 to 599',
  '429': 'With the status 429',
  none: 'Not at all',
};

const seriesAnswer = object('FigureSeries', {
  ...(Object.fromEntries(
    COUNTED.map((name) => [name, required(series, `How many jobs were ${name} in each step`)]),
  ) as Record<(typeof COUNTED)[number], Field>),
  cost: required(
    series,
    'The sum that the starts of attempts counted in limiters: the cost in their options when they start, and the difference to that once an answer or a report says otherwise',
  ),
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
});

export const figuresReportShape = object('Figures', {
  step: required(integer(1), 'The length of a step, in milliseconds'),
  from: required(time, 'When the first step began, in milliseconds since 1970'),
  series: required(
    seriesAnswer,
    'A value for each step, the first at `from`; null for a step that nobody counted',
  ),
});

export type FiguresReport = Shaped<typeof figuresReportShape>;

/** Reports the figures of queues over time (platform contract, section 10). */
export class Figures {
  readonly #store: FiguresPort;
  readonly #recorder: Pick<FigureRecorder, 'flush'>;
  readonly #view: QueueView;
  readonly #clock: ClockPort;

  constructor(
    store: FiguresPort,
    recorder: Pick<FigureRecorder, 'flush'>,
    view: QueueView,
    clock: ClockPort,
  ) {
    this.#store = store;
    this.#recorder = recorder;
    this.#view = view;
    this.#clock = clock;
  }

  /**
   * Includes the counts of this replica up to now, and those of others up to ten seconds ago.
   *
   * @throws DomainError `invalid-request` naming the field, or `queue-not-found`.
   */
  async ofQueue(queue: QueueName, query: FiguresQuery): Promise<FiguresReport> {
    const { glance } = existing((await this.#view.of([queue]))[0], 'queue');
    return this.#report([queue], query, () => backlogOf(glance, this.#clock.now()));
  }

  /**
   * The figures of all queues together, like `ofQueue`.
   *
   * @param mayUse which queues the caller may see; all by default.
   * @throws DomainError `invalid-request` naming the field.
   */
  async ofAll(query: FiguresQuery, mayUse?: (queue: string) => boolean): Promise<FiguresReport> {
    const backlogNow = async (): Promise<Backlog> => {
      const { queues, at } = await this.#view.queues();
      const allowed = queues.filter(({ queue }) => mayUse?.(queue) ?? true);
      return totalBacklog(allowed.map(({ glance }) => backlogOf(glance, at)));
    };
    if (mayUse === undefined) return this.#report(undefined, query, backlogNow);
    const { queues } = await this.#view.queues();
    const allowed = queues.map(({ queue }) => queue).filter(mayUse);
    return this.#report(allowed, query, backlogNow);
  }

  async #report(
    queues: readonly QueueName[] | undefined,
    query: FiguresQuery,
    backlogNow: () => Backlog | Promise<Backlog>,
  ): Promise<FiguresReport> {
    const now = this.#clock.now();
    const range = stepRange(query, now);
    await this.#recorder.flush(undefined);
    const records =
      queues === undefined
        ? await this.#store.read(undefined, range)
        : joinedRecords(await this.#recordsOf(queues, range));
    const current = beginOf(range.step, now);
    const isUnfinished = current >= range.first && current <= range.last;
    const complete = isUnfinished ? withBacklog(records, current, await backlogNow()) : records;
    return {
      step: STEPS[range.step],
      from: range.first,
      series: figureSeries(range, complete),
    };
  }

  /** Reads few queues at a time, since each has up to as many records as a series has steps. */
  #recordsOf(queues: readonly QueueName[], range: StepRange): Promise<readonly RecordedSteps[]> {
    return severalAtOnce(queues, READ_AT_ONCE, async (queue) => {
      await this.#recorder.flush(queue);
      return this.#store.read(queue, range);
    });
  }
}

/** The current step has no backlog at its end yet, so the current backlog takes its place. */
function withBacklog(records: RecordedSteps, at: number, backlog: Backlog): RecordedSteps {
  const others = records.backlogs.filter((each) => each.at !== at);
  return { ...records, backlogs: [...others, { at, backlog }] };
}

/** The records of several queues together. */
function joinedRecords(all: readonly RecordedSteps[]): RecordedSteps {
  const backlogs = new Map<number, Backlog[]>();
  for (const { at, backlog } of all.flatMap((each) => each.backlogs)) {
    keptOrMade(backlogs, at, () => []).push(backlog);
  }
  return {
    counted: new Set(all.flatMap(({ counted }) => [...counted])),
    sampled: new Set(all.flatMap(({ sampled }) => [...sampled])),
    figures: all.flatMap(({ figures }) => figures),
    backlogs: [...backlogs].map(([at, some]) => ({ at, backlog: totalBacklog(some) })),
  };
}
