import {
  figureSeries,
  stepRange,
  type FigureSeries,
  type FiguresQuery,
  type RecordedSteps,
} from '../../domain/figures/figure-series.ts';
import { beginOf, STEPS, type Backlog } from '../../domain/figures/figure-steps.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { FiguresPort } from '../ports/figures-port.ts';
import { queueNotFound } from '../queues/queue-not-found.ts';
import type { QueueView } from '../queues/queue-view.ts';
import { backlogOf, totalBacklog } from './backlog-sampler.ts';
import type { FigureRecorder } from './figure-recorder.ts';

export interface FiguresReport {
  /** In milliseconds. */
  readonly step: number;
  /** When the first step begins, epoch ms. */
  readonly from: number;
  readonly series: FigureSeries;
}

/** Reports what happened in queues over time (platform contract, section 10). */
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
   * Includes what this replica counted up to now, and others up to ten seconds ago.
   *
   * @throws DomainError `invalid-request` naming the field, or `queue-not-found`.
   */
  async ofQueue(queue: QueueName, query: FiguresQuery): Promise<FiguresReport> {
    const [viewed] = await this.#view.of([queue]);
    if (viewed === undefined) throw queueNotFound();
    return this.#report(queue, query, () => backlogOf(viewed.glance, this.#clock.now()));
  }

  /**
   * The figures of all queues together, as `ofQueue`.
   *
   * @throws DomainError `invalid-request` naming the field.
   */
  async ofAll(query: FiguresQuery): Promise<FiguresReport> {
    return this.#report(undefined, query, async () => {
      const { queues, at } = await this.#view.queues();
      return totalBacklog(queues.map(({ glance }) => backlogOf(glance, at)));
    });
  }

  async #report(
    queue: QueueName | undefined,
    query: FiguresQuery,
    backlogNow: () => Backlog | Promise<Backlog>,
  ): Promise<FiguresReport> {
    const now = this.#clock.now();
    const range = stepRange(query, now);
    await this.#recorder.flush(undefined);
    if (queue !== undefined) await this.#recorder.flush(queue);
    const records = await this.#store.read(queue, range);
    const current = beginOf(range.step, now);
    const isUnfinished = current >= range.first && current <= range.last;
    const complete = isUnfinished ? withBacklog(records, current, await backlogNow()) : records;
    return {
      step: STEPS[range.step],
      from: range.first,
      series: figureSeries(range, complete),
    };
  }
}

/** The step that is not over has no backlog at its end yet, but one now. */
function withBacklog(records: RecordedSteps, at: number, backlog: Backlog): RecordedSteps {
  const others = records.backlogs.filter((each) => each.at !== at);
  return { ...records, backlogs: [...others, { at, backlog }] };
}
