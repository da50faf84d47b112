import type { ContainerModule } from 'inversify';
import { NodeFetchWebhook } from '../../adapters/outbound/webhook/node-fetch-webhook.ts';
import type { Config } from '../config/config.ts';
import { webhookBinding } from './webhook-binding.ts';

/** WEBHOOK_CLIENT=node-fetch. */
export function nodeFetchModule(config: Config): ContainerModule {
  return webhookBinding(config, NodeFetchWebhook);
}
