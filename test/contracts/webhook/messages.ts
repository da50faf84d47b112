import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { SentMessage } from '../../../src/application/ports/webhook-port.ts';
import type { EndpointAnswer } from '../../../src/domain/calls/delivery.ts';
import { Cancellation } from '../../../src/domain/calls/cancellation.ts';
import type { Endpoint } from '../../../src/domain/calls/endpoint.ts';
import { rejection } from '../../support/rejection.ts';
import { MAX_RESPONSE_SIZE, type WebhookCaller } from '../webhook-caller.ts';

const SECRET = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;

const MESSAGE: SentMessage = {
  id: 'delivery-7',
  contentType: 'application/cloudevents+json',
  body: '{"text":"grün 🎨"}',
};

export function describeMessages(caller: () => WebhookCaller): void {
  describe('a message', () => {
    const send = (
      url: string,
      options: Partial<Endpoint> = {},
      cancellation = new Cancellation(),
    ): Promise<EndpointAnswer> => {
      const endpoint = { url, method: 'post', ...options } as const;
      return caller().webhook.send(endpoint, MESSAGE, cancellation);
    };

    it('is sent as it is, with its id and the headers of the endpoint, and no job', async () => {
      const server = await caller().endpoint();
      const answer = await send(server.url, { headers: { 'X-Tenant': 'a' } });
      expect(answer.status).to.equal(200);
      const { method, text, headers } = await server.nextCall();
      expect({ method, text }).to.deep.equal({ method: 'POST', text: MESSAGE.body });
      expect(headers).to.include({
        'content-type': MESSAGE.contentType,
        'webhook-id': MESSAGE.id,
        'x-tenant': 'a',
        'user-agent': 'jobgate/1.2.3',
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('jobgate-'))).to.deep.equal([]);
      expect(headers).not.to.have.property('webhook-signature');
    });

    it('is signed with its id', async () => {
      const server = await caller().endpoint();
      await send(server.url, { signing: true, secrets: { current: SECRET, former: [] } });
      const { text, headers } = await server.nextCall();
      expect(headers['webhook-id']).to.equal(MESSAGE.id);
      const verified = new Webhook(SECRET).verify(text, headers as Record<string, string>);
      expect(verified).to.deep.equal(JSON.parse(MESSAGE.body));
    });

    it('is answered also by what is too long to be read as a whole', async () => {
      const server = await caller().endpoint((_, response) => {
        response.end('x'.repeat(MAX_RESPONSE_SIZE + 1));
      });
      const { status, body } = await send(server.url);
      expect(status).to.equal(200);
      expect(body.startsWith('xxx')).to.equal(true);
    });

    it('is given up when its time is up', async () => {
      const server = await caller().endpoint(() => undefined);
      const error = await rejection(send(server.url, { timeout: 100 }));
      expect(error).to.include({ name: 'EndpointCallError', outcome: 'timeout' });
    });
  });
}
