import { expect } from 'chai';
import { Cancellation } from '../../../src/domain/calls/cancellation.ts';
import type { FlowChild } from '../../../src/domain/flows/flow-child.ts';
import { jobJson } from '../../../src/domain/jobs/job-json.ts';
import { ENDPOINT_METHODS } from '../../../src/domain/calls/endpoint.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { JOB, TOKEN, type WebhookCaller } from '../webhook-caller.ts';

const NO_OPTIONS = { attempts: 0, delay: 0 };

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

      // holds: flows.children, flows.bodies
      it(`carries what became of the children of its job with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        const child = { queue: 'mix', id: 'a', name: 'mix', state: 'completed', returnvalue: [1] };
        const children = [child, { ...child, id: 'b' }] as const;
        const { url } = endpoint;
        await caller().call(url, { method, children: children as readonly FlowChild[] });
        expect((await endpoint.nextCall()).body).to.have.deep.property('children', children);
        await caller().call(url, { method, body: 'data', children: [] });
        expect((await endpoint.nextCall()).body).to.deep.equal(JOB.data);
      });

      it(`carries a large job with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        const data = 'ü'.repeat(2_000_000);
        const call = {
          endpoint: { url: endpoint.url, method },
          job: { ...JOB, data },
          token: TOKEN,
        };
        await caller().webhook.call(call, new Cancellation());
        expect((await endpoint.nextCall()).body.job.data === data).to.equal(true);
      });
    }

    for (const method of ['post', 'get'] as const) {
      // holds: calls.headers
      it(`describes the attempt in its headers, with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        const job = { ...JOB, attemptsMade: 1, opts: { ...JOB.opts, timeout: 1500 } };
        await caller().call(endpoint.url, { method, job, timeout: 2000 });
        await caller().call(endpoint.url, { method, job: { ...JOB, opts: NO_OPTIONS } });
        expect((await endpoint.nextCall()).headers).to.include({
          'jobgate-queue': 'paint',
          'jobgate-job-id': '7',
          'jobgate-job-name': 'paint',
          'jobgate-attempt': '2',
          'jobgate-max-attempts': '3',
          'jobgate-deadline': '1500',
        });
        expect((await endpoint.nextCall()).headers).to.include({
          'jobgate-attempt': '1',
          'jobgate-max-attempts': '1',
          'jobgate-deadline': '10000',
        });
      });

      // holds: deferred.callback
      it(`names the URL for reports on its job, with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        const job = { ...JOB, queue: queueNamed('grün & blau'), id: 'a/b ?%' };
        await caller().call(endpoint.url, { method, job });
        expect((await endpoint.nextCall()).headers).to.include({
          'jobgate-callback':
            'https://jobs.example.com/gate/queues/gr%C3%BCn%20%26%20blau/jobs/a%2Fb%20%3F%25',
        });
        await caller().call(endpoint.url, { method, job: { ...JOB, id: 'x'.repeat(20_000) } });
        expect((await endpoint.nextCall()).headers).not.to.have.property('jobgate-callback');
      });

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

    for (const method of ENDPOINT_METHODS) {
      // holds: calls.body-data
      it(`carries the data of the job alone if asked to, with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        for (const data of [JOB.data, null, 'grün 🎨', '']) {
          await caller().call(endpoint.url, { method, body: 'data', job: { ...JOB, data } });
          const { text, headers } = await endpoint.nextCall();
          const isText = typeof data === 'string';
          expect(text).to.equal(isText ? data : JSON.stringify(data));
          expect(headers).to.include({
            'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
            'jobgate-token': TOKEN,
            'jobgate-job-id': '7',
          });
          expect(headers['content-length'] ?? '0').to.equal(String(Buffer.byteLength(text)));
        }
      });

      // holds: calls.body-none
      it(`has no body if asked to, with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        for (let turn = 0; turn < 2; turn += 1) {
          await caller().call(endpoint.url, { method, body: 'none' });
          const { text, headers, connection } = await endpoint.nextCall();
          expect(text).to.equal('');
          expect(headers).to.include({ 'jobgate-token': TOKEN, 'jobgate-job-id': '7' });
          expect(headers).not.to.have.any.keys('content-type', 'transfer-encoding');
          expect(headers['content-length'] ?? '0').to.equal('0');
          expect(connection).to.equal(endpoint.calls[0]!.connection);
        }
      });
    }

    // holds: calls.body-data
    it('has the type that the registration names, whatever the body is', async () => {
      const endpoint = await caller().endpoint();
      const headers = { 'Content-Type': 'text/csv' };
      for (const data of ['a,b', { a: 'b' }]) {
        const job = { ...JOB, data };
        await caller().call(endpoint.url, { body: 'data', headers, job });
        expect((await endpoint.nextCall()).headers).to.include({ 'content-type': 'text/csv' });
      }
    });

    it('has the token in its body or in its headers, never in both', async () => {
      const endpoint = await caller().endpoint();
      await caller().call(endpoint.url, { body: 'envelope' });
      const { body, headers } = await endpoint.nextCall();
      expect(body.token).to.equal(TOKEN);
      expect(headers).not.to.have.property('jobgate-token');
    });

    for (const [name, value] of [
      ['50 % "off", ~', '50 %25 "off", ~'],
      ['grün 🎨', 'gr%C3%BCn %F0%9F%8E%A8'],
      ['a\r\nx-evil: 1\u0000\u007f', 'a%0D%0Ax-evil: 1%00%7F'],
      [' both ends  ', '%20both ends%20%20'],
      ['', ''],
      ['\ud83d', '%EF%BF%BD'],
      [`${'🎨'.repeat(254)}ab`, `${'%F0%9F%8E%A8'.repeat(254)}a`],
    ] as const) {
      // holds: calls.header-values
      it(`sends the name ${JSON.stringify(name.slice(0, 20))} in plain characters`, async () => {
        const endpoint = await caller().endpoint();
        const job = { ...JOB, queue: queueNamed(name), name, id: name };
        await caller().call(endpoint.url, { job });
        const { headers } = await endpoint.nextCall();
        expect(headers).to.include({
          'jobgate-queue': value,
          'jobgate-job-name': value,
          'jobgate-job-id': value,
        });
      });
    }

    // holds: calls.header-values
    it('sends the beginning of a name that is too long for a header', async () => {
      const endpoint = await caller().endpoint();
      await caller().call(endpoint.url, { job: { ...JOB, name: 'x'.repeat(100_000) } });
      const { headers } = await endpoint.nextCall();
      expect(headers).to.include({ 'jobgate-job-name': 'x'.repeat(255) });
    });
  });
}
