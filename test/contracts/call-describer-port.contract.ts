import { expect } from 'chai';
import type { CallDescriberPort } from '../../src/application/ports/call-describer-port.ts';
import type { WebhookSettings } from '../../src/adapters/outbound/webhook/webhook-settings.ts';
import { Cancellation } from '../../src/domain/calls/cancellation.ts';
import type { Endpoint } from '../../src/domain/calls/endpoint.ts';
import { EndpointServer } from '../support/endpoint-server.ts';
import { JOB, SETTINGS, TOKEN, type ClosableWebhook } from './webhook-caller.ts';

/** What every CallDescriberPort promises. */
export function describeCallDescriberPort(
  name: string,
  create: (settings: WebhookSettings) => ClosableWebhook & CallDescriberPort,
): void {
  describe(`CallDescriberPort: ${name}`, () => {
    for (const shape of [
      { method: 'post', headers: { 'X-Tenant': 'a' } },
      { method: 'put', body: 'data' },
      { method: 'post', body: 'none' },
    ] as const) {
      // holds: workers.test
      it(`describes the call that it makes: ${JSON.stringify(shape)}`, async () => {
        const server = await EndpointServer.start();
        const webhook = create(SETTINGS);
        const { url } = server;
        const endpoint: Endpoint = { url, ...shape };
        const described = webhook.describe(endpoint, JOB, TOKEN);
        await webhook.call(endpoint, JOB, TOKEN, new Cancellation());
        const received = await server.nextCall();
        await Promise.all([webhook.close(), server.close()]);
        expect(described.method).to.equal(received.method);
        expect(described.url).to.equal(url);
        expect(described.body ?? '').to.equal(received.text);
        expect(received.headers).to.include(described.headers);
      });
    }
  });
}
