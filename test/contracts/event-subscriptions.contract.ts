import { expect } from 'chai';
import { Events } from '../../src/application/events/events.ts';
import type { EventPosition } from '../../src/domain/events/event-position.ts';
import { SystemClock } from '../../src/infrastructure/system-clock.ts';
import type { QueueHarness } from './queue-harness.ts';
import { jobOf, uniqueQueue } from './queue-steps.ts';

const BATCHES = 40;
const JOBS_PER_BATCH = 100;

/** What a subscriber is promised who loses connections, on any store. */
export function describeEventSubscriptions(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`Subscriptions to events: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    // holds: events.resume
    it('deliver every event once to a client that comes back again and again, to any replica', async () => {
      const queue = uniqueQueue();
      const clock = new SystemClock();
      const replicas = [harness, await harness.replica()].map(
        ({ events }) => new Events(events, { gapsReported: () => undefined }, clock),
      );
      const added: string[] = [];
      const adding = (async () => {
        for (let batch = 0; batch < BATCHES; batch += 1) {
          const jobs = Array.from({ length: JOBS_PER_BATCH }, () => jobOf());
          for (const { id } of await harness.queues.add(queue, jobs)) added.push(id);
        }
      })();
      const told: unknown[] = [];
      let after: EventPosition = { id: '0-0', queue };
      for (let connection = 0; told.length < BATCHES * JOBS_PER_BATCH; connection += 1) {
        const left = new AbortController();
        const subscription = { queue, selection: { names: new Set(['added'] as const) }, after };
        const batches = replicas[connection % 2]!.subscribe(subscription, left.signal);
        let taken = 0;
        for await (const { events, last } of batches) {
          for (const { name, data } of events) told.push(name === 'added' ? data.jobId : name);
          after = last;
          taken += events.length;
          // Each connection is lost after some events more than the one before.
          if (taken > connection * 7 || told.length === BATCHES * JOBS_PER_BATCH) break;
        }
        left.abort();
      }
      await adding;
      expect(told).to.deep.equal(added);
    });
  });
}
