import { ContainerModule } from 'inversify';
import type { WebhookPort } from '../../application/ports/webhook-port.ts';
import type { Config } from '../config/config.ts';
import { version } from '../version.ts';
import { tokens } from './tokens.ts';

type WebhookSettings = Pick<Config['webhook'], 'defaultTimeout' | 'maxResponseSize'> & {
  readonly userAgent: string;
};

/** Binds a client that calls endpoints, whose idle connections end with the service. */
export function webhookBinding(
  { webhook: { defaultTimeout, maxResponseSize } }: Config,
  Client: new (settings: WebhookSettings) => WebhookPort & { close(): Promise<void> },
): ContainerModule {
  return new ContainerModule(({ bind }) => {
    const userAgent = `jobgate/${version()}`;
    const client = new Client({ defaultTimeout, maxResponseSize, userAgent });
    bind(tokens.webhook).toConstantValue(client);
    bind(tokens.webhookConnections).toConstantValue({
      name: 'endpoint connections',
      start: () => Promise.resolve(),
      stop: () => client.close(),
    });
  });
}
