import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import type { ServiceContext } from './context.ts';

/** Whole queues. */
export function describeQueues(context: ServiceContext): void {
  describe('queues', () => {
    // holds: queues.read, queues.pause, queues.resume
    it('start no call while they are paused, and the calls of all jobs when they are resumed', async () => {
      const queue = context.newQueue();
      let finish = (): void => undefined;
      const endpoint = await context.newEndpoint((_call, response) => {
        finish = () => response.end('done');
      });
      await context.register(queue, endpoint);
      const [running] = await context.add(queue, { name: 'a', data: 1 });
      await endpoint.nextCall();
      const paused = await context.call('POST', `/queues/${queue}/pause`);
      expect(paused).to.deep.include({ status: 200, body: 'OK' });
      const [waiting] = await context.add(queue, { name: 'b', data: 2 });
      finish();
      await context.finished(queue, running!.id);
      const { body } = await context.call('GET', `/queues/${queue}`);
      const { counts, oldestWaiting, pause, ...facts } = body as Record<string, unknown>;
      const { at } = pause as { at: number };
      expect(counts).to.include({ active: 0, waiting: 1, completed: 1 });
      expect(oldestWaiting).to.be.a('number').that.is.least(0);
      const stop = { by: 'environment:1', at, reason: null };
      expect(pause).to.deep.equal(stop);
      const since = new Date(at).toISOString().replace(/\.\d+/, '');
      expect(facts).to.deep.equal({
        name: queue,
        paused: true,
        worker: endpoint.url,
        concurrency: 1,
        limiter: null,
        heldUntil: null,
        heldBy: null,
        window: null,
        policy: null,
        deadLetters: null,
        stuckParents: 0,
        suspended: 0,
        blocked: {
          ...{ reason: 'paused', stop },
          detail: `The queue is paused by environment:1 since ${since}`,
        },
      });
      expect(endpoint.calls).to.have.lengthOf(1);
      const resumed = await context.call('POST', `/queues/${queue}/resume`);
      expect(resumed).to.deep.include({ status: 200, body: 'OK' });
      await endpoint.nextCall();
      finish();
      await context.finished(queue, waiting!.id);
    });

    describe('say why none of their jobs starts', () => {
      const HOUR = 3_600_000;

      /** Why no job of the queue starts now; null while jobs start. */
      async function blocked(queue: string): Promise<Record<string, unknown> | null> {
        const { body } = await context.call('GET', `/queues/${queue}`);
        return (body as { blocked: Record<string, unknown> | null }).blocked;
      }

      const becomes = (queue: string, reason: string): Promise<Record<string, unknown>> =>
        eventually(`${queue} is blocked: ${reason}`, async () => {
          const found = await blocked(queue);
          return found?.['reason'] === reason && found;
        });

      // holds: sight.blocked
      it('by the delay of its jobs, a hold, and the lack of a worker, until a client claims', async () => {
        const queue = context.newQueue();
        const [job] = await context.add(queue, { name: 'a', data: 1, opts: { delay: HOUR } });
        expect(await blocked(queue)).to.include({ reason: 'no-worker' });
        await context.call('POST', `/queues/${queue}/jobs/claim`, {});
        const due = { reason: 'delayed', until: job!.timestamp + HOUR };
        await eventually(
          'the claim is noted',
          async () => (await blocked(queue))?.['until'] === due.until,
        );
        expect(await blocked(queue)).to.include(due);
        await context.call('POST', `/queues/${queue}/hold`, { for: HOUR });
        expect((await becomes(queue, 'held'))['until']).to.be.greaterThan(Date.now());
        await context.call('DELETE', `/queues/${queue}/hold`);
        await context.call('POST', `/queues/${queue}/jobs/${job!.id}/promote`);
        expect(await blocked(queue)).to.equal(null);
      });

      if (context.playsClocks) {
        // holds: sight.blocked
        it('by full slots when no call ends for a while, and by a worker that is disabled', async () => {
          const queue = context.newQueue();
          let finish = (): void => undefined;
          const endpoint = await context.newEndpoint((_call, response) => {
            finish = () => response.end('done');
          });
          await context.register(queue, endpoint);
          await context.add(queue, { name: 'a', data: 1 }, { name: 'b', data: 2 });
          await endpoint.nextCall();
          expect(await blocked(queue)).to.equal(null);
          expect(await becomes(queue, 'concurrency')).to.include({
            detail: '1 of 1 call is running',
          });
          await context.call('POST', `/workers/${queue}/disable`, { reason: 'We move' });
          const { detail } = (await blocked(queue))!;
          expect(detail).to.match(/^The worker is disabled by environment:1 since \S+Z: We move$/);
          finish();
        }).timeout(20_000);
      }

      // holds: sight.blocked
      it('by the limiter, and by the breaker', async () => {
        const limited = context.newQueue();
        const endpoint = await context.newEndpoint((_call, response) => void response.end('done'));
        const limiter = { max: 1, duration: HOUR };
        await context.register(limited, endpoint, { opts: { limiter } });
        await context.add(limited, { name: 'a', data: 1 }, { name: 'b', data: 2 });
        expect((await becomes(limited, 'limiter'))['until']).to.be.greaterThan(Date.now());

        const open = context.newQueue();
        const failing = await context.newEndpoint((_call, response) => {
          response.statusCode = 500;
          response.end('no');
        });
        await context.register(open, failing, {
          opts: { breaker: { failures: 1, openFor: HOUR } },
        });
        await context.add(open, { name: 'a', data: 1 }, { name: 'b', data: 2 });
        expect(await becomes(open, 'open')).to.have.property('until');
      });
    });

    // holds: queues.read
    it('are not found where there are none', async () => {
      const missing = await context.call('GET', `/queues/${context.newQueue()}`);
      expect(missing).to.deep.include({ status: 404, body: 'Not found' });
    });
  });
}
