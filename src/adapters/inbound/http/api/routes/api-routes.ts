import type { Application } from '../../../../../application/application.ts';
import { flowJobShape } from '../../../../../domain/flows/flow.ts';
import type { QueueName } from '../../../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../../../domain/values/shape.ts';
import { workerShape } from '../../../../../domain/workers/worker.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import type { Route } from '../route.ts';
import { attemptReportRoutes } from './attempt-reports.routes.ts';
import { auditRoutes } from './audit.routes.ts';
import { blockedJobRoutes } from './blocked-jobs.routes.ts';
import { bulkRepairRoutes } from './bulk-repair.routes.ts';
import { eventRoutes } from './events.routes.ts';
import { failureRoutes } from './failures.routes.ts';
import { figureRoutes } from './figures.routes.ts';
import { flowRoutes } from './flows.routes.ts';
import { groupRoutes } from './groups.routes.ts';
import { hookRoutes } from './hooks.routes.ts';
import { healthRoutes } from './health.routes.ts';
import { jobActionRoutes } from './job-actions.routes.ts';
import { jobClaimRoutes } from './job-claims.routes.ts';
import { jobResultRoutes } from './job-results.routes.ts';
import { jobSearchRoutes } from './job-search.routes.ts';
import { jobRoutes } from './jobs.routes.ts';
import { mcpRoutes } from './mcp.routes.ts';
import { metricsRoutes } from './metrics.routes.ts';
import { schedulerRoutes } from './schedulers.routes.ts';
import { policyRoutes } from './policies.routes.ts';
import { queueRoutes } from './queues.routes.ts';
import { secretRoutes } from './secrets.routes.ts';
import { sessionRoutes } from './sessions.routes.ts';
import { storeRoutes } from './store.routes.ts';
import { systemRoutes } from './system.routes.ts';
import { ticketRoutes } from './tickets.routes.ts';
import { tokenRoutes } from './tokens.routes.ts';
import { whoamiRoutes } from './whoami.routes.ts';
import { workerRoutes } from './workers.routes.ts';

/**
 * All routes of the interface for programs.
 *
 * @param maxReturnValue largest return value that is reported, in bytes.
 * @param version the version of the service.
 */
export function apiRoutes(
  application: Application,
  turns: EventLoopTurns,
  queueName: Shape<QueueName>,
  queuePrefix: string,
  maxReturnValue: number,
  version: string,
): readonly Route[] {
  const routes = [
    ...jobSearchRoutes(application.jobSearch, turns, queuePrefix),
    ...jobClaimRoutes(application.jobClaims, turns, queuePrefix),
    ...jobRoutes(
      application.jobs,
      application.groupListing,
      application.awaitedAdds,
      application.jobCallbacks,
      turns,
      queuePrefix,
    ),
    ...attemptReportRoutes(application.attemptReports, maxReturnValue),
    ...jobResultRoutes(application.jobResults),
    ...blockedJobRoutes(application.blockedJobs),
    ...jobActionRoutes(application.jobActions, queuePrefix),
    ...flowRoutes(application.flows, flowJobShape(queueName), turns),
    ...failureRoutes(application.failures, application.recentFailures),
    ...figureRoutes(application.figures),
    ...bulkRepairRoutes(application.bulkRepairs),
    ...queueRoutes(application.queues, application.figuredQueues),
    ...groupRoutes(application.groups),
    ...eventRoutes(application.events, application.digests, turns),
    ...ticketRoutes(application.tickets),
    ...policyRoutes(application.policies),
    ...schedulerRoutes(application.schedulers, turns, queuePrefix),
    ...workerRoutes(
      application.workers,
      {
        health: application.workerHealth,
        calls: application.workerCalls,
        test: application.workerTest,
      },
      workerShape(queueName),
    ),
    ...hookRoutes(application.hooks, application.hookTest, turns),
    ...secretRoutes(application.secrets),
    ...whoamiRoutes(),
    ...tokenRoutes(application.accessTokens),
    ...sessionRoutes(application.sessions),
    ...auditRoutes(application.audit),
    ...systemRoutes(application.system),
    ...storeRoutes(application.storeBackups),
    ...healthRoutes(application.health),
    ...metricsRoutes(application.metrics),
  ];
  return [...routes, ...mcpRoutes(routes, application.repairCodes, version)];
}
