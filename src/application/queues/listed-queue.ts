import { stateCountsShape } from '../../domain/jobs/job-status.ts';
import { waitingAge } from '../../domain/queues/waiting-age.ts';
import {
  required,
  nullable,
  integer,
  type Members,
  string,
  boolean,
} from '../../domain/values/shape.ts';
import { destinationsField } from '../../domain/workers/worker-health.ts';
import { stopFields } from '../../domain/values/stop.ts';
import type { ViewedQueue } from './queue-view.ts';

/** A queue in a list. */
export const listedQueueFields = {
  name: required(string, 'The name of the queue'),
  paused: required(boolean, 'Whether no job starts until the queue is resumed'),
  ...stopFields,
  counts: required(stateCountsShape, 'How many jobs of each state the queue holds'),
  oldestWaiting: required(
    nullable(integer(0)),
    'For how many milliseconds the oldest waiting or prioritized job could have started; null when none waits',
  ),
  worker: required(
    nullable(string),
    'The URL of the endpoint; null without a worker, and without a URL of its own',
  ),
  destinations: destinationsField,
};

export type ListedQueue = Members<typeof listedQueueFields>;

export function listedQueue({ queue, glance, worker }: ViewedQueue, now: number): ListedQueue {
  const { pause, hold } = glance;
  return {
    name: queue,
    paused: glance.isPaused,
    ...(pause && { pause }),
    ...(hold?.stop && { hold: hold.stop }),
    counts: glance.counts,
    oldestWaiting: waitingAge(glance.waitingSince, now),
    worker: worker?.endpoint.url ?? null,
    ...(worker?.endpoint.url === null && { destinations: true }),
  };
}
