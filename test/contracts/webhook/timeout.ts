import { expect } from 'chai';
import { Cancellation } from '../../../src/application/ports/cancellation.ts';
import { answer } from '../../support/endpoint-server.ts';
import { BRIEFLY, JOB, TOKEN, type WebhookCaller } from '../webhook-caller.ts';
import { rejection } from '../../support/rejection.ts';

const TIMED_OUT = `Endpoint call timed out after ${BRIEFLY} ms`;

export function describeTimeout(caller: () => WebhookCaller): void {
  describe('the timeout', () => {
    for (const method of ['post', 'get'] as const) {
      // holds: delivery.errors, delivery.timeout-scope
      it(`covers the wait for the head, with ${method}`, async () => {
        const server = await caller().raw('');
        const failure = await caller().failure(server.origin, { method, timeout: BRIEFLY });
        expect(failure).to.equal(TIMED_OUT);
        await server.nextClose();
      });

      // holds: delivery.timeout-scope
      it(`covers the whole body, however steadily it comes, with ${method}`, async () => {
        const server = await caller().speaking((socket) => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
          const drip = setInterval(() => socket.write('.'), 10);
          socket.once('close', () => {
            clearInterval(drip);
          });
        });
        const failure = await caller().failure(server.origin, { method, timeout: BRIEFLY });
        expect(failure).to.equal(TIMED_OUT);
        await server.nextClose();
      });

      // holds: delivery.timeout-scope
      it(`covers connecting, with ${method}`, async () => {
        // TLS is part of connecting, and this endpoint never says a word of it.
        const server = await caller().raw('');
        const url = `https://127.0.0.1:${server.port}`;
        expect(await caller().failure(url, { method, timeout: BRIEFLY })).to.equal(TIMED_OUT);
        await server.nextClose();
      });
    }

    // holds: delivery.default-timeout
    it('is the default one when the endpoint has none', async () => {
      const server = await caller().raw('');
      const webhook = caller().own(
        caller().create({
          defaultTimeout: BRIEFLY,
          maxResponseSize: 10,
          userAgent: 'jobgate/1',
          queuePrefix: 'bull',
        }),
      );
      const call = webhook.call(
        { url: server.origin, method: 'post' },
        JOB,
        TOKEN,
        new Cancellation(),
      );
      expect((await rejection(call)).message).to.equal(TIMED_OUT);
    });

    it('leaves no timer behind', async () => {
      const endpoint = await caller().endpoint();
      const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout');
      await caller().call(endpoint.url);
      const before = timers().length;
      for (let n = 0; n < 10; n += 1) await caller().call(endpoint.url);
      expect(timers().length).to.be.lessThan(before + 5);
    });

    it('is of no matter to the calls that follow', async () => {
      const endpoint = await caller().endpoint(() => undefined);
      await caller().failure(endpoint.url, { timeout: BRIEFLY });
      endpoint.respond = answer(200, 'fine');
      expect((await caller().call(endpoint.url, { timeout: 5000 })).body).to.equal('fine');
    });
  });
}
