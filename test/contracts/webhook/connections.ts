import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { Cancellation } from '../../../src/domain/calls/cancellation.ts';
import { ENDPOINT_METHODS, type EndpointMethod } from '../../../src/domain/calls/endpoint.ts';
import { answer, type EndpointCall, type EndpointServer } from '../../support/endpoint-server.ts';
import { HastyServer } from '../../support/hasty-server.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { rejection } from '../../support/rejection.ts';
import { BRIEFLY, type CallOptions, type WebhookCaller } from '../webhook-caller.ts';

/** Milliseconds in which an idle connection does not end by itself. */
const PROMPT = 2500;

function connectionsUsed(endpoint: EndpointServer): number {
  return new Set(endpoint.calls.map((call) => call.connection)).size;
}

export function describeConnections(caller: () => WebhookCaller): void {
  describe('connections', () => {
    /** A call that has met a closed connection and gets no answer over the other one, which is its next call. */
    async function replacedConnection(
      method: EndpointMethod,
      timeout: number,
      renewed?: CallOptions['renewed'],
    ) {
      const endpoint = await caller().endpoint();
      await caller().call(endpoint.url, { method });
      const { connection: kept } = await endpoint.nextCall();
      endpoint.respond = (call, response) => {
        if (call.connection === kept) response.socket?.destroy();
      };
      const cancellation = new Cancellation();
      const running = caller().call(endpoint.url, { method, timeout, cancellation, renewed });
      running.catch(() => undefined);
      await endpoint.nextCall();
      return { endpoint, running, cancellation };
    }

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

      for (const end of ['destroy', 'resetAndDestroy'] as const) {
        // holds: delivery.stale-connection
        it(`that are closed when they are used again cost no attempt: ${end}, with ${method}`, async () => {
          const endpoint = await caller().endpoint();
          await caller().call(endpoint.url, { method });
          const [{ connection: kept }] = endpoint.calls as [EndpointCall];
          endpoint.respond = (call, response) => {
            if (call.connection === kept) response.socket?.[end]();
            else response.end('fine');
          };
          expect((await caller().call(endpoint.url, { method })).body).to.equal('fine');
          const [, stale, again] = endpoint.calls as [EndpointCall, EndpointCall, EndpointCall];
          expect(endpoint.calls).to.have.lengthOf(3);
          expect(again.text).to.equal(stale.text);
          expect(again.headers).to.include({ 'jobgate-attempt': '1', 'jobgate-job-id': '7' });
          const deadline = Number(again.headers['jobgate-deadline']);
          expect(deadline).to.be.within(1, Number(stale.headers['jobgate-deadline']));
        });
      }

      // holds: delivery.stale-connection
      it(`that are closed when they are used again carry what is new, with ${method}`, async () => {
        const { endpoint, running } = await replacedConnection(method, 10_000, () =>
          Promise.resolve({ steps: [{ name: 'charge', value: '17' }] }),
        );
        const again = await endpoint.nextCall();
        expect(again.body).to.deep.include({ steps: { charge: 17 } });
        expect(again.headers).to.include({ 'jobgate-steps': '1' });
        await endpoint.close();
        await rejection(running);
      });

      // holds: delivery.stale-connection
      it(`that are closed when they are used again fail the call that cannot be renewed, with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        await caller().call(endpoint.url, { method });
        endpoint.respond = (_call, response) => void response.socket?.destroy();
        const renewed = () => Promise.reject(new Error('The store is away'));
        const failure = await caller().failure(endpoint.url, { method, renewed });
        expect(failure).to.equal(`ECONNRESET ${endpoint.origin}`);
        expect(endpoint.calls).to.have.lengthOf(2);
      });

      // holds: delivery.stale-connection
      it(`that are closed when they are used again give way to one other, with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        await Promise.all([1, 2, 3].map(() => caller().call(endpoint.url, { method })));
        endpoint.respond = (_call, response) => void response.socket?.destroy();
        const failure = await caller().failure(endpoint.url, { method });
        expect(failure).to.equal(`ECONNRESET ${endpoint.origin}`);
        expect(endpoint.calls).to.have.lengthOf(5);
        expect(connectionsUsed(endpoint)).to.equal(4);
      });

      // holds: delivery.stale-connection
      it(`that break behind the first byte of an answer are not tried again, with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        await caller().call(endpoint.url, { method });
        endpoint.respond = (_call, { socket }) => {
          socket?.write('H', () => socket.destroy());
        };
        await rejection(caller().call(endpoint.url, { method }));
        expect(endpoint.calls).to.have.lengthOf(2);
      });

      it(`that break under their first call are not tried again, with ${method}`, async () => {
        const endpoint = await caller().endpoint(
          (_call, response) => void response.socket?.destroy(),
        );
        await rejection(caller().call(endpoint.url, { method }));
        expect(endpoint.calls).to.have.lengthOf(1);
      });

      // holds: delivery.stale-connection
      it(`that replace a closed one end with the call that is cancelled, with ${method}`, async () => {
        const { endpoint, running, cancellation } = await replacedConnection(method, 10_000);
        const again = await endpoint.nextCall();
        cancellation.request();
        expect((await rejection(running)).message).to.equal('Endpoint call was aborted');
        expect(await again.answered).to.equal(false);
      });

      // holds: delivery.stale-connection
      it(`that replace a closed one give the call no more time, with ${method}`, async () => {
        const { endpoint, running } = await replacedConnection(method, BRIEFLY);
        const again = await endpoint.nextCall();
        const failure = (await rejection(running)).message;
        expect(failure).to.equal(`Endpoint call timed out after ${BRIEFLY} ms`);
        expect(await again.answered).to.equal(false);
      });
    }

    for (const method of ['post', 'get'] as const) {
      it(`that were closed while this process was busy fail no call, with ${method}`, async () => {
        const server = caller().own(await HastyServer.closing());
        expect((await caller().call(server.origin, { method })).status).to.equal(200);
        await setImmediate();
        server.waitUntilDone();
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
