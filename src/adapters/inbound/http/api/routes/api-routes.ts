import type { RepairCodes } from '../../../../../application/jobs/repair-codes.ts';
import type { OperationCatalogue } from '../../../../../application/operation-catalogue.ts';
import { flowJobShape } from '../../../../../domain/flows/flow.ts';
import type { QueueName } from '../../../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../../../domain/values/shape.ts';
import { workerShape } from '../../../../../domain/workers/worker.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { statusOfActions } from '../audit-status.ts';
import type { Route } from '../route.ts';
import { attemptReportRoutes } from './attempt-reports.routes.ts';
import { auditRoutes } from './audit.routes.ts';
import { blockedJobRoutes } from './blocked-jobs.routes.ts';
import { bulkRepairRoutes } from './bulk-repair.routes.ts';
import { demandRoutes } from './demand.routes.ts';
import { eventRoutes } from './events.routes.ts';
import { erasureRoutes } from './erasure.routes.ts';
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
import { redriveRoutes } from './redrive.routes.ts';
import { schedulerRoutes } from './schedulers.routes.ts';
import { policyRoutes } from './policies.routes.ts';
import { queueRoutes } from './queues.routes.ts';
import { secretRoutes } from './secrets.routes.ts';
import { sessionRoutes } from './sessions.routes.ts';
import { settingSetRoutes } from './setting-sets.routes.ts';
import { storeRoutes } from './store.routes.ts';
import { systemRoutes } from './system.routes.ts';
import { ticketRoutes } from './tickets.routes.ts';
import { tokenRoutes } from './tokens.routes.ts';
import { whoamiRoutes } from './whoami.routes.ts';
import { workerRoutes } from './workers.routes.ts';

/** What the routes need besides the operations. */
export interface RouteSettings {
  readonly repairCodes: Pick<RepairCodes, 'issue' | 'use'>;
  readonly turns: EventLoopTurns;
  readonly queueName: Shape<QueueName>;
  /** Largest return value that is reported, in bytes. */
  readonly maxReturnValue: number;
  /** The version of the service. */
  readonly version: string;
}

/** All routes of the interface for programs. */
export function apiRoutes(
  catalogue: OperationCatalogue,
  { repairCodes, turns, queueName, maxReturnValue, version }: RouteSettings,
): readonly Route[] {
  const { service } = catalogue;
  const routes = [
    ...jobSearchRoutes(catalogue.jobSearch, turns),
    ...jobClaimRoutes(catalogue.jobClaims, turns),
    ...jobRoutes(catalogue.jobs, turns),
    ...attemptReportRoutes(catalogue.attemptReports, maxReturnValue),
    ...jobResultRoutes(catalogue.jobResults),
    ...blockedJobRoutes(catalogue.blockedJobs),
    ...jobActionRoutes(catalogue.jobActions),
    ...flowRoutes(catalogue.flows, flowJobShape(queueName), turns),
    ...failureRoutes(catalogue.failures),
    ...figureRoutes(catalogue.figures),
    ...demandRoutes(catalogue.demands),
    ...bulkRepairRoutes(catalogue.bulkRepairs),
    ...redriveRoutes(catalogue.redrives, queueName),
    ...erasureRoutes(catalogue.erasures),
    ...queueRoutes(catalogue.queues, turns),
    ...groupRoutes(catalogue.groups),
    ...eventRoutes(catalogue.events, turns),
    ...ticketRoutes(catalogue.tickets),
    ...policyRoutes(catalogue.policies),
    ...schedulerRoutes(catalogue.schedulers, turns),
    ...workerRoutes(catalogue.workers, workerShape(queueName)),
    ...hookRoutes(catalogue.hooks, turns),
    ...settingSetRoutes(catalogue.settingSets),
    ...secretRoutes(service),
    ...whoamiRoutes(service),
    ...tokenRoutes(catalogue.tokens, turns),
    ...sessionRoutes(catalogue.sessions),
    ...auditRoutes(service, (action) => statusOfAction(action)),
    ...systemRoutes(service),
    ...storeRoutes(service),
    ...healthRoutes(service),
    ...metricsRoutes(service),
    ...mcpRoutes(catalogue, repairCodes, queueName, turns, version),
  ];
  const statusOfAction = statusOfActions(routes);
  return routes;
}
