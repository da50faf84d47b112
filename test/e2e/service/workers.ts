import { expect } from 'chai';
import type { ServiceContext } from './context.ts';

/** Registered workers (specification, "Worker endpoints"). */
export function describeWorkers(context: ServiceContext): void {
  describe('workers', () => {
    // holds: service.workers, register.answer, workers.removal, errors.unknown-worker
    // holds: routes.worker
    it('registers, lists, reads and removes a worker', async () => {
      const queue = context.newQueue();
      const worker = {
        queue,
        endpoint: { url: 'http://127.0.0.1:9/', method: 'post', headers: { 'X-Key': 's3cret' } },
        opts: { concurrency: 2 },
      };
      const registered = await context.call('POST', '/workers', worker);
      expect(registered).to.deep.include({ status: 200, body: 'OK' });
      const listed = (await context.call('GET', '/workers')).body as Record<string, string>;
      expect(listed[queue]).to.equal('http://127.0.0.1:9/');
      const read = await context.call('GET', `/workers/${queue}`);
      expect(read.status).to.equal(200);
      expect(read.body).to.deep.equal({
        ...worker,
        endpoint: { ...worker.endpoint, headers: { 'X-Key': '[redacted]' } },
      });
      const removed = await context.call('DELETE', `/workers/${queue}`);
      expect(removed).to.deep.include({ status: 200, body: 'OK' });
      const after = (await context.call('GET', '/workers')).body as Record<string, string>;
      expect(after).not.to.have.property(queue);
      const missing = { status: 404, body: 'Worker not found' };
      expect(await context.call('GET', `/workers/${queue}`)).to.deep.include(missing);
      expect(await context.call('DELETE', `/workers/${queue}`)).to.deep.include(missing);
    });

    // holds: states.worker-registered, workers.one-per-queue, replicas.replacing
    it('replaces the endpoint of a queue while its running calls finish', async () => {
      const queue = context.newQueue();
      let finish = (): void => undefined;
      const old = await context.newEndpoint((_call, response) => {
        finish = () => response.end('old');
      });
      const fresh = await context.newEndpoint((_call, response) => {
        response.end('new');
      });
      await context.register(queue, old);
      const [first] = await context.add(queue, { name: 'a', data: 1 });
      await old.nextCall();
      await context.register(queue, fresh, { opts: { concurrency: 2 } });
      const [second] = await context.add(queue, { name: 'b', data: 1 });
      expect((await context.finished(queue, second!.id)).returnvalue).to.equal('new');
      finish();
      expect((await context.finished(queue, first!.id)).returnvalue).to.equal('old');
    });

    // holds: states.worker-removed, replicas.removing
    it('lets running calls finish when the worker is removed, and starts none', async () => {
      const queue = context.newQueue();
      let finish = (): void => undefined;
      const endpoint = await context.newEndpoint((_call, response) => {
        finish = () => response.end('done');
      });
      await context.register(queue, endpoint);
      const [first, second] = await context.add(
        queue,
        { name: 'a', data: 1 },
        { name: 'b', data: 1 },
      );
      await endpoint.nextCall();
      await context.call('DELETE', `/workers/${queue}`);
      finish();
      expect((await context.finished(queue, first!.id)).returnvalue).to.equal('done');
      const waiting = await context.read(queue, second!.id);
      expect(waiting.attemptsStarted).to.equal(0);
    });
  });
}
