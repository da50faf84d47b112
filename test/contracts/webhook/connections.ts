import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { ENDPOINT_METHODS } from '../../../src/domain/endpoint.ts';
import { answer, type EndpointServer } from '../../support/endpoint-server.ts';
import { HastyServer } from '../../support/hasty-server.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { rejection } from '../../support/rejection.ts';
import type { WebhookCaller } from '../webhook-caller.ts';

/** Milliseconds in which an idle connection does not end by itself. */
const PROMPT = 2500;

function connectionsUsed(endpoint: EndpointServer): number {
  return new Set(endpoint.calls.map((call) => call.connection)).size;
}

export function describeConnections(caller: () => WebhookCaller): void {
  describe('connections', () => {
    for (const method of ENDPOINT_METHODS) {
      it(`carry one call after the other, with ${method}`, async () => {
        const endpoint = await caller().endpoint(answer(200, 'fine'));
        for (let n = 0; n < 5; n += 1) await caller().call(endpoint.url, { method });
        expect(connectionsUsed(endpoint)).to.equal(1);
      });
    }

    it('carry on after failed attempts', async () => {
      const endpoint = await caller().endpoint(answer(500, 'oh'));
      for (let n = 0; n < 5; n += 1) await caller().call(endpoint.url);
      expect(connectionsUsed(endpoint)).to.equal(1);
    });

    it('are as many as there are calls at once, and no more when there are more', async () => {
      const waiting: (() => void)[] = [];
      const endpoint = await caller().endpoint((_call, response) => {
        waiting.push(() => response.end());
        if (waiting.length === 60) for (const finish of waiting.splice(0)) finish();
      });
      const round = () =>
        Promise.all(Array.from({ length: 60 }, () => caller().call(endpoint.url)));
      await round();
      expect(connectionsUsed(endpoint)).to.equal(60);
      await round();
      expect(connectionsUsed(endpoint)).to.equal(60);
    });

    for (const method of ['post', 'get'] as const) {
      it(`that the endpoint closes after each answer fail no call, with ${method}`, async () => {
        const endpoint = await caller().endpoint((_call, response) => {
          response.once('finish', () => response.socket?.end());
          response.end('fine');
        });
        for (let n = 0; n < 20; n += 1) {
          expect((await caller().call(endpoint.url, { method })).body).to.equal('fine');
          await (
            await endpoint.nextCall()
          ).answered;
        }
      });

      it(`that the endpoint says it closes are not used again, with ${method}`, async () => {
        const endpoint = await caller().endpoint(answer(200, 'x', { connection: 'close' }));
        for (let n = 0; n < 5; n += 1) await caller().call(endpoint.url, { method });
        expect(connectionsUsed(endpoint)).to.equal(5);
      });

      it(`that are to be closed within a second are not used again, with ${method}`, async () => {
        const headers = { connection: 'keep-alive', 'keep-alive': 'timeout=1' };
        const endpoint = await caller().endpoint(answer(200, 'x', headers));
        for (let n = 0; n < 3; n += 1) await caller().call(endpoint.url, { method });
        expect(connectionsUsed(endpoint)).to.equal(3);
      });

      it(`that break under a call are not tried again, with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        await caller().call(endpoint.url, { method });
        endpoint.respond = (_call, response) => void response.socket?.destroy();
        await rejection(caller().call(endpoint.url, { method }));
        expect(endpoint.calls).to.have.lengthOf(2);
      });
    }

    for (const method of ['post', 'get'] as const) {
      it(`that were closed while this process was busy fail no call, with ${method}`, async () => {
        const server = caller().own(await HastyServer.start());
        expect((await caller().call(server.origin, { method })).status).to.equal(200);
        await setImmediate();
        server.waitForClose();
        expect((await caller().call(server.origin, { method })).status).to.equal(200);
      });
    }

    it('end with the adapter when they are idle', async () => {
      const server = await caller().raw('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      await caller().call(server.origin);
      await caller().webhook.close();
      await server.nextClose();
    }).timeout(PROMPT);

    it('end after their call when they are busy while the adapter closes', async () => {
      const called = new Mailbox<Socket>();
      const server = await caller().speaking((socket) => {
        called.put(socket);
      });
      const running = caller().call(server.origin);
      const socket = await called.take();
      await caller().webhook.close();
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\nfinished');
      expect((await running).body).to.equal('finished');
      await server.nextClose();
    }).timeout(PROMPT);
  });
}
