import type { Application } from '../../../../../application/application.ts';
import type { QueueNameLimits } from '../../../../../domain/queue-name.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import type { Route } from '../route.ts';
import { healthRoutes } from './health.routes.ts';
import { jobRoutes } from './jobs.routes.ts';
import { workerRoutes } from './workers.routes.ts';

/** The whole interface for programs. */
export function apiRoutes(
  { jobs, workers, health }: Application,
  turns: EventLoopTurns,
  limits: QueueNameLimits,
): readonly Route[] {
  return [...jobRoutes(jobs, turns), ...workerRoutes(workers, limits), ...healthRoutes(health)];
}
