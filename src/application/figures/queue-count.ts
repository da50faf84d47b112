import { KEPT_CALLS, type LatestCall } from '../../domain/calls/latest-calls.ts';
import { FigureCounter } from '../../domain/figures/figures.ts';
import { beginOf, STEPS, type FiguresOfStep } from '../../domain/figures/figure-steps.ts';
import { CountedMinute } from './counted-minute.ts';

/**
 * The counts of one queue, or of all together: the minutes that are not over or not written yet, and the current hour.
 */
export class QueueCount {
  /** Oldest first. */
  readonly minutes: CountedMinute[] = [];
  /** The latest calls, oldest first. */
  readonly calls: LatestCall[] = [];
  /** The sum of the minutes of the current hour that are over and written. */
  #hour = { at: -1, counter: new FigureCounter() };

  /**
   * The minute to count in at a given time.
   *
   * @param total the counts of all queues together, unless this is the total itself.
   */
  at(time: number, total?: QueueCount): CountedMinute {
    const last = this.minutes.at(-1);
    // If the clock was set back, counting continues in the minute reached before.
    if (last !== undefined && time < last.at + STEPS.minute) return last;
    const minute = new CountedMinute(beginOf('minute', time), total?.at(time));
    this.minutes.push(minute);
    return minute;
  }

  called(call: LatestCall): void {
    this.calls.push(call);
    if (this.calls.length > 2 * KEPT_CALLS) this.calls.splice(0, KEPT_CALLS);
  }

  /** Forgets what calls and failures said, but not how many there were. */
  forgetReasons(): void {
    this.calls.length = 0;
    for (const minute of this.minutes) minute.forgetReasons();
  }

  /** The counts of the hour up to the end of a minute. */
  hourOf({ at }: CountedMinute): FiguresOfStep {
    const hour = beginOf('hour', at);
    const counter = new FigureCounter();
    if (this.#hour.at === hour) counter.add(this.#hour.counter.figures);
    for (const minute of this.minutes) {
      if (minute.at <= at && beginOf('hour', minute.at) === hour) {
        counter.add(minute.counter.figures);
      }
    }
    return { at: hour, figures: counter.figures };
  }

  /** Forgets minutes that are over and written, and those before `oldest` (epoch ms) in any case. */
  forget(now: number, oldest: number): void {
    const current = beginOf('minute', now);
    for (let first = this.minutes[0]; first !== undefined; first = this.minutes[0]) {
      if (first.at >= current || (first.isNew && first.at >= oldest)) break;
      this.minutes.shift();
      this.#addToHour(first);
    }
  }

  /** Whether nothing is left to write, or to add to later counts. */
  isOver(now: number): boolean {
    return this.minutes.length === 0 && this.#hour.at !== beginOf('hour', now);
  }

  #addToHour({ at, counter }: CountedMinute): void {
    const hour = beginOf('hour', at);
    if (this.#hour.at !== hour) this.#hour = { at: hour, counter: new FigureCounter() };
    this.#hour.counter.add(counter.figures);
  }
}
