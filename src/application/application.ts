import type { AttemptReports } from './attempts/attempt-reports.ts';
import type { JobClaims } from './pulls/job-claims.ts';
import type { Events } from './events/events.ts';
import type { Tickets } from './events/tickets.ts';
import type { Flows } from './flows/flows.ts';
import type { Health } from './health/health.ts';
import type { AwaitedAdds } from './jobs/awaited-adds.ts';
import type { Figures } from './figures/figures.ts';
import type { RecentFailures } from './figures/recent-failures.ts';
import type { BulkRepairs } from './jobs/bulk-repairs.ts';
import type { Failures } from './jobs/failures.ts';
import type { JobResults } from './jobs/job-results.ts';
import type { JobSearch } from './jobs/job-search.ts';
import type { Policies } from './policies/policies.ts';
import type { MetricsPort } from './ports/metrics-port.ts';
import type { JobActions } from './jobs/job-actions.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Schedulers } from './schedulers/schedulers.ts';
import type { FiguredQueues } from './queues/figured-queues.ts';
import type { Queues } from './queues/queues.ts';
import type { WorkerHealthReader } from './workers/worker-health-reader.ts';
import type { Workers } from './workers/workers.ts';

/** Everything the service can do, for any inbound adapter. */
export interface Application {
  readonly jobs: Jobs;
  readonly awaitedAdds: AwaitedAdds;
  readonly jobClaims: JobClaims;
  readonly attemptReports: AttemptReports;
  readonly jobActions: JobActions;
  readonly jobResults: JobResults;
  readonly jobSearch: JobSearch;
  readonly flows: Flows;
  readonly failures: Failures;
  readonly recentFailures: RecentFailures;
  readonly figures: Figures;
  readonly figuredQueues: FiguredQueues;
  readonly bulkRepairs: BulkRepairs;
  readonly queues: Queues;
  readonly events: Events;
  readonly tickets: Tickets;
  readonly workers: Workers;
  readonly workerHealth: WorkerHealthReader;
  readonly policies: Policies;
  readonly schedulers: Schedulers;
  readonly health: Health;
  readonly metrics: MetricsPort;
}
