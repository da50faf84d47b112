import { endsOf, type Ends } from '../../domain/figures/failing.ts';
import { beginOf, STEPS, type FiguresOfStep } from '../../domain/figures/figure-steps.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { piecesOf } from '../../domain/values/pieces.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import { STEPS_TOGETHER, type FiguresPort } from '../ports/figures-port.ts';

/** How many queues are read at a time: each has up to as many records as a window has steps, from each replica. */
const READ_AT_ONCE = 100;

const NONE: Ends = { completed: 0, failed: 0 };

/** How many jobs of queues ended over several windows. */
export type EndsByQueue = (queue: QueueName, window: number) => Ends;

/** Reads how many jobs of queues ended, by the minute up to an hour and by the hour beyond. */
export class EndsReader {
  readonly #figures: FiguresPort;
  readonly #clock: ClockPort;

  constructor(figures: FiguresPort, clock: ClockPort) {
    this.#figures = figures;
    this.#clock = clock;
  }

  /**
   * Only queues of which jobs failed are read; the others have no ends.
   *
   * @param windows over how long (ms) hooks count.
   * @throws DomainError `store-unavailable`.
   */
  async read(
    isWanted: (queue: QueueName) => boolean,
    windows: readonly number[],
    now: number,
  ): Promise<EndsByQueue> {
    const spans = windows.map((window) => spanOf(window, now));
    if (spans.length === 0) return () => NONE;
    const failed = await this.#figures.failedSince(Math.min(...spans.map(({ first }) => first)));
    const ends = new Map<QueueName, ReadonlyMap<number, Ends>>();
    for (const some of piecesOf(failed.filter(isWanted), READ_AT_ONCE)) {
      await this.#clock.turn();
      for (const [queue, each] of await this.#endsOf(some, spans)) ends.set(queue, each);
    }
    return (queue, window) => ends.get(queue)?.get(window) ?? NONE;
  }

  async #endsOf(
    queues: readonly QueueName[],
    spans: readonly Span[],
  ): Promise<ReadonlyMap<QueueName, ReadonlyMap<number, Ends>>> {
    const [minutes, hours] = await Promise.all(
      (['minute', 'hour'] as const).map(async (step) => {
        const firsts = spans.filter((span) => span.step === step).map(({ first }) => first);
        return firsts.length === 0 ? [] : this.#figures.recent(queues, step, Math.min(...firsts));
      }),
    );
    const steps = { minute: minutes ?? [], hour: hours ?? [] };
    return new Map(
      queues.map((queue, index) => [
        queue,
        new Map(spans.map((span) => [span.window, endsIn(span, steps[span.step][index] ?? [])])),
      ]),
    );
  }
}

/** The steps that a window covers, up to now. */
interface Span {
  readonly window: number;
  readonly step: keyof typeof STEPS;
  readonly first: number;
}

/** The window is rounded up to whole steps, as far as these are read together. */
function spanOf(window: number, now: number): Span {
  const step = window <= STEPS.hour ? 'minute' : 'hour';
  const oldest = beginOf(step, now) - (STEPS_TOGETHER[step] - 1) * STEPS[step];
  return { window, step, first: Math.max(oldest, beginOf(step, now - window)) };
}

function endsIn({ first }: Span, steps: readonly FiguresOfStep[]): Ends {
  return endsOf(steps.filter(({ at }) => at >= first));
}
