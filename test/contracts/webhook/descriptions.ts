import { expect } from 'chai';
import { Cancellation } from '../../../src/domain/calls/cancellation.ts';
import { JOB, TOKEN, type WebhookCaller } from '../webhook-caller.ts';

export function describeDescriptions(caller: () => WebhookCaller): void {
  for (const shape of [
    { method: 'post', headers: { 'X-Tenant': 'a' } },
    { method: 'put', body: 'data' },
    { method: 'post', body: 'none' },
  ] as const) {
    // holds: workers.test
    it(`describes the call that it makes: ${JSON.stringify(shape)}`, async () => {
      const server = await caller().endpoint();
      const { webhook } = caller();
      const call = { endpoint: { url: server.url, ...shape }, job: JOB, token: TOKEN };
      const described = webhook.describe(call);
      await webhook.call(call, new Cancellation());
      const received = await server.nextCall();
      expect(described.method).to.equal(received.method);
      expect(described.url).to.equal(server.url);
      expect(described.body ?? '').to.equal(received.text);
      expect(received.headers).to.include(described.headers);
    });
  }
}
