import type { EventOrGap } from '../../src/domain/events/queue-event.ts';
import { without } from '../../src/domain/values/without.ts';

/**
 * The events of one step as far as both stores promise the same.
 *
 * - What a step does to several jobs has no order among them.
 * - A job that goes in the step may have other events before that in one store alone.
 * - BullMQ's own script says of a deduplicated job that is replaced that it was removed, without its group.
 */
export function shownEvents(read: readonly EventOrGap[]): readonly unknown[] {
  const events = read.filter((event) => event.name !== 'gap');
  const removed = new Set(
    events.filter(({ name }) => name === 'removed').map(({ data }) => data.jobId),
  );
  return events
    .filter(({ name, data }) => name === 'removed' || !removed.has(data.jobId))
    .map(({ name, data }) => {
      const shown = without(data, 'timestamp');
      return { name, ...(name === 'removed' ? without(shown, 'group') : shown) };
    })
    .toSorted((one, other) => compare(one.jobId ?? '', other.jobId ?? ''));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
