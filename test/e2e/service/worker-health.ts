import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import type { ServiceContext } from './context.ts';

/** The health of workers, and what disables them. */
export function describeWorkerHealth(context: ServiceContext): void {
  describe('the health of workers', () => {
    const health = async (queue: string): Promise<object> =>
      (await context.call('GET', `/workers/${queue}/health`)).body as object;

    // holds: worker-health.answer, worker-disabling.answer
    it('shows the calls, and the answer that disabled the worker', async () => {
      const queue = context.newQueue();
      const statuses = [201, 503, 200];
      const endpoint = await context.newEndpoint((_call, response) => {
        const status = statuses.shift() ?? 500;
        const headers = statuses.length === 0 ? { 'Webhook-Delivery': 'Disable' } : {};
        response.writeHead(status, headers).end('busy');
      });
      await context.register(queue, endpoint);
      const jobs = Array.from({ length: 4 }, () => ({ name: 'a', data: 1 }));
      const [, second, third, fourth] = await context.add(queue, ...jobs);
      expect(await context.finished(queue, third!.id)).to.include({ returnvalue: 'busy' });
      expect(await context.read(queue, second!.id)).to.include({ state: 'failed' });
      expect(await health(queue)).to.include({
        state: 'disabled',
        reason: 'The endpoint answered webhook-delivery: disable',
        until: null,
        calls: 3,
        failures: 1,
        lastStatus: 200,
        lastError: 'busy',
      });
      expect(await context.read(queue, fourth!.id)).to.include({ state: 'waiting' });
      await context.call('POST', `/workers/${queue}/enable`);
      await eventually('the job that waited is called for', async () => {
        const { calls } = (await health(queue)) as { calls: number };
        return calls === 4;
      });
    });
  });
}
