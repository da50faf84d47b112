import { ContainerModule } from 'inversify';
import { RedisHealth } from '../../adapters/outbound/redis/connection/redis-health.ts';
import { StoreErrors } from '../../adapters/outbound/redis/connection/store-errors.ts';
import { addJobsScript } from '../../adapters/outbound/redis/jobs/add-jobs-script.ts';
import { MarkerWatch } from '../../adapters/outbound/redis/wakeups/marker-watch.ts';
import { NativeSchedulers } from '../../adapters/outbound/redis/attempts/native-schedulers.ts';
import { QueueCache } from '../../adapters/outbound/redis/layout/queue-cache.ts';
import { RedisAttempts } from '../../adapters/outbound/redis/attempts/redis-attempts.ts';
import { RedisQueues } from '../../adapters/outbound/redis/jobs/redis-queues.ts';
import { RedisSignals } from '../../adapters/outbound/redis/signals/redis-signals.ts';
import { RedisWorkerStore } from '../../adapters/outbound/redis/workers/redis-worker-store.ts';
import { queueName } from '../../domain/queue-name.ts';
import { stalledGrace } from '../../domain/stalled-grace.ts';
import { workerShape } from '../../domain/worker.ts';
import type { Config, RedisStoreConfig } from '../config/config.ts';
import { SharedRedisConnections } from '../../adapters/outbound/redis/connection/shared-redis-connections.ts';
import { tokens } from './tokens.ts';

/** STORE=redis: queues and workers in a Redis-compatible store, shared with other processes. */
export function redisStoreModule(config: Config, store: RedisStoreConfig): ContainerModule {
  const { prefix, nameLimits, cacheSize } = config.queues;
  const { metadataKey } = config.workers;
  const shape = workerShape(queueName(nameLimits));
  return new ContainerModule(({ bind }) => {
    bind(tokens.redisConnections)
      .toResolvedValue(
        (logger, clock) => new SharedRedisConnections(store, logger, clock),
        [tokens.logger, tokens.clock],
      )
      .inSingletonScope();
    bind(tokens.store).toService(tokens.redisConnections);
    bind(tokens.storeErrors)
      .toResolvedValue(
        (logger, clock) => new StoreErrors(logger, clock),
        [tokens.logger, tokens.clock],
      )
      .inSingletonScope();
    bind(tokens.queueCache).toConstantValue(new QueueCache(prefix, cacheSize));
    bind(tokens.queues)
      .toResolvedValue(
        (connections, cache, clock, errors) =>
          new RedisQueues(connections.commands, cache, clock, errors),
        [tokens.redisConnections, tokens.queueCache, tokens.clock, tokens.storeErrors],
      )
      .inSingletonScope();
    bind(tokens.attempts)
      .toResolvedValue(
        (connections, cache, clock, logger, errors) => {
          const markers = new MarkerWatch(connections, prefix, logger);
          const schedulers = new NativeSchedulers(connections.commands, prefix, logger);
          return new RedisAttempts(
            connections.commands,
            cache,
            markers,
            schedulers,
            clock,
            errors,
            stalledGrace(config.workers.stalledInterval),
          );
        },
        [
          tokens.redisConnections,
          tokens.queueCache,
          tokens.clock,
          tokens.logger,
          tokens.storeErrors,
        ],
      )
      .inSingletonScope();
    bind(tokens.workerStore)
      .toResolvedValue(
        (connections, errors) =>
          new RedisWorkerStore(connections.commands, metadataKey, shape, errors),
        [tokens.redisConnections, tokens.storeErrors],
      )
      .inSingletonScope();
    bind(tokens.replicaSignals)
      .toResolvedValue(
        (connections, logger) => new RedisSignals(connections, `${metadataKey}:changed`, logger),
        [tokens.redisConnections, tokens.logger],
      )
      .inSingletonScope();
    bind(tokens.storeHealth).toResolvedValue(
      (connections, errors) => new RedisHealth(connections.commands, prefix, addJobsScript, errors),
      [tokens.redisConnections, tokens.storeErrors],
    );
  });
}
