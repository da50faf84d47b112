import type { QueueStanding } from '../../domain/workers/blocked.ts';
import type { StandingQuery } from '../ports/queue-standing-port.ts';
import type { ViewedQueue } from './queue-view.ts';

/** The query for the standing of a queue, with the settings of its worker that matter for it. */
export function standingQuery({ queue, worker }: ViewedQueue): StandingQuery {
  return {
    queue,
    limiter: worker?.opts?.limiter,
    hasBatches: worker?.opts?.batch !== undefined,
  };
}

/** The standing, completed by what the policies in force say of the queue. */
export function standingIn(
  { window, takesDeadLetters = false }: Pick<ViewedQueue, 'window' | 'takesDeadLetters'>,
  standing: QueueStanding,
): QueueStanding {
  return { ...standing, window, takesDeadLetters };
}
