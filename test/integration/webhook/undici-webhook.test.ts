import type { Socket } from 'node:net';
import { expect } from 'chai';
import { ContentDecoder } from '../../../src/adapters/outbound/webhook/content-decoding.ts';
import { UndiciCall } from '../../../src/adapters/outbound/webhook/undici-call.ts';
import { UndiciConnections } from '../../../src/adapters/outbound/webhook/undici-connections.ts';
import { UndiciWebhook } from '../../../src/adapters/outbound/webhook/undici-webhook.ts';
import { WebhookRequests } from '../../../src/adapters/outbound/webhook/webhook-request.ts';
import { Cancellation } from '../../../src/domain/calls/cancellation.ts';
import {
  GUARD,
  JOB,
  SETTINGS,
  TOKEN,
  WebhookCaller,
  type CreateWebhook,
} from '../../contracts/webhook-caller.ts';
import { describeWebhookPort } from '../../contracts/webhook-port.contract.ts';
import { EndpointServer } from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import { Mailbox } from '../../support/mailbox.ts';

const create: CreateWebhook = (settings) => new UndiciWebhook(settings);

describeWebhookPort('undici', create);

describe('UndiciWebhook', () => {
  it('lets go of the origin called longest ago, but not of its running call', async () => {
    const caller = new WebhookCaller(create);
    const called = new Mailbox<Socket>();
    const server = await caller.speaking((socket) => {
      called.put(socket);
    });
    const running = caller.call(server.origin);
    const socket = await called.take();
    // Too long labels are refused by every resolver itself, so these calls cost next to nothing.
    const others = Array.from({ length: 1000 }, (_, n) => `http://${'a'.repeat(64)}${n}.invalid`);
    await Promise.all(others.map((origin) => caller.failure(origin)));
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\nfinished');
    expect((await running).body).to.equal('finished');
    await server.nextClose();
    await caller.close();
  }).timeout(3500);

  it('keeps no connection that the endpoint has closed', async () => {
    const endpoint = await EndpointServer.start();
    const connections = new UndiciConnections(endpoint.origin, GUARD);
    const requests = new WebhookRequests(SETTINGS);
    const called = { url: endpoint.url, method: 'post' } as const;
    const request = requests.of({ endpoint: called, job: JOB, token: TOKEN });
    await UndiciCall.send(request, connections, {
      maxResponseSize: 10,
      cancellation: new Cancellation(),
      decoder: new ContentDecoder(),
      memory: SETTINGS.memory,
      renew: () => Promise.resolve(request),
    });
    const idle = connections.take();
    connections.release(idle);
    await endpoint.close();
    await eventually('the closed connection is forgotten', () => {
      const taken = connections.take();
      connections.release(taken);
      return Promise.resolve(taken !== idle);
    });
    await connections.close();
  });
});
