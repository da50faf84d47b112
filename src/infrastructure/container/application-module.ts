import { ContainerModule } from 'inversify';
import { Health } from '../../application/health/health.ts';
import { Jobs } from '../../application/jobs/jobs.ts';
import { Fleet } from '../../application/workers/fleet.ts';
import { Workers } from '../../application/workers/workers.ts';
import type { Config } from '../config/config.ts';
import { tokens } from './tokens.ts';

/** The use cases, and the fleet that processes jobs. */
export function applicationModule({ queues, workers: processing }: Config): ContainerModule {
  const { nameLimits, maxJobsPerAdd } = queues;
  return new ContainerModule(({ bind }) => {
    bind(tokens.jobs).toResolvedValue(
      (port) => new Jobs(port, nameLimits, maxJobsPerAdd),
      [tokens.queues],
    );
    bind(tokens.workers).toResolvedValue(
      (store, fleet, clock) => new Workers(store, fleet, clock, nameLimits),
      [tokens.workerStore, tokens.fleet, tokens.clock],
    );
    bind(tokens.fleet)
      .toResolvedValue(
        (store, jobs, webhook, clock, logger) =>
          new Fleet(store, { jobs, webhook, clock, logger, settings: processing }),
        [tokens.workerStore, tokens.jobConsumer, tokens.webhook, tokens.clock, tokens.logger],
      )
      .inSingletonScope();
    bind(tokens.health)
      .toResolvedValue(
        (store, fleet) => new Health(store, fleet),
        [tokens.storeHealth, tokens.fleet],
      )
      .inSingletonScope();
    bind(tokens.application).toResolvedValue(
      (jobs, workers, health) => ({ jobs, workers, health }),
      [tokens.jobs, tokens.workers, tokens.health],
    );
  });
}
