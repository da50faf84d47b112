import type { FiguredQueue, FiguredQueuesPage } from '../../../typescript/src/api.ts';

/**
 * Finds the latest reading of a queue in lists that were read at different times, so that all parts of a page show the
 * same figures.
 */
export function latestReadings(
  lists: readonly (FiguredQueuesPage | undefined)[],
): (queue: FiguredQueue) => FiguredQueue {
  const latest = new Map<string, { readonly at: number; readonly queue: FiguredQueue }>();
  for (const { at, queues } of lists.filter((list) => list !== undefined)) {
    for (const queue of queues) {
      if (at > (latest.get(queue.name)?.at ?? -1)) latest.set(queue.name, { at, queue });
    }
  }
  return (queue) => latest.get(queue.name)?.queue ?? queue;
}
