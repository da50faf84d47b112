import 'reflect-metadata';
import { Container, type ContainerModule } from 'inversify';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { Config } from '../config/config.ts';
import { applicationModule } from './application-module.ts';
import { serviceModule } from './service-module.ts';

/**
 * Wires the whole service; one module per area. Only the store and the webhook client that the
 * configuration chose are loaded.
 */
export async function createContainer(config: Config, logger: LoggerPort): Promise<Container> {
  const container = new Container();
  container.load(
    serviceModule(config, logger),
    applicationModule(config),
    await webhookModule(config),
    await storeModule(config),
  );
  return container;
}

async function storeModule(config: Config): Promise<ContainerModule> {
  const { store } = config;
  if (store.kind === 'memory') {
    const { memoryStoreModule } = await import('./memory-store-module.ts');
    return memoryStoreModule(config);
  }
  const { redisStoreModule } = await import('./redis-store-module.ts');
  return redisStoreModule(config, store);
}

async function webhookModule(config: Config): Promise<ContainerModule> {
  if (config.webhook.client === 'undici') {
    const { undiciModule } = await import('./undici-module.ts');
    return undiciModule(config);
  }
  const { nodeFetchModule } = await import('./node-fetch-module.ts');
  return nodeFetchModule(config);
}
