import type { Application } from '../../../../../application/application.ts';
import type { QueueName } from '../../../../../domain/queue-name.ts';
import type { Shape } from '../../../../../domain/shape.ts';
import { workerShape } from '../../../../../domain/worker.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import type { Route } from '../route.ts';
import { bulkRepairRoutes } from './bulk-repair.routes.ts';
import { failureRoutes } from './failures.routes.ts';
import { healthRoutes } from './health.routes.ts';
import { jobActionRoutes } from './job-actions.routes.ts';
import { jobResultRoutes } from './job-results.routes.ts';
import { jobSearchRoutes } from './job-search.routes.ts';
import { jobRoutes } from './jobs.routes.ts';
import { metricsRoutes } from './metrics.routes.ts';
import { policyRoutes } from './policies.routes.ts';
import { queueRoutes } from './queues.routes.ts';
import { workerRoutes } from './workers.routes.ts';

/** The whole interface for programs. */
export function apiRoutes(
  {
    jobs,
    jobActions,
    jobResults,
    jobSearch,
    failures,
    bulkRepairs,
    queues,
    workers,
    policies,
    health,
    metrics,
  }: Application,
  turns: EventLoopTurns,
  queueName: Shape<QueueName>,
  queuePrefix: string,
): readonly Route[] {
  return [
    ...jobSearchRoutes(jobSearch, turns, queuePrefix),
    ...jobRoutes(jobs, turns, queuePrefix),
    ...jobResultRoutes(jobResults),
    ...jobActionRoutes(jobActions, queuePrefix),
    ...failureRoutes(failures),
    ...bulkRepairRoutes(bulkRepairs),
    ...queueRoutes(queues),
    ...policyRoutes(policies),
    ...workerRoutes(workers, workerShape(queueName)),
    ...healthRoutes(health),
    ...metricsRoutes(metrics, 'api'),
  ];
}
