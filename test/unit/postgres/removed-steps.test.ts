import { expect } from 'chai';
import type { LoggedChange } from '../../../src/adapters/outbound/postgres/log/log-entry.ts';
import type { QueueHarness } from '../../contracts/queue-harness.ts';
import { ANY, jobOf, retryAfter, take, uniqueQueue } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { LogInMemory } from '../../support/postgres/log-in-memory.ts';
import { replicasInMemory } from '../../support/postgres/replicas-in-memory.ts';

const JOBS = 12;
const STEPS = 250;

/** The most records that a step removes, with what it writes of the queue. */
const MOST_CHANGED = 1100;

describe('jobs with many steps', () => {
  let log: LogInMemory;
  let store: QueueHarness;
  let queue: ReturnType<typeof uniqueQueue>;

  beforeEach(async () => {
    log = new LogInMemory();
    store = replicasInMemory('test', new FakeClock(), undefined, log);
    queue = uniqueQueue();
    await store.queues.add(
      queue,
      Array.from({ length: JOBS }, () => jobOf({ attempts: 2 })),
    );
    for (let jobs = 0; jobs < JOBS; jobs += 1) {
      const attempt = await take(store.attempts, queue, ANY);
      for (let step = 0; step < STEPS; step += 1) {
        await store.steps.save(queue, attempt, { name: `step-${step}`, value: '1' });
      }
      await store.attempts.settle(queue, attempt, retryAfter(60_000));
    }
  });

  for (const [what, remove] of Object.entries({
    removed: () => store.queueControl.remove(queue, false),
    drained: () => store.queueControl.drain(queue, { delayed: true }),
  })) {
    // holds: store.fair-steps
    it(`are ${what} with a bounded number of records a step`, async () => {
      const before = await log.after(0);
      await remove();
      const rounds = (await log.after(0)).slice(before.length);
      const changed = rounds.map(({ changes }) => (JSON.parse(changes) as LoggedChange[]).length);
      expect(Math.max(...changed)).to.be.below(MOST_CHANGED);
      const removed = changed.reduce((sum, count) => sum + count, 0);
      expect(removed).to.be.above(JOBS * STEPS);
    });
  }
});
