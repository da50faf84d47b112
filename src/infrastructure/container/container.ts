import 'reflect-metadata';
import { Container, type ContainerModule } from 'inversify';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { Config } from '../config/config.ts';
import { applicationModule } from './application-module.ts';
import { metricsModule } from './metrics-module.ts';
import { serviceModule } from './service-module.ts';
import { tracingModule } from './tracing-module.ts';
import { workloadsModule } from './workloads-module.ts';
import { webhookModule } from './webhook-module.ts';

/**
 * Wires the whole service from one module per area, with a single instance of each part. Only the configured store and
 * webhook client are loaded.
 */
export async function createContainer(config: Config, logger: LoggerPort): Promise<Container> {
  const container = new Container({ defaultScope: 'Singleton' });
  // The first one, since the thread of the embedded store starts beside the others.
  const store = await storeModule(config, logger);
  container.load(
    serviceModule(config),
    applicationModule(config, logger),
    metricsModule(config),
    await tracingModule(config, logger),
    await webhookModule(config, logger),
    await workloadsModule(config),
    store,
  );
  return container;
}

async function storeModule(config: Config, logger: LoggerPort): Promise<ContainerModule> {
  const { store } = config;
  if (store.kind === 'memory') {
    const { memoryStoreModule } = await import('./memory-store-module.ts');
    return memoryStoreModule(config, logger);
  }
  if (store.kind === 'embedded') {
    const { embeddedStoreModule } = await import('./embedded-store-module.ts');
    return embeddedStoreModule(config, store, logger);
  }
  if (store.kind === 'postgres') {
    const { postgresStoreModule } = await import('./postgres-store-module.ts');
    return postgresStoreModule(config, store, logger);
  }
  const { redisStoreModule } = await import('./redis-store-module.ts');
  return redisStoreModule(config, store, logger);
}
