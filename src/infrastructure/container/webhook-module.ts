import { ContainerModule } from 'inversify';
import { MessageFormats } from '../../adapters/outbound/hooks/message-formats.ts';
import { ProcessHeap } from '../../adapters/shared/process-heap.ts';
import { CallMemory } from '../../adapters/outbound/webhook/call-memory.ts';
import { AddressGuard } from '../../adapters/outbound/webhook/guard/address-guard.ts';
import type { WebhookSettings } from '../../adapters/outbound/webhook/webhook-settings.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { WebhookPort } from '../../application/ports/webhook-port.ts';
import type { Config } from '../config/config.ts';
import { version } from '../version.ts';
import { token, tokens } from './tokens.ts';

type ClosableWebhook = WebhookPort & { close(): Promise<void> };

type WebhookClient = new (settings: WebhookSettings) => ClosableWebhook;

const webhookClient = token<ClosableWebhook>('webhook client');

/** Each client loads only its own dependencies. */
const CLIENTS: Readonly<Record<Config['webhook']['client'], () => Promise<WebhookClient>>> = {
  undici: async () =>
    (await import('../../adapters/outbound/webhook/undici-webhook.ts')).UndiciWebhook,
  'node-fetch': async () =>
    (await import('../../adapters/outbound/webhook/node-fetch-webhook.ts')).NodeFetchWebhook,
};

/** The client that calls endpoints. Its idle connections are closed with the service. */
export async function webhookModule(
  { webhook, queues }: Config,
  logger: LoggerPort,
): Promise<ContainerModule> {
  const { defaultTimeout, maxResponseSize, publicUrl, outbound } = webhook;
  const Client = await CLIENTS[webhook.client]();
  const guard = new AddressGuard(outbound, logger);
  return new ContainerModule(({ bind }) => {
    bind(webhookClient).toResolvedValue(
      (clock) =>
        new Client({
          defaultTimeout,
          maxResponseSize,
          userAgent: `jobgate/${version()}`,
          queuePrefix: queues.prefix,
          publicUrl,
          guard,
          memory: new CallMemory(new ProcessHeap()),
          clock,
        }),
      [tokens.clock],
    );
    bind(tokens.webhook).toResolvedValue((client) => client, [webhookClient]);
    bind(tokens.formats).toConstantValue(new MessageFormats(publicUrl));
    bind(tokens.webhookConnections).toResolvedValue(
      (client) => ({
        name: 'endpoint connections',
        start: () => Promise.resolve(),
        stop: () => client.close(),
      }),
      [webhookClient],
    );
  });
}
