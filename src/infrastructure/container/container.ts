import 'reflect-metadata';
import { Container } from 'inversify';
import type { Config } from '../config/config.ts';
import { applicationModule } from './application-module.ts';
import { memoryStoreModule } from './memory-store-module.ts';
import { redisStoreModule } from './redis-store-module.ts';
import { serviceModule } from './service-module.ts';
import { webhookModule } from './webhook-module.ts';

/** Wires the whole service; one module per area, and the store chosen by STORE. */
export function createContainer(config: Config): Container {
  const { store } = config;
  const container = new Container();
  container.load(
    serviceModule(config),
    applicationModule(config),
    webhookModule(config),
    store.kind === 'memory' ? memoryStoreModule(config) : redisStoreModule(config, store),
  );
  return container;
}
