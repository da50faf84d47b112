import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { TicketGrant } from '../../src/domain/events/event-ticket.ts';
import type { QueueHarness } from './queue-harness.ts';

const GRANT: TicketGrant = {
  grant: { queues: ['mail-*'], events: ['completed'] },
  caller: {
    id: 'file:shop',
    name: 'shop',
    keySpace: 'file:shop',
    expires: 1,
    rights: ['read'],
    queues: ['mail-*', '!mail-vip'],
  },
};

/** What every TicketStorePort promises. */
export function describeTicketStorePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`TicketStorePort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    // holds: tickets.once
    it('gives a ticket to one of all who take it, on whatever replica', async () => {
      const other = await harness.replica();
      const ticket = randomUUID();
      await harness.tickets.save(ticket, GRANT, 60_000, 1000);
      const taken = await Promise.all(
        [harness, other, harness, other].map(({ tickets }) => tickets.take(ticket)),
      );
      expect(taken.filter((grant) => grant !== undefined)).to.deep.equal([GRANT]);
      expect(await other.tickets.take(randomUUID())).to.equal(undefined);
    });

    // holds: tickets.time
    it('forgets a ticket after its time', async () => {
      const [early, late] = [randomUUID(), randomUUID()];
      for (const ticket of [early, late]) await harness.tickets.save(ticket, GRANT, 60_000, 1000);
      await harness.advance(50_000);
      expect(await harness.tickets.take(early)).to.deep.equal(GRANT);
      await harness.advance(10_000);
      expect(await harness.tickets.take(late)).to.equal(undefined);
    });

    // holds: tickets.bounds
    it('ends the oldest tickets of a caller beyond the most that it may have', async () => {
      const caller = { ...GRANT.caller, id: randomUUID() };
      const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
      for (const ticket of [first, second, third]) {
        await harness.tickets.save(ticket, { ...GRANT, caller }, 60_000, 2);
        await harness.advance(1);
      }
      const other = randomUUID();
      await harness.tickets.save(other, GRANT, 60_000, 2);
      const taken = await Promise.all(
        [first, second, third, other].map((ticket) => harness.tickets.take(ticket)),
      );
      expect(taken.map((grant) => grant !== undefined)).to.deep.equal([false, true, true, true]);
    });
  });
}
