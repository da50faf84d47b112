import { KEPT_CALLS, type LatestCall } from '../../domain/calls/latest-calls.ts';
import { FigureCounter } from '../../domain/figures/figures.ts';
import { beginOf, STEPS, type FiguresOfStep } from '../../domain/figures/figure-steps.ts';
import { CountedMinute } from './counted-minute.ts';

/** Counts of one queue, or of all together, by minute: those that are not over, or not written, and the hour so far. */
export class QueueCount {
  /** Oldest first. */
  readonly minutes: CountedMinute[] = [];
  /** The latest calls, the last one last. */
  readonly calls: LatestCall[] = [];
  /** The minutes of the current hour that are over and written. */
  #hour = { at: -1, counter: new FigureCounter() };

  /**
   * The minute of a time, to be counted in.
   *
   * @param total the count of all queues together, unless this is that one.
   */
  at(time: number, total?: QueueCount): CountedMinute {
    const last = this.minutes.at(-1);
    // A clock that was put back counts on in the minute where it was.
    if (last !== undefined && time < last.at + STEPS.minute) return last;
    const minute = new CountedMinute(beginOf('minute', time), total?.at(time));
    this.minutes.push(minute);
    return minute;
  }

  called(call: LatestCall): void {
    this.calls.push(call);
    if (this.calls.length > 2 * KEPT_CALLS) this.calls.splice(0, KEPT_CALLS);
  }

  /** What was counted in the hour of a minute, up to its end. */
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

  /** Forgets minutes that are over and written, and those from before `oldest` (epoch ms), written or not. */
  forget(now: number, oldest: number): void {
    const current = beginOf('minute', now);
    for (let first = this.minutes[0]; first !== undefined; first = this.minutes[0]) {
      if (first.at >= current || (first.isNew && first.at >= oldest)) break;
      this.minutes.shift();
      this.#addToHour(first);
    }
  }

  /** Whether there is nothing left to write, or to add to what comes. */
  isOver(now: number): boolean {
    return this.minutes.length === 0 && this.#hour.at !== beginOf('hour', now);
  }

  #addToHour({ at, counter }: CountedMinute): void {
    const hour = beginOf('hour', at);
    if (this.#hour.at !== hour) this.#hour = { at: hour, counter: new FigureCounter() };
    this.#hour.counter.add(counter.figures);
  }
}
