import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { JobJson } from '../../../src/domain/jobs/job-json.ts';
import { answer } from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import type { ServiceContext } from './context.ts';

/** Delivering jobs (specification, "Outbound call" and "States and transitions"). */
export function describeProcessing(context: ServiceContext): void {
  describe('processing', () => {
    // holds: service.calls, endpoint.headers, call.request, call.success, delivery.headers
    it('delivers the job with its token and stores what the endpoint answers', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint(answer(200, { sent: 3 }));
      await context.register(queue, endpoint, { headers: { 'X-Team': 'mail' } });
      const [job] = await context.add(queue, { name: 'welcome', data: { to: 'a@b.c' } });
      const call = await endpoint.nextCall();
      expect(call.method).to.equal('POST');
      expect(call.headers).to.include({ 'content-type': 'application/json', 'x-team': 'mail' });
      expect(call.headers['user-agent']).to.match(/^jobgate\/\d/);
      expect(call.body.job).to.deep.include({
        id: job!.id,
        name: 'welcome',
        data: { to: 'a@b.c' },
        opts: { attempts: 0, delay: 0 },
        queueQualifiedName: `${context.prefix}:${queue}`,
      });
      expect(call.body.token).to.match(/^[\w-]{22,}$/);
      const finished = await context.finished(queue, job!.id);
      expect(finished).to.deep.include({ returnvalue: { sent: 3 }, attemptsMade: 1 });
      expect(finished.processedOn).to.be.at.least(finished.timestamp);
      expect(finished).not.to.have.property('failedReason');
    });

    // holds: fields.priority
    it('carries the priority and the deduplication id of a job that has them', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint(answer(200));
      await context.register(queue, endpoint);
      const opts = { priority: 3, deduplication: { id: 'customer-17' } };
      await context.add(queue, { name: 'a', data: 1, opts });
      const { job } = (await endpoint.nextCall()).body;
      expect(job).to.include({ priority: 3, deduplicationId: 'customer-17' });
      await context.add(queue, { name: 'a', data: 1 });
      const { job: plain } = (await endpoint.nextCall()).body;
      expect(plain).not.to.have.any.keys('priority', 'deduplicationId');
    });

    for (const method of ['get', 'put', 'delete', 'patch']) {
      // holds: endpoint.method
      it(`carries the job in the body of a ${method} call too`, async () => {
        const queue = context.newQueue();
        const endpoint = await context.newEndpoint(answer(200));
        await context.register(queue, endpoint, { method });
        const [job] = await context.add(queue, { name: 'a', data: 1 });
        const call = await endpoint.nextCall();
        expect(call.method).to.equal(method.toUpperCase());
        expect(call.body.job.id).to.equal(job!.id);
        expect((await context.finished(queue, job!.id)).returnvalue).to.equal(null);
      });
    }

    for (const [status, completes] of [
      [200, true],
      [201, true],
      [204, true],
      [209, true],
      [210, false],
      [299, false],
      [302, false],
      [404, false],
      [503, false],
    ] as const) {
      // holds: states.completed, states.failed
      it(`${completes ? 'completes' : 'fails'} a job whose endpoint answers ${status}`, async () => {
        const queue = context.newQueue();
        const endpoint = await context.newEndpoint(answer(status, '', { location: '/elsewhere' }));
        await context.register(queue, endpoint);
        const [job] = await context.add(queue, { name: 'a', data: 1 });
        const finished = await context.finished(queue, job!.id);
        if (completes) expect(finished).not.to.have.property('failedReason');
        else expect(finished.failedReason).to.match(new RegExp(`^HTTP ${status}`));
        expect(endpoint.calls).to.have.lengthOf(1);
      });
    }

    // holds: call.failure, errors.endpoint-fails
    it("stores the endpoint's own message as the reason of a failure", async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint(answer(422, { message: 'No such address' }));
      await context.register(queue, endpoint);
      const [job] = await context.add(queue, { name: 'a', data: 1 });
      const finished = await context.finished(queue, job!.id);
      expect(finished).to.deep.include({
        failedReason: 'No such address',
        stacktrace: ['No such address'],
      });
    });

    // holds: endpoint.timeout, states.timeout, call.timeout, delivery.timeout-reason
    it('fails a call that takes longer than the timeout', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint(() => undefined);
      await context.register(queue, endpoint, { timeout: 100 });
      const [job] = await context.add(queue, { name: 'a', data: 1 });
      const call = await endpoint.nextCall();
      expect(await call.answered).to.equal(false);
      const finished = await context.finished(queue, job!.id);
      expect(finished.failedReason).to.equal('Endpoint call timed out after 100 ms');
    });

    // holds: states.call-failed, delivery.connection-reason
    it('names the target when it cannot be reached', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint();
      const { origin } = endpoint;
      await context.register(queue, endpoint);
      await endpoint.close();
      const [job] = await context.add(queue, { name: 'a', data: 1 });
      const finished = await context.finished(queue, job!.id);
      expect(finished.failedReason).to.equal(`ECONNREFUSED ${origin}`);
    });

    // holds: options.attempts, options.backoff
    it('retries with the backoff until the attempts are used up', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint(answer(500));
      await context.register(queue, endpoint);
      const opts = { attempts: 3, backoff: { type: 'exponential', delay: 100 } };
      const [job] = await context.add(queue, { name: 'a', data: 1, opts });
      const times: number[] = [];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await endpoint.nextCall();
        times.push(Date.now());
      }
      const finished = await context.finished(queue, job!.id);
      expect(finished).to.deep.include({ attemptsMade: 3, attemptsStarted: 3 });
      expect(times[1]! - times[0]!).to.be.at.least(95);
      expect(times[2]! - times[1]!).to.be.at.least(195);
    });

    it('completes a job at a later attempt', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint(answer(500));
      await context.register(queue, endpoint);
      const [job] = await context.add(queue, { name: 'a', data: 1, opts: { attempts: 5 } });
      await endpoint.nextCall();
      endpoint.respond = answer(200, 'at last');
      const finished = await context.finished(queue, job!.id);
      expect(finished).to.deep.include({ returnvalue: 'at last' });
      expect(finished.attemptsMade).to.be.at.least(2);
    });

    // holds: options.delay, states.delay-over
    it('starts a delayed job as soon as its delay is over, and no earlier', async () => {
      const queue = context.newQueue();
      await context.register(queue, await context.newEndpoint());
      const [job] = await context.add(queue, { name: 'a', data: 1, opts: { delay: 300 } });
      const { processedOn } = await context.finished(queue, job!.id);
      expect(processedOn! - job!.timestamp).to.be.within(300, 1500);
    });

    // holds: options.delayed-first
    it('holds a delayed job back, then starts it ahead of waiting ones', async () => {
      const queue = context.newQueue();
      const delayed = { name: 'delayed', data: 1, opts: { delay: 300 } };
      const [job] = await context.add(queue, delayed, { name: 'waiting', data: 2 });
      await eventually('the delay is over', () =>
        Promise.resolve(Date.now() >= job!.timestamp + 300),
      );
      const endpoint = await context.newEndpoint();
      await context.register(queue, endpoint);
      const names = [await endpoint.nextCall(), await endpoint.nextCall()];
      expect(names.map(({ body }) => body.job.name)).to.deep.equal(['delayed', 'waiting']);
      const finished = await context.finished(queue, job!.id);
      expect(finished.processedOn).to.be.at.least(job!.timestamp + 300);
    });

    // holds: options.no-priority
    it('starts jobs in order: lifo, waiting, then priorities from the lowest number up', async () => {
      const queue = context.newQueue();
      await context.add(
        queue,
        { name: 'priority 2', data: 1, opts: { priority: 2 } },
        { name: 'priority 1', data: 1, opts: { priority: 1 } },
        { name: 'priority 1 later', data: 1, opts: { priority: 1 } },
        { name: 'first', data: 1 },
        { name: 'second', data: 1, opts: { priority: 0 } },
        { name: 'lifo', data: 1, opts: { lifo: true } },
      );
      const endpoint = await context.newEndpoint();
      await context.register(queue, endpoint);
      const names: string[] = [];
      while (names.length < 6) names.push((await endpoint.nextCall()).body.job.name);
      expect(names).to.deep.equal([
        'lifo',
        'first',
        'second',
        'priority 1',
        'priority 1 later',
        'priority 2',
      ]);
    });

    // holds: worker-options.concurrency, call.bounds
    it('runs at most `concurrency` calls at once, and as many when there are jobs', async () => {
      const queue = context.newQueue();
      let running = 0;
      let most = 0;
      let release = (): void => undefined;
      const full = new Promise<void>((resolve) => (release = resolve));
      const endpoint = await context.newEndpoint(async (_call, response) => {
        running += 1;
        most = Math.max(most, running);
        if (running === 4) release();
        await full;
        running -= 1;
        response.end();
      });
      await context.register(queue, endpoint, { opts: { concurrency: 4 } });
      const jobs = await context.add(
        queue,
        ...Array.from({ length: 12 }, () => ({ name: 'a', data: 1 })),
      );
      await Promise.all(jobs.map(({ id }) => context.finished(queue, id)));
      expect(most).to.equal(4);
    });

    // holds: worker-options.limiter, call.bounds
    it('starts at most `max` calls per `duration`', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint();
      const limiter = { max: 2, duration: 400 };
      await context.register(queue, endpoint, { opts: { concurrency: 10, limiter } });
      const before = performance.now();
      const jobs = await context.add(
        queue,
        ...Array.from({ length: 5 }, () => ({ name: 'a', data: 1 })),
      );
      await Promise.all(jobs.map(({ id }) => context.finished(queue, id)));
      // The fifth starts two durations after the first by the store's clock. `processedOn` is when a claim was sent,
      // which on a busy machine is some time before.
      expect(performance.now() - before).to.be.at.least(2 * limiter.duration);
    });

    if (context.playsClocks) {
      // holds: bounds.limiter-window
      it('starts no more than `max` calls in any window, as the endpoint sees it', async () => {
        const queue = context.newQueue();
        const arrivals: number[] = [];
        const endpoint = await context.newEndpoint((_call, response) => {
          arrivals.push(performance.now());
          response.end();
        });
        const [max, duration] = [10, 1000];
        const limiter = { max, duration };
        await context.register(queue, endpoint, { opts: { concurrency: 50, limiter } });
        const some = (length: number) => Array.from({ length }, () => ({ name: 'a', data: 1 }));
        await context.add(queue, ...some(1));
        await endpoint.nextCall();
        await sleep(duration * 0.8);
        await context.add(queue, ...some(29));
        for (let calls = 1; calls < 30; calls += 1) await endpoint.nextCall();
        for (const [index, arrival] of arrivals.entries()) {
          const next = arrivals[index + max] ?? Infinity;
          // Calls take time to arrive, more or less of it on a busy machine.
          expect(next - arrival).to.be.above(duration * 0.6);
        }
      });
    }

    // holds: worker-options.complete-count
    it('keeps as many finished jobs as the worker says', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint();
      await context.register(queue, endpoint, { opts: { removeOnComplete: { count: 2 } } });
      const jobs = await context.add(
        queue,
        ...Array.from({ length: 4 }, () => ({ name: 'a', data: 1 })),
      );
      await context.finished(queue, jobs[3]!.id);
      const { body } = await context.call('GET', `/queues/${queue}/jobs?statuses=completed`);
      const page = body as { jobs: { id: string }[] };
      expect(page.jobs.map(({ id }) => id)).to.deep.equal([jobs[3]!.id, jobs[2]!.id]);
      expect((await context.call('GET', `/queues/${queue}/jobs/${jobs[0]!.id}`)).status).to.equal(
        404,
      );
    });

    if (context.playsClocks) {
      for (const [status, option] of [
        [200, 'removeOnComplete'],
        [500, 'removeOnFail'],
      ] as const) {
        // holds: worker-options.age
        it(`removes jobs older than the age of ${option}, once another job finishes`, async () => {
          const queue = context.newQueue();
          await context.register(queue, await context.newEndpoint(answer(status)), {
            opts: { [option]: { age: 1 }, concurrency: 1 },
          });
          const finish = async (): Promise<JobJson> => {
            const [job] = await context.add(queue, { name: 'a', data: 1 });
            return context.finished(queue, job!.id);
          };
          const { id, finishedOn } = await finish();
          await eventually('the age is over', () =>
            Promise.resolve(Date.now() > finishedOn! + 1000),
          );
          const path = `/queues/${queue}/jobs/${id}`;
          expect((await context.call('GET', path)).status).to.equal(200);
          await finish();
          expect((await context.call('GET', path)).status).to.equal(404);
        });
      }
    }

    // holds: worker-options.fail-count, list.defaults
    it('keeps as many failed jobs as the worker says, and all completed ones', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint((call, response) => {
        response.writeHead(call.body.job.data === 'good' ? 200 : 500).end();
      });
      await context.register(queue, endpoint, { opts: { removeOnFail: { count: 1 } } });
      const data = ['good', 'bad', 'good', 'bad', 'bad', 'good'];
      const jobs = await context.add(queue, ...data.map((value) => ({ name: 'a', data: value })));
      await context.finished(queue, jobs[5]!.id);
      const { body } = await context.call('GET', `/queues/${queue}/jobs`);
      const page = body as { counts: object; jobs: { id: string }[] };
      expect(page.counts).to.include({ completed: 3, failed: 1 });
      expect(page.jobs.map(({ id }) => id)).to.include(jobs[4]!.id);
    });
  });
}
