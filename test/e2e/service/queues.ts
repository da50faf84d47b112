import { expect } from 'chai';
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
      const { counts, oldestWaiting, ...facts } = body as Record<string, unknown>;
      expect(counts).to.include({ active: 0, waiting: 1, completed: 1 });
      expect(oldestWaiting).to.be.a('number').that.is.least(0);
      expect(facts).to.deep.equal({
        name: queue,
        paused: true,
        worker: endpoint.url,
        concurrency: 1,
        limiter: null,
        heldUntil: null,
        policy: null,
      });
      expect(endpoint.calls).to.have.lengthOf(1);
      const resumed = await context.call('POST', `/queues/${queue}/resume`);
      expect(resumed).to.deep.include({ status: 200, body: 'OK' });
      await endpoint.nextCall();
      finish();
      await context.finished(queue, waiting!.id);
    });

    // holds: queues.read
    it('are not found where nothing is', async () => {
      const missing = await context.call('GET', `/queues/${context.newQueue()}`);
      expect(missing).to.deep.include({ status: 404, body: 'Not found' });
    });
  });
}
