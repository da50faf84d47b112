import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import type { Job } from '../../../src/domain/jobs/job.ts';
import { answer, type EndpointCall } from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import type { ServiceContext } from './context.ts';

interface Batch {
  readonly batch: string;
  readonly jobs: readonly {
    readonly job: Job & { readonly data: string };
    readonly token: string;
  }[];
}

const batchOf = ({ text }: EndpointCall): Batch => JSON.parse(text) as Batch;
const dataOf = (call: EndpointCall): string =>
  batchOf(call)
    .jobs.map(({ job }) => job.data)
    .join('');
const named = (letter: string, opts = {}) => ({ name: 'row', data: letter, opts });

/** Several jobs in one call (platform contract, section 14). */
export function describeBatches(context: ServiceContext): void {
  describe('batches', () => {
    /** Adds the jobs while nothing processes them, so that one call gets them all. */
    async function addBefore(queue: string, letters: string, opts = {}) {
      return context.add(queue, ...letters.split('').map((letter) => named(letter, opts)));
    }

    // holds: batches.call, batches.answer, batches.attempts
    it('go out as one call, and each job gets its own result', async () => {
      const queue = context.newQueue();
      const jobs = await addBefore(queue, 'abcd');
      const [a, b, c, d] = jobs.map(({ id }) => id) as [string, string, string, string];
      const results = [
        { id: a, status: 'completed', value: { row: 1 } },
        { id: b, status: 'failed', reason: 'no such row', retry: false },
        { id: c, status: 'deferred', delay: 3_600_000 },
      ];
      const endpoint = await context.newEndpoint(answer(200, { results }));
      await context.register(queue, endpoint, { timeout: 5000, opts: { batch: { size: 10 } } });
      const call = await endpoint.nextCall();
      expect(call.headers).to.include({
        'jobgate-queue': queue,
        'jobgate-batch-size': '4',
        'jobgate-deadline': '5000',
      });
      expect(call.headers).not.to.have.any.keys('jobgate-job-id', 'jobgate-token');
      expect(dataOf(call)).to.equal('abcd');
      expect(await context.finished(queue, a)).to.deep.include({ returnvalue: { row: 1 } });
      expect(await context.finished(queue, b)).to.include({ failedReason: 'no such row' });
      expect(await context.finished(queue, d)).to.include({
        returnvalue: null,
        state: 'completed',
      });
      const deferred = await context.read(queue, c);
      expect(deferred).to.include({ state: 'delayed', attemptsMade: 0 });
      const { body } = await context.call('GET', `/queues/${queue}/jobs/${a}/attempts`);
      const { batch } = batchOf(call);
      const [attempt] = (body as { readonly attempts: readonly object[] }).attempts;
      expect(attempt).to.deep.include({ batch: { id: batch, size: 4 } });
      expect(endpoint.calls).to.have.lengthOf(1);
    });

    // holds: fields.priority
    it('carry the priority and the deduplication id of each job that has them', async () => {
      const queue = context.newQueue();
      const opts = { priority: 3, deduplication: { id: 'customer-17' } };
      await context.add(queue, named('a', opts), named('b'));
      const endpoint = await context.newEndpoint(answer(200));
      await context.register(queue, endpoint, { opts: { batch: { size: 10 } } });
      const { jobs } = batchOf(await endpoint.nextCall());
      // Jobs without a priority come first.
      const [plain, first] = jobs.map(({ job }) => job);
      expect(plain).not.to.have.any.keys('priority', 'deduplicationId');
      expect(first).to.include({ priority: 3, deduplicationId: 'customer-17' });
    });

    // holds: batches.call
    it('name the group that all of their jobs share', async () => {
      const queue = context.newQueue();
      const groups = ['north', 'north', 'süd', undefined];
      await context.add(
        queue,
        ...groups.map((id) => named('x', id === undefined ? {} : { group: { id } })),
      );
      const endpoint = await context.newEndpoint(answer(200, {}));
      await context.register(queue, endpoint, { opts: { batch: { size: 4, by: 'group' } } });
      await eventually('all are called', () => Promise.resolve(endpoint.calls.length === 3));
      expect(
        endpoint.calls.map((call) => [call.headers['jobgate-group'], batchOf(call).jobs.length]),
      ).to.have.deep.members([
        ['north', 2],
        ['s%C3%BCd', 1],
        [undefined, 1],
      ]);
    });

    // holds: batches.split
    it('isolate a job that fails every call, and use up no attempts of the others', async () => {
      const queue = context.newQueue();
      const jobs = await addBefore(queue, 'abcdefgX', { attempts: 2 });
      const endpoint = await context.newEndpoint((call, response) => {
        response.writeHead(dataOf(call).includes('X') ? 500 : 200).end();
      });
      await context.register(queue, endpoint, { opts: { batch: { size: 8, split: true } } });
      const finished = await Promise.all(jobs.map(({ id }) => context.finished(queue, id)));
      for (const job of finished.slice(0, 7)) expect(job).to.include({ state: 'completed' });
      expect(finished[7]).to.include({ state: 'failed' });
      expect(finished.map(({ attemptsMade }) => attemptsMade)).to.deep.equal(
        Array.from({ length: 8 }, () => 2),
      );
      const calls = endpoint.calls.map((call) => dataOf(call));
      expect(calls).to.deep.equal(['abcdefgX', 'abcd', 'efgX', 'ef', 'gX', 'g', 'X']);
    });

    // holds: batches.tokens
    it('keep a token for each job, whose report wins, and a cancel ends only that job', async () => {
      const queue = context.newQueue();
      const jobs = await addBefore(queue, 'abc');
      const [a, b, c] = jobs.map(({ id }) => id) as [string, string, string];
      const endpoint = await context.newEndpoint(async (call, response) => {
        const [first] = batchOf(call).jobs;
        const path = `/queues/${queue}/jobs`;
        await context.call('POST', `${path}/${a}/complete`, 'by token', first?.token);
        await context.call('POST', `${path}/${b}/cancel`);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ batchItemFailures: [{ itemIdentifier: a }] }));
      });
      await context.register(queue, endpoint, { opts: { batch: { size: 3 } } });
      expect(await context.finished(queue, c)).to.include({ state: 'completed' });
      expect(await context.read(queue, a)).to.include({ returnvalue: 'by token' });
      expect(await context.read(queue, b)).to.include({ state: 'failed' });
      const size = 3;
      const batch = { id: batchOf(endpoint.calls[0]!).batch, size };
      for (const id of [a, b, c]) {
        const { body } = await context.call('GET', `/queues/${queue}/jobs/${id}/attempts`);
        const { attempts } = body as { readonly attempts: readonly object[] };
        expect(attempts[0]).to.deep.include({ batch });
      }
    });

    // holds: batches.answer
    it('fail as a whole when the answer is wrong, and say what is wrong', async () => {
      const queue = context.newQueue();
      const jobs = await addBefore(queue, 'ab');
      const results = [{ id: 'nobody', status: 'completed' }];
      const endpoint = await context.newEndpoint(answer(200, { results }));
      await context.register(queue, endpoint, { opts: { batch: { size: 2, split: true } } });
      for (const { id } of jobs) {
        const { failedReason } = await context.finished(queue, id);
        expect(failedReason).to.match(/results\[0\] names nobody, which is no job of the call$/);
      }
      expect(endpoint.calls).to.have.lengthOf(1);
    });

    if (context.playsClocks) {
      // holds: batches.deferral
      it('go back whole when the endpoint asks for that', async () => {
        const queue = context.newQueue();
        const jobs = await addBefore(queue, 'ab');
        const endpoint = await context.newEndpoint((_call, response) => {
          const isFirst = endpoint.calls.length === 1;
          response.writeHead(isFirst ? 429 : 200, isFirst ? { 'retry-after': '1' } : {}).end();
        });
        await context.register(queue, endpoint, { opts: { batch: { size: 2 } } });
        for (const { id } of jobs) {
          expect(await context.finished(queue, id)).to.include({ attemptsMade: 1 });
        }
        expect(endpoint.calls.map((call) => dataOf(call))).to.deep.equal(['ab', 'ab']);
      });
    }

    // holds: batches.deferral
    it('are left whole to an endpoint that accepts them for later', async () => {
      const queue = context.newQueue();
      const jobs = await addBefore(queue, 'ab');
      const endpoint = await context.newEndpoint(answer(202));
      const opts = { batch: { size: 2 } };
      await context.register(queue, endpoint, { accepted: 'defer', opts });
      const call = await endpoint.nextCall();
      expect(await call.answered).to.equal(true);
      for (const { job, token } of batchOf(call).jobs) {
        const path = `/queues/${queue}/jobs/${job.id}/complete`;
        expect((await context.call('POST', path, 'later', token)).status).to.equal(200);
      }
      for (const { id } of jobs) {
        expect(await context.finished(queue, id)).to.include({ returnvalue: 'later' });
      }
    });

    // holds: batches.claim
    it('contain as many bytes as allowed, and wait for more jobs', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint();
      const large = 'x'.repeat(3000);
      await context.add(queue, named('a'), named(large), named('b'));
      await context.register(queue, endpoint, { opts: { batch: { size: 9, maxBytes: 2000 } } });
      const sizes = ['1', '1', '1'];
      for (const size of sizes) {
        expect((await endpoint.nextCall()).headers['jobgate-batch-size']).to.equal(size);
      }
      await context.register(queue, endpoint, { opts: { batch: { size: 3, wait: 60_000 } } });
      for (const letter of 'def') await context.add(queue, named(letter));
      expect(dataOf(await endpoint.nextCall())).to.equal('def');
    });

    // holds: batches.call
    it('are signed as one message', async () => {
      const queue = context.newQueue();
      await addBefore(queue, 'ab');
      const endpoint = await context.newEndpoint();
      const { body } = await context.call('POST', '/workers', {
        queue,
        endpoint: { url: endpoint.url, method: 'post', signing: true },
        opts: { batch: { size: 2 } },
      });
      const { secret } = body as { readonly secret: string };
      const { headers, text } = await endpoint.nextCall();
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
      const expected = createHmac('sha256', key).update(signed).digest('base64');
      expect(headers['webhook-signature']).to.equal(`v1,${expected}`);
      await eventually('the worker is removed', async () => {
        return (await context.call('DELETE', `/workers/${queue}`)).status === 200;
      });
    });

    // holds: batches.options
    it('need the envelope', async () => {
      const worker = {
        queue: context.newQueue(),
        endpoint: { url: 'http://127.0.0.1:1/', method: 'post', body: 'data' },
        opts: { batch: { size: 2 } },
      };
      expect(await context.call('POST', '/workers', worker)).to.deep.include({ status: 400 });
      const tooFew = { ...worker, endpoint: { url: 'http://127.0.0.1:1/', method: 'post' } };
      const { status, body } = await context.call('POST', '/workers', {
        ...tooFew,
        opts: { batch: { size: 1 } },
      });
      expect(status).to.equal(400);
      expect(JSON.stringify(body)).to.contain('opts.batch.size must be an integer from 2 to 1000');
    });
  });
}
