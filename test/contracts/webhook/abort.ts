import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import type { WebhookCaller } from '../webhook-caller.ts';

const ABORTED = 'Endpoint call was aborted';

export function describeAbort(caller: () => WebhookCaller): void {
  describe('an abort', () => {
    for (const method of ['post', 'get'] as const) {
      it(`before the call sends nothing, with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        const signal = AbortSignal.abort();
        expect(await caller().failure(endpoint.url, { method, signal })).to.equal(ABORTED);
        expect(await endpoint.connections()).to.equal(0);
      });

      it(`ends the wait for the head, with ${method}`, async () => {
        const abort = new AbortController();
        const endpoint = await caller().endpoint(() => {
          abort.abort(new Error('secret'));
        });
        const { signal } = abort;
        expect(await caller().failure(endpoint.url, { method, signal })).to.equal(ABORTED);
        expect(await (await endpoint.nextCall()).answered).to.equal(false);
      });

      it(`ends the body, with ${method}`, async () => {
        const abort = new AbortController();
        const endpoint = await caller().endpoint((_call, response) => {
          response.write('some');
          setImmediate(() => {
            abort.abort();
          });
        });
        const { signal } = abort;
        expect(await caller().failure(endpoint.url, { method, signal })).to.equal(ABORTED);
        expect(await (await endpoint.nextCall()).answered).to.equal(false);
      });

      it(`ends connecting, with ${method}`, async () => {
        const abort = new AbortController();
        const server = await caller().speaking(() => {
          abort.abort();
        });
        const url = `https://127.0.0.1:${server.port}`;
        const { signal } = abort;
        expect(await caller().failure(url, { method, signal })).to.equal(ABORTED);
        await server.nextClose();
      });
    }

    it('may end many calls at once, without a warning of the platform', async () => {
      const warnings: Error[] = [];
      const warn = (warning: Error): void => void warnings.push(warning);
      process.on('warning', warn);
      const abort = new AbortController();
      const endpoint = await caller().endpoint(() => {
        if (endpoint.calls.length === 30) abort.abort();
      });
      const { signal } = abort;
      const calls = Array.from({ length: 30 }, () => caller().failure(endpoint.url, { signal }));
      expect(new Set(await Promise.all(calls))).to.deep.equal(new Set([ABORTED]));
      process.off('warning', warn);
      expect(warnings).to.deep.equal([]);
    });

    it('of a call that is over does nothing', async () => {
      const abort = new AbortController();
      const endpoint = await caller().endpoint();
      const { status } = await caller().call(endpoint.url, { signal: abort.signal });
      expect(getEventListeners(abort.signal, 'abort')).to.have.lengthOf(0);
      abort.abort();
      expect(status).to.equal(200);
      expect((await caller().call(endpoint.url)).status).to.equal(200);
      const [first, second] = endpoint.calls;
      expect(second?.connection).to.equal(first?.connection);
    });
  });
}
