import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { SentMessage } from '../../../src/application/ports/webhook-port.ts';
import type { EndpointAnswer } from '../../../src/domain/calls/delivery.ts';
import { Cancellation } from '../../../src/domain/calls/cancellation.ts';
import type { Endpoint } from '../../../src/domain/calls/endpoint.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { rejection } from '../../support/rejection.ts';
import { MAX_RESPONSE_SIZE, type WebhookCaller } from '../webhook-caller.ts';

const SECRET = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;

const DIGEST = /^msg_[\w-]{43}$/;

const MESSAGE: SentMessage = {
  identity: { queue: queueNamed(':jobgate:hook.on.call'), id: 'on.call.5.7', timestamp: 5 },
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
      return caller().webhook.call({ endpoint, message: MESSAGE }, cancellation);
    };

    it('is sent as it is, with its id and the headers of the endpoint, and no job', async () => {
      const server = await caller().endpoint();
      const answer = await send(server.url, { headers: { 'X-Tenant': 'a' } });
      expect(answer.status).to.equal(200);
      const { method, text, headers } = await server.nextCall();
      expect({ method, text }).to.deep.equal({ method: 'POST', text: MESSAGE.body });
      expect(headers).to.include({
        'content-type': MESSAGE.contentType,
        'x-tenant': 'a',
        'user-agent': 'jobgate/1.2.3',
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('jobgate-'))).to.deep.equal([]);
      expect(headers).not.to.have.property('webhook-signature');
    });

    // holds: hooks.webhook-id
    it('has an id that shows nothing of its identity, and is the same whenever it is sent', async () => {
      const server = await caller().endpoint();
      const identities = [
        MESSAGE.identity,
        MESSAGE.identity,
        { ...MESSAGE.identity, id: 'on.call.5.8' },
        { ...MESSAGE.identity, timestamp: 6 },
        { ...MESSAGE.identity, queue: queueNamed(':jobgate:hook.other') },
      ];
      const ids: unknown[] = [];
      for (const identity of identities) {
        const endpoint = { url: server.url, method: 'post' } as const;
        const message = { ...MESSAGE, identity };
        await caller().webhook.call({ endpoint, message }, new Cancellation());
        ids.push((await server.nextCall()).headers['webhook-id']);
      }
      expect(new Set(ids).size).to.equal(4);
      expect(ids[1]).to.equal(ids[0]);
      for (const id of ids) expect(id).to.match(DIGEST);
    });

    it('is signed with its id', async () => {
      const server = await caller().endpoint();
      await send(server.url, { signing: true, secrets: { current: SECRET, former: [] } });
      const { text, headers } = await server.nextCall();
      expect(headers['webhook-id']).to.match(DIGEST);
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
