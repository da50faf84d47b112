import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { JobState } from '../../src/domain/jobs/job-status.ts';
import type { StoredQueue } from '../../src/adapters/outbound/memory/state/stored-queue.ts';
import { BEFORE_EVENTS } from '../../src/domain/events/event-id.ts';
import { FakeClock } from './fake-clock.ts';
import { memoryStore } from './memory-store.ts';
import { queueNamed } from './queue-named.ts';

/** An empty queue for transitions. */
export function queueState(name: QueueName = queueNamed('mail')): StoredQueue {
  return memoryStore(new FakeClock()).open(name);
}

/** The ids of the jobs of each state that has some, first to last. */
export function placesIn({ jobs }: StoredQueue): Partial<Record<JobState, readonly string[]>> {
  const states = Object.keys(jobs.in) as JobState[];
  const places = states.map((state) => [state, jobs.in[state].fromFirst(Infinity)] as const);
  return Object.fromEntries(
    places
      .filter(([, found]) => found.length > 0)
      .map(([state, found]) => [state, found.map(({ id }) => id)]),
  );
}

/** The events so far, each by its name and job. */
export function eventsOf({ events }: StoredQueue): readonly string[] {
  const kept = events.next(BEFORE_EVENTS, Infinity);
  if ('then' in kept) throw new Error('The events are not in memory');
  return kept.map(({ name, jobId }) => [name, jobId].join(' ').trim());
}
