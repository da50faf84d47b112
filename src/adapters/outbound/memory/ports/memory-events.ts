/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { EventPort, LostEvents } from '../../../../application/ports/event-port.ts';
import { BEFORE_EVENTS, compareEventIds } from '../../../../domain/events/event-id.ts';
import { comparePositions } from '../../../../domain/events/event-position.ts';
import { positionOf } from '../../../../domain/events/queue-event.ts';
import { mergedEvents, type QueuePart } from '../../../shared/merged-events.ts';
import { shownEvent, type StoredEvent } from '../records/event-record.ts';
import { EventBatches } from './event-batches.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The most events that one read of all queues returns, and the share that each queue is guaranteed. */
const EVENTS_PER_READ = 10_000;
const EVENTS_PER_QUEUE = 100;

/** The events of queues in the memory of this process. Ids are unique, and a later event has the greater one. */
export function memoryEvents(store: MemoryStore): EventPort {
  return {
    subscribe: async (queue, listener) => {
      const after = store.find(queue)?.events.last ?? BEFORE_EVENTS;
      // Events from before may be announced only now.
      const end = store.eventSubscribers.subscribe(queue, (events) => {
        const news = events.filter((event) => compareEventIds(positionOf(event).id, after) > 0);
        if (news.length > 0) listener(news);
      });
      return { after, end };
    },
    read: async (queue, after) =>
      store.find(queue)?.events.behind(after) ?? { events: [], last: after, isEnd: true },
    subscribeToAll: async (ending) => {
      const after = store.lastEvent;
      const batches = new EventBatches();
      const end = store.eventSubscribers.subscribeToAll((event) => {
        if (comparePositions(positionOf(event), after) > 0) batches.add(event);
      });
      ending.addEventListener('abort', () => {
        end();
        batches.end();
      });
      return { after, readings: batches.readings() };
    },
    readAll: async (after) => {
      const queues = [...store.all()];
      const end = store.lastEvent;
      if (comparePositions(after, end) > 0) {
        const clockBehind = { queues: queues.map(([queue]) => queue), now: end };
        return { events: [], last: after, isEnd: true, lost: [], clockBehind };
      }
      const most = Math.max(EVENTS_PER_QUEUE, Math.floor(EVENTS_PER_READ / queues.length));
      const parts: QueuePart<StoredEvent>[] = [];
      for (const [queue, { events }] of queues) {
        const next = events.next(after.id, most);
        const items = 'then' in next ? await next : next;
        const last = items.at(-1)?.id;
        const isCut = last !== undefined && compareEventIds(last, events.last) < 0;
        parts.push({ queue, items, isCut });
      }
      const lost = queues.flatMap(([queue, { events }]): LostEvents[] => {
        const first = events.keptSince(after.id);
        return first === undefined ? [] : [{ queue, from: after, to: { id: first, queue } }];
      });
      const { items, last } = mergedEvents(parts, ({ id }) => id, after, end);
      const shown = items.map(({ queue, item }) => shownEvent(queue, item));
      return { events: shown, last, isEnd: last === end, lost };
    },
  };
}
