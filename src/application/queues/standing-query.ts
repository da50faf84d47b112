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
