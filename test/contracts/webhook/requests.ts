import { expect } from 'chai';
import { Cancellation } from '../../../src/application/ports/cancellation.ts';
import { jobJson } from '../../../src/domain/job-json.ts';
import { ENDPOINT_METHODS } from '../../../src/domain/endpoint.ts';
import { JOB, TOKEN, type WebhookCaller } from '../webhook-caller.ts';

export function describeRequests(caller: () => WebhookCaller): void {
  describe('the request', () => {
    for (const method of ENDPOINT_METHODS) {
      // holds: call.body, delivery.body
      it(`carries the whole job and the token as JSON with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        await caller().call(`${endpoint.origin}/a/b%20c?d=1&e=%2F#fragment`, { method });
        const call = await endpoint.nextCall();
        expect(call.method).to.equal(method.toUpperCase());
        expect(call.path).to.equal('/a/b%20c?d=1&e=%2F');
        expect(call.body).to.deep.equal({ job: jobJson(JOB, 'bull'), token: TOKEN });
        expect(call.headers).to.include({
          host: new URL(endpoint.origin).host,
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(call.text)),
          'user-agent': 'jobgate/1.2.3',
          'accept-encoding': 'identity',
        });
        expect(call.headers).not.to.have.property('transfer-encoding');
      });

      it(`carries a large job with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        const data = 'ü'.repeat(2_000_000);
        const target = { url: endpoint.url, method };
        await caller().webhook.call(target, { ...JOB, data }, TOKEN, new Cancellation());
        expect((await endpoint.nextCall()).body.job.data === data).to.equal(true);
      });
    }

    for (const method of ['post', 'get'] as const) {
      // holds: endpoint.headers, delivery.headers
      it(`has the headers of the registration, over the defaults, with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        const headers = {
          'CONTENT-Type': 'application/vnd.job+json',
          'User-agent': 'other',
          'Accept-Encoding': 'gzip',
          'X-Key': 'naïve',
        };
        await caller().call(endpoint.url, { method, headers });
        expect((await endpoint.nextCall()).headers).to.include({
          'content-type': 'application/vnd.job+json',
          'user-agent': 'other',
          'accept-encoding': 'gzip',
          'x-key': 'naïve',
        });
      });
    }
  });
}
