import { ContainerModule } from 'inversify';
import { NodeFetchWebhook } from '../../adapters/outbound/webhook/node-fetch-webhook.ts';
import { UndiciWebhook } from '../../adapters/outbound/webhook/undici-webhook.ts';
import type { Config } from '../config/config.ts';
import { version } from '../version.ts';
import { tokens } from './tokens.ts';

/** The client that calls endpoints, WEBHOOK_CLIENT. */
export function webhookModule({ webhook }: Config): ContainerModule {
  return new ContainerModule(({ bind }) => {
    const { defaultTimeout, maxResponseSize } = webhook;
    const settings = { defaultTimeout, maxResponseSize, userAgent: `jobgate/${version()}` };
    const client =
      webhook.client === 'undici' ? new UndiciWebhook(settings) : new NodeFetchWebhook(settings);
    bind(tokens.webhook).toConstantValue(client);
    bind(tokens.webhookConnections).toConstantValue({
      name: 'endpoint connections',
      start: () => Promise.resolve(),
      stop: () => client.close(),
    });
  });
}
