import type { Health } from './health/health.ts';
import type { MetricsPort } from './ports/metrics-port.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Workers } from './workers/workers.ts';

/** Everything the service can do, for any inbound adapter. */
export interface Application {
  readonly jobs: Jobs;
  readonly workers: Workers;
  readonly health: Health;
  readonly metrics: MetricsPort;
}
