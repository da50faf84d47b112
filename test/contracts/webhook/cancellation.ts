import { expect } from 'chai';
import { Cancellation } from '../../../src/domain/calls/cancellation.ts';
import type { WebhookCaller } from '../webhook-caller.ts';

const ABORTED = 'Endpoint call was aborted';

export function describeCancellation(caller: () => WebhookCaller): void {
  describe('a cancellation', () => {
    for (const method of ['post', 'get'] as const) {
      it(`before the call sends nothing, with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        const cancellation = new Cancellation();
        cancellation.request();
        expect(await caller().failure(endpoint.url, { method, cancellation })).to.equal(ABORTED);
        expect(await endpoint.connections()).to.equal(0);
      });

      it(`ends the wait for the head, with ${method}`, async () => {
        const cancellation = new Cancellation();
        const endpoint = await caller().endpoint(() => {
          cancellation.request();
        });
        expect(await caller().failure(endpoint.url, { method, cancellation })).to.equal(ABORTED);
        expect(await (await endpoint.nextCall()).answered).to.equal(false);
      });

      it(`ends the body, with ${method}`, async () => {
        const cancellation = new Cancellation();
        const endpoint = await caller().endpoint((_call, response) => {
          response.write('some');
          setImmediate(() => {
            cancellation.request();
          });
        });
        expect(await caller().failure(endpoint.url, { method, cancellation })).to.equal(ABORTED);
        expect(await (await endpoint.nextCall()).answered).to.equal(false);
      });

      it(`ends connecting, with ${method}`, async () => {
        const cancellation = new Cancellation();
        const server = await caller().speaking(() => {
          cancellation.request();
        });
        const url = `https://127.0.0.1:${server.port}`;
        expect(await caller().failure(url, { method, cancellation })).to.equal(ABORTED);
        await server.nextClose();
      });
    }

    it('of a call that is over does nothing', async () => {
      const cancellation = new Cancellation();
      const endpoint = await caller().endpoint();
      const { status } = await caller().call(endpoint.url, { cancellation });
      cancellation.request();
      expect(status).to.equal(200);
      expect((await caller().call(endpoint.url)).status).to.equal(200);
      const [first, second] = endpoint.calls;
      expect(second?.connection).to.equal(first?.connection);
    });
  });
}
