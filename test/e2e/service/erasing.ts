import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { answer } from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import type { ServiceContext } from './context.ts';

/** The service forgets a person (reach contract, section 20). */
export function describeErasing(context: ServiceContext): void {
  describe('erasing', () => {
    // holds: erase.places
    it('leaves nothing of a customer in any answer', async () => {
      const queue = context.newQueue();
      const customer = `ada-${randomUUID()}`;
      const receiver = await context.newEndpoint(answer(204, ''));
      const hook = `/hooks/of-${queue}`;
      const { status: saved } = await context.call('PUT', hook, {
        url: receiver.url,
        queues: [queue],
        events: ['job.failed'],
      });
      expect(saved).to.equal(200);
      const endpoint = await context.newEndpoint(answer(500, { error: `no ${customer}` }));
      await context.register(queue, endpoint);
      const job = { name: 'mail', data: { customer: { id: customer } } };
      await context.add(queue, job, { ...job, opts: { delay: 600_000 } });
      await receiver.nextCall();
      const deliveries = async (): Promise<readonly { readonly state: string }[]> => {
        const { body } = await context.call('GET', `${hook}/deliveries`);
        return (body as { deliveries: { state: string }[] }).deliveries;
      };
      await eventually(
        'the message is delivered',
        async () => (await deliveries())[0]?.state === 'delivered',
      );
      const answers = async (): Promise<string> => {
        const paths = [
          `/queues/${queue}/jobs?length=100`,
          `/queues/${queue}/failures`,
          '/failures?window=3600000',
          `/workers/${queue}/health`,
          `/workers/${queue}/calls`,
          `${hook}/deliveries`,
          '/audit?length=100',
        ];
        const read = paths.map(async (path) =>
          JSON.stringify((await context.call('GET', path)).body),
        );
        return (await Promise.all(read)).join();
      };
      expect(await answers()).to.include(customer);

      const filter = { data: { 'customer.id': customer } };
      const { status, body } = await context.call('POST', '/erase', { filter });
      expect(status).to.equal(200);
      expect(body).to.deep.include({ matched: 2, done: 2, remaining: 0 });
      expect(body).to.have.nested.property('places.deliveries', 1);
      // The causes of failures over all queues are reused for a while.
      await eventually('no answer has it', async () => !(await answers()).includes(customer));
      expect(await deliveries()).to.deep.equal([]);
      await context.call('DELETE', hook);
    });
  });
}
