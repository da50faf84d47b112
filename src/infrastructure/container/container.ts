import 'reflect-metadata';
import { Container } from 'inversify';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { Config } from '../config/config.ts';
import { applicationModule } from './application-module.ts';
import { metricsModule } from './metrics-module.ts';
import { serviceModule } from './service-module.ts';
import { signInModule } from './sign-in-module.ts';
import { storeModule, type MakeStore } from './store-module.ts';
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
  const store = await storeOf(config, logger);
  container.load(
    serviceModule(config),
    applicationModule(config, logger),
    metricsModule(config),
    await tracingModule(config, logger),
    await webhookModule(config, logger),
    await workloadsModule(config),
    await signInModule(config, logger),
    storeModule(store),
  );
  return container;
}

async function storeOf(config: Config, logger: LoggerPort): Promise<MakeStore> {
  const { store } = config;
  switch (store.kind) {
    case 'memory':
      return (await import('./memory-store.ts')).memoryStore(config, logger);
    case 'embedded':
      return (await import('./embedded-store.ts')).embeddedStore(config, store, logger);
    case 'postgres':
      return (await import('./postgres-store.ts')).postgresStore(config, store, logger);
    case 'redis':
      return (await import('./redis-store.ts')).redisStore(config, store, logger);
  }
}
