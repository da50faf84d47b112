import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { isSlowLane } from '../../support/lane.ts';
import type { EndpointServer } from '../../support/endpoint-server.ts';
import type { ServiceContext } from './context.ts';

/** Longer than two looks. */
const TWO_LOOKS = 40_000;

/** What hooks say about conditions of queues, and when. */
export function describeHookConditions(context: ServiceContext): void {
  describe('the conditions of hooks', () => {
    const arrived = (receiver: EndpointServer, count: number): Promise<readonly string[]> =>
      eventually(
        `${count} messages arrive`,
        () => {
          const texts = receiver.calls.map(({ text }) => text);
          return Promise.resolve(texts.length >= count && texts);
        },
        TWO_LOOKS,
      );

    if (context.playsClocks) {
      // holds: hooks.condition-once, hooks.missed, hooks.formats
      it('are told when they begin and when they are over, in the format of the hook', async function () {
        this.timeout(2 * TWO_LOOKS);
        const queue = context.newQueue();
        const put = async (
          format: string,
          events: string[],
          when: object,
        ): Promise<EndpointServer> => {
          const receiver = await context.newEndpoint();
          const hook = { url: receiver.url, events, queues: [queue], when, for: 0, format };
          const { status, body } = await context.call('PUT', `/hooks/${queue}-${format}`, hook);
          expect(status, JSON.stringify(body)).to.equal(200);
          return receiver;
        };
        const full = await put('standard', ['queue.full'], { waiting: 2 });
        const unserved = await put('slack', ['queue.unserved'], { noWorker: 1 });
        const missed = await put('alertmanager', ['scheduler.missed'], { missed: 1 });
        const job = { name: 'work', data: null };
        await context.add(queue, job, job, job);
        const schedule = { repeat: { every: 3_600_000 }, job };
        await context.call('PUT', `/queues/${queue}/schedulers/hourly`, schedule);
        const [begun] = await arrived(full, 1);
        expect(JSON.parse(begun!)).to.include({ type: 'queue.full' });
        const [text] = await arrived(unserved, 1);
        expect(text).to.contain(`queue.unserved: ${queue}: jobs wait`);
        const [alert] = await arrived(missed, 1);
        expect(JSON.parse(alert!)).to.have.nested.property('[0].labels.scheduler', 'hourly');
        // The next look comes ten seconds later.
        if (isSlowLane) {
          const { status } = await context.call('DELETE', `/queues/${queue}?confirm=${queue}`);
          expect(status).to.equal(200);
          const [, over] = await arrived(full, 2);
          expect(JSON.parse(over!)).to.include({ type: 'queue.full.resolved' });
          await arrived(unserved, 2);
        }
        expect(missed.calls).to.have.length(1);
        for (const format of ['standard', 'slack', 'alertmanager']) {
          await context.call('DELETE', `/hooks/${queue}-${format}`);
        }
      });
    }
  });
}
