import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import {
  answer,
  type EndpointHandler,
  type EndpointServer,
} from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import type { ServiceContext } from './context.ts';

type Registration = Parameters<ServiceContext['register']>[2];

const WRONG_ORIGIN = { endpoints: { origins: ['http://127.0.0.1:*'] } };

/** Jobs that name their own destination (further contract, section 23). */
export function describeDestinations(context: ServiceContext): void {
  describe('destinations', () => {
    let queue: string;

    beforeEach(() => {
      queue = context.newQueue();
    });

    const allow = (...endpoints: readonly EndpointServer[]) =>
      context.call('PUT', `/queues/${queue}/policy`, {
        endpoints: { origins: endpoints.map(({ origin }) => origin) },
      });

    /** An endpoint that jobs of the queue may name. */
    async function allowed(respond?: EndpointHandler): Promise<EndpointServer> {
      const endpoint = await context.newEndpoint(respond);
      await allow(endpoint);
      return endpoint;
    }

    async function registered(more: Registration, respond?: EndpointHandler) {
      const endpoint = await context.newEndpoint(respond);
      await context.register(queue, endpoint, more);
      return endpoint;
    }

    const jobFor = ({ url }: Pick<EndpointServer, 'url'>, more = {}, opts = {}) => ({
      name: 'order',
      data: { n: 17 },
      opts: { ...opts, endpoint: { url, ...more } },
    });

    const plain = { name: 'order', data: 'plain' };

    async function health(): Promise<{ readonly calls: number; readonly state: string }> {
      const { body } = await context.call('GET', `/workers/${queue}/health`);
      return body as { calls: number; state: string };
    }

    // holds: destinations.call, destinations.headers, destinations.shown
    it('get the calls of their jobs, by the terms of the worker, without its headers', async () => {
      const elsewhere = await allowed(answer(204));
      const { body: registration } = await context.call('POST', '/workers', {
        queue,
        endpoint: {
          url: 'http://127.0.0.1:9/',
          method: 'put',
          body: 'data',
          signing: true,
          success: ['204'],
          headers: { Authorization: 'of the worker' },
        },
      });
      const { secret } = registration as { secret: string };
      const [job] = await context.add(queue, jobFor(elsewhere, { headers: { 'X-Key': 'k' } }));
      const call = await elsewhere.nextCall();
      expect(call).to.include({ method: 'PUT', text: '{"n":17}' });
      expect(call.headers).to.include({ 'x-key': 'k', 'jobgate-job-id': job!.id });
      expect(call.headers).not.to.have.property('authorization');
      new Webhook(secret).verify(call.text, call.headers as Record<string, string>);
      const finished = await context.finished(queue, job!.id);
      expect(finished).to.include({ state: 'completed' });
      const shown = { url: elsewhere.url, headers: { 'X-Key': '[redacted]' } };
      expect(finished.opts).to.have.deep.property('endpoint', shown);
      const { body } = await context.call('GET', `/queues/${queue}/jobs/${job!.id}/attempts`);
      expect(body).to.have.nested.property('attempts[0].url', elsewhere.url);
      await context.call('DELETE', `/workers/${queue}`);
    });

    // holds: destinations.method
    it('are called by their own method, where they have one', async () => {
      const elsewhere = await allowed();
      await registered({ method: 'post' });
      const [job] = await context.add(queue, jobFor(elsewhere, { method: 'GET' }));
      expect(job?.opts).to.have.nested.property('endpoint.method', 'get');
      expect((await elsewhere.nextCall()).method).to.equal('GET');
    });

    // holds: destinations.policy
    it('are refused with the path unless the policy allows their origin', async () => {
      const add = async (url: string) =>
        context.call('POST', `/queues/${queue}/jobs`, [
          plain,
          { ...plain, opts: { endpoint: { url } } },
        ]);
      const url = 'https://shop.example.com/in';
      const refused = {
        status: 400,
        body: `[1].opts.endpoint.url is not allowed by the policy of ${queue}`,
      };
      expect(await add(url)).to.include(refused);
      for (const origins of [[], ['http://shop.example.com'], ['https://*.shop.example.com']]) {
        const { status } = await context.call('PUT', `/queues/${queue}/policy`, {
          endpoints: { origins },
        });
        expect(status).to.equal(200);
        expect(await add(url), origins.join()).to.include(refused);
      }
      await context.call('PUT', `/queues/${queue}/policy`, {
        endpoints: { origins: ['https://*.example.com'] },
      });
      expect((await add(url)).status).to.equal(200);
      expect((await add('https://example.com/in')).status).to.equal(400);
      const { body } = await add('https://user:word@shop.example.com/in');
      expect(body).to.match(/^\[1\]\.opts\.endpoint\.url must be a valid http or https URL/);
    });

    // holds: destinations.adds
    it('may be named by flows, schedulers and jobs of steps, as the policy allows', async () => {
      const elsewhere = await allowed((call, response) => {
        const isFirst = call.headers['jobgate-steps'] === undefined;
        const parent = isFirst && call.headers['jobgate-job-name'] === 'parent';
        const opts = { endpoint: { url: elsewhere.url } };
        const add = { child: [{ queue, name: 'step', data: 1, opts }] };
        response
          .writeHead(parent ? 206 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(parent ? { add } : {}));
      });
      await registered({ steps: true });
      const opts = { endpoint: { url: elsewhere.url } };
      const node = { queue, data: 1, opts };
      const flow = { ...node, name: 'root', children: [{ ...node, name: 'leaf' }] };
      expect((await context.call('POST', '/flows', flow)).status).to.equal(200);
      const job = { name: 'nightly', data: 1, opts };
      const repeat = { every: 86_400_000, immediately: true };
      const path = `/queues/${queue}/schedulers/nightly`;
      const { body } = await context.call('PUT', path, { repeat, job });
      expect(body).to.have.nested.property('job.opts.endpoint.url', elsewhere.url);
      await context.add(queue, { ...job, name: 'parent' });
      const names = (): unknown[] =>
        elsewhere.calls.map(({ headers }) => headers['jobgate-job-name']);
      await eventually('all are called', () => Promise.resolve(names().length === 6));
      const expected = ['leaf', 'nightly', 'parent', 'parent', 'root', 'step'];
      expect(names().toSorted()).to.deep.equal(expected);
      await context.call('DELETE', path);
      const other = { endpoint: { url: 'http://127.0.0.1:9/' } };
      const refused = { ...flow, children: [{ ...node, name: 'leaf', opts: other }] };
      expect(await context.call('POST', '/flows', refused)).to.include({
        status: 400,
        body: `children[0].opts.endpoint.url is not allowed by the policy of ${queue}`,
      });
      expect(await context.call('PUT', path, { repeat, job: { ...job, opts: other } })).to.include({
        status: 400,
        body: `job.opts.endpoint.url is not allowed by the policy of ${queue}`,
      });
    });

    // holds: destinations.none, destinations.lists, destinations.test, destinations.policy-needed
    it('are required of each job where the worker has no URL', async () => {
      const register = () =>
        context.call('POST', '/workers', { queue, endpoint: { url: null, method: 'post' } });
      const must = 'be a valid http or https URL without user name or password';
      const refusal = `endpoint.url must ${must}: the policy of ${queue} has no endpoints`;
      expect(await register()).to.include({ status: 400, body: refusal });
      const elsewhere = await allowed();
      expect(await register()).to.include({ status: 200, body: 'OK' });
      const [lost, found] = await context.add(queue, plain, jobFor(elsewhere));
      expect(await context.finished(queue, lost!.id)).to.include({
        state: 'failed',
        failedReason: 'Job has no endpoint',
      });
      const attempts = `/queues/${queue}/jobs/${lost!.id}/attempts`;
      expect((await context.call('GET', attempts)).body).to.deep.equal({ count: 0, attempts: [] });
      expect(await context.finished(queue, found!.id)).to.include({ state: 'completed' });
      expect(elsewhere.calls).to.have.lengthOf(1);
      const { body: urls } = await context.call('GET', '/workers');
      expect(urls).to.have.property(queue, null);
      const { body: page } = await context.call('GET', '/workers?view=health&length=1000');
      const { workers } = page as { workers: readonly { readonly queue: string }[] };
      const listed = workers.find((each) => each.queue === queue);
      expect(listed).to.include({ url: null, destinations: true, calls: 0, state: 'healthy' });
      expect(await context.call('POST', `/workers/${queue}/test`)).to.include({
        status: 409,
        body: 'The worker has no endpoint of its own',
      });
      const needed = {
        status: 409,
        body: `The worker of ${queue} has no URL, and needs the endpoints of the policy`,
      };
      const policy = `/queues/${queue}/policy`;
      expect(await context.call('DELETE', policy)).to.include(needed);
      expect(await context.call('PUT', policy, { maxWaiting: 9 })).to.include(needed);
      expect((await context.call('PUT', policy, WRONG_ORIGIN)).status).to.equal(400);
      expect((await context.call('PUT', policy, { endpoints: { origins: [] } })).status).to.equal(
        200,
      );
      await context.call('DELETE', `/workers/${queue}`);
      expect((await context.call('DELETE', policy)).status).to.equal(200);
    });

    // holds: destinations.batches
    it('are called alone where the worker takes batches', async () => {
      const elsewhere = await allowed();
      await context.add(queue, plain, jobFor(elsewhere), jobFor(elsewhere), plain);
      const endpoint = await registered({ opts: { batch: { size: 10 }, concurrency: 5 } });
      const [first, second] = [await elsewhere.nextCall(), await elsewhere.nextCall()];
      for (const call of [first, second]) {
        expect(call.body).to.have.all.keys('job', 'token');
        expect(call.headers).not.to.have.property('jobgate-batch-size');
      }
      await eventually('the others are called', () => Promise.resolve(endpoint.calls.length === 2));
      expect(endpoint.calls.map(({ headers }) => headers['jobgate-batch-size'])).to.deep.equal([
        '1',
        '1',
      ]);
    });

    // holds: destinations.none
    it('are required of jobs of batches, too', async () => {
      const elsewhere = await allowed();
      const jobs = await context.add(queue, plain, plain, jobFor(elsewhere));
      const endpoint = { url: null, method: 'post' };
      const opts = { batch: { size: 10 } };
      await context.call('POST', '/workers', { queue, endpoint, opts });
      const [one, other, third] = jobs.map(({ id }) => context.finished(queue, id));
      for (const lost of [await one!, await other!]) {
        expect(lost).to.include({ state: 'failed', failedReason: 'Job has no endpoint' });
      }
      expect(await third!).to.include({ state: 'completed' });
      await context.call('DELETE', `/workers/${queue}`);
    });

    // holds: destinations.breaker, destinations.health, destinations.disable
    it('leave the breaker and the health of the worker alone, and cannot disable it', async () => {
      const elsewhere = await allowed(answer(500, 'broken', { 'webhook-delivery': 'disable' }));
      const endpoint = await registered({
        opts: { breaker: { failures: 1 }, disableOnGone: true },
      });
      const [job] = await context.add(queue, jobFor(elsewhere));
      expect(await context.finished(queue, job!.id)).to.include({ failedReason: 'broken' });
      elsewhere.respond = answer(410);
      const [gone] = await context.add(queue, jobFor(elsewhere));
      expect(await context.finished(queue, gone!.id)).to.include({ state: 'failed' });
      expect(await health()).to.include({ calls: 0, state: 'healthy' });
      const [other] = await context.add(queue, plain);
      expect(await context.finished(queue, other!.id)).to.include({ state: 'completed' });
      expect(endpoint.calls).to.have.lengthOf(1);
      expect(await health()).to.include({ calls: 1 });
    });

    // holds: destinations.retry-after
    it('put off their own job alone with 429 or 503 and Retry-After', async () => {
      const elsewhere = await allowed(
        answer(503, 'later', { 'retry-after': '3600', 'jobgate-hold': 'queue' }),
      );
      await registered({});
      const [job, other] = await context.add(queue, jobFor(elsewhere), plain);
      expect(await context.finished(queue, other!.id)).to.include({ state: 'completed' });
      const deferred = await eventually('it is put off', async () => {
        const read = (await context.read(queue, job!.id)) as { state?: string };
        return read.state === 'delayed' && read;
      });
      expect(deferred).to.include({ attemptsMade: 0 });
      expect((await context.call('GET', `/queues/${queue}`)).body).to.include({ heldUntil: null });
    });

    // holds: destinations.put-off
    it('that take no connection put off their jobs for 1 s, and others pass', async () => {
      const dead = await allowed();
      const { url } = dead;
      await dead.close();
      await registered({});
      const failing = Array.from({ length: 11 }, () => jobFor({ url }));
      const jobs = await context.add(queue, ...failing, plain);
      expect(await context.finished(queue, jobs[11]!.id)).to.include({ state: 'completed' });
      const { id } = jobs[10]!;
      expect(await context.read(queue, id)).to.include({ state: 'delayed', attemptsMade: 0 });
      const finished = await context.finished(queue, id);
      expect(finished.failedReason).to.match(/^ECONNREFUSED/);
      expect(finished.processedOn! - finished.timestamp).to.be.at.least(1000);
      for (const each of jobs.slice(0, 10)) {
        const { failedReason } = await context.finished(queue, each.id);
        expect(failedReason).to.match(/^ECONNREFUSED/);
      }
    });

    // holds: destinations.steps
    it('save steps and suspend their job by the terms of the worker', async () => {
      let calls = 0;
      const elsewhere = await allowed((_call, response) => {
        calls += 1;
        const isFirst = calls === 1;
        response
          .writeHead(isFirst ? 206 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(isFirst ? { steps: { charge: 1 } } : {}));
      });
      await registered({ steps: true });
      const [job] = await context.add(queue, jobFor(elsewhere));
      await context.finished(queue, job!.id);
      expect(elsewhere.calls[1]?.body).to.have.deep.property('steps', { charge: 1 });
    });
  });
}
