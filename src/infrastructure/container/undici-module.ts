import type { ContainerModule } from 'inversify';
import { UndiciWebhook } from '../../adapters/outbound/webhook/undici-webhook.ts';
import type { Config } from '../config/config.ts';
import { webhookBinding } from './webhook-binding.ts';

/** WEBHOOK_CLIENT=undici. */
export function undiciModule(config: Config): ContainerModule {
  return webhookBinding(config, UndiciWebhook);
}
