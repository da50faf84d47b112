import { expect } from 'chai';
import { Cancellation } from '../../../src/domain/calls/cancellation.ts';
import { answer } from '../../support/endpoint-server.ts';
import { HastyServer } from '../../support/hasty-server.ts';
import { BRIEFLY, SETTINGS, JOB, TOKEN, type WebhookCaller } from '../webhook-caller.ts';
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

    for (const method of ['post', 'get'] as const) {
      // holds: delivery.timeout-after-pause
      it(`lets an answer win that came while this process was busy, with ${method}`, async () => {
        const server = caller().own(await HastyServer.answeringAfter(2 * BRIEFLY));
        const arrived = server.nextRequest();
        const call = caller().call(server.origin, { method, timeout: BRIEFLY });
        await arrived;
        server.waitUntilDone();
        expect((await call).status).to.equal(200);
      });
    }

    // holds: delivery.default-timeout
    it('is the default one when the endpoint has none', async () => {
      const server = await caller().raw('');
      const webhook = caller().own(
        caller().create({ ...SETTINGS, defaultTimeout: BRIEFLY, maxResponseSize: 10 }),
      );
      const endpoint = { url: server.origin, method: 'post' } as const;
      const call = webhook.call({ endpoint, job: JOB, token: TOKEN }, new Cancellation());
      expect((await rejection(call)).message).to.equal(TIMED_OUT);
    });

    for (const [ofEndpoint, ofJob] of [
      [10_000, BRIEFLY],
      [BRIEFLY, 10_000],
      [undefined, BRIEFLY],
    ] as const) {
      // holds: job-options.timeout
      it(`is the smaller one of ${ofEndpoint} of the endpoint and ${ofJob} of the job`, async () => {
        const server = await caller().raw('');
        const job = { ...JOB, opts: { ...JOB.opts, timeout: ofJob } };
        const failure = caller().failure(server.origin, {
          job,
          ...(ofEndpoint !== undefined && { timeout: ofEndpoint }),
        });
        expect(await failure).to.equal(TIMED_OUT);
      });
    }

    it('is that of the endpoint when the job says something that is no duration', async () => {
      const server = await caller().raw('');
      for (const odd of [0, -1, 0.5, Infinity, '1', null]) {
        const job = { ...JOB, opts: { ...JOB.opts, timeout: odd as number } };
        const failure = await caller().failure(server.origin, { job, timeout: BRIEFLY });
        expect(failure).to.equal(TIMED_OUT);
      }
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
