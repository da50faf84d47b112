import { comparePositions, type EventPosition } from '../../domain/events/event-position.ts';
import { positionOf, type EventOrGap } from '../../domain/events/queue-event.ts';
import { inBatches, type EventBatch } from './event-batch.ts';

interface Page {
  readonly source: string;
  readonly after: EventPosition;
  readonly last: EventPosition;
  readonly batches: WeakRef<readonly EventBatch[]>;
}

/**
 * Pages of past events of which some subscribers have not taken all batches yet. Those that lag at other positions get
 * the same batches, so that thousands of clients that do not read hold each event, and its text, once.
 */
export class PagesInUse {
  #pages: readonly Page[] = [];
  /** The page of each batch, which is in use for as long as one of its batches is. */
  readonly #batchesOf = new WeakMap<EventBatch, readonly EventBatch[]>();

  /**
   * Takes a page that was read.
   *
   * @param source the name of the source of the events, all of which from `after` to the last are in the page.
   * @returns its first batch.
   */
  first(source: string, after: EventPosition, page: EventBatch): EventBatch {
    const batches = inBatches(page);
    const [first = page, ...others] = batches;
    if (others.length === 0) return first;
    const inUse = this.#pages.filter((each) => each.batches.deref() !== undefined);
    this.#pages = [{ source, after, last: page.last, batches: new WeakRef(batches) }, ...inUse];
    for (const batch of batches) this.#batchesOf.set(batch, batches);
    return first;
  }

  /** The next batch after a position; undefined when no page in use has it. */
  next(source: string, position: EventPosition): EventBatch | undefined {
    for (const page of this.#pages) {
      if (page.source !== source || comparePositions(page.after, position) > 0) continue;
      const batches = page.batches.deref();
      const next = batches?.find(({ last }) => comparePositions(last, position) > 0);
      if (batches === undefined || next === undefined) continue;
      const rest = restOf(next, position);
      this.#batchesOf.set(rest, batches);
      return rest;
    }
    return undefined;
  }
}

/** The batch itself if all of it comes after the position. */
function restOf(batch: EventBatch, position: EventPosition): EventBatch {
  const isBehind = (event: EventOrGap): boolean =>
    comparePositions(positionOf(event), position) > 0;
  return batch.events.every(isBehind)
    ? batch
    : { events: batch.events.filter(isBehind), last: batch.last };
}
