import { expect } from 'chai';
import type { LoggedChange } from '../../../src/adapters/outbound/postgres/log/log-entry.ts';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { QueueHarness } from '../../contracts/queue-harness.ts';
import {
  ANY,
  COMPLETED,
  countsOf,
  jobOf,
  retryAfter,
  take,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
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
  let ids: string[];

  beforeEach(async () => {
    log = new LogInMemory();
    store = replicasInMemory('test', new FakeClock(), undefined, log);
    queue = uniqueQueue();
    ids = [];
    await store.queues.add(
      queue,
      Array.from({ length: JOBS }, () => jobOf({ attempts: 2 })),
    );
  });

  async function saveSteps(end: (attempt: Attempt) => Promise<unknown>): Promise<void> {
    for (let jobs = 0; jobs < JOBS; jobs += 1) {
      const attempt = await take(store.attempts, queue, ANY);
      ids.push(attempt.jobId);
      for (let step = 0; step < STEPS; step += 1) {
        await store.steps.save(queue, attempt, { name: `step-${step}`, value: '1' });
      }
      await end(attempt);
    }
  }

  /** How many records each step changes while something is done. */
  async function changedBy(act: () => Promise<unknown>): Promise<readonly number[]> {
    const before = await log.after(0);
    await act();
    const rounds = (await log.after(0)).slice(before.length);
    return rounds.map(({ changes }) => (JSON.parse(changes) as LoggedChange[]).length);
  }

  const sum = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0);

  for (const [what, remove] of Object.entries({
    'are removed with their queue': () => store.queueControl.remove(queue, false),
    'are drained': () => store.queueControl.drain(queue, { delayed: true }),
    'are removed at once': () =>
      Promise.all(ids.map((id) => store.jobControl.removeAlone(queue, id))),
    'lose their steps to an erasure': () =>
      store.erasure.forgetSteps(
        queue,
        { erased: ids, others: [] },
        { kind: 'ids', queue, ids: new Set() },
      ),
  })) {
    // holds: store.fair-steps
    it(`${what} with a bounded number of records a step`, async () => {
      await saveSteps((attempt) => store.attempts.settle(queue, attempt, retryAfter(60_000)));
      const changed = await changedBy(remove);
      expect(Math.max(...changed)).to.be.below(MOST_CHANGED);
      expect(sum(changed)).to.be.above(JOBS * STEPS);
    });
  }

  // holds: store.fair-steps, retention.steps
  it('are removed by the retention of their queue with a bounded number of records a step', async () => {
    await saveSteps((attempt) => store.attempts.settle(queue, attempt, COMPLETED));
    const changed = await changedBy(async () => {
      let left = [{ queue, retention: { completed: { count: 0 } } }] as Parameters<
        typeof store.endedRemoval.removeBeyond
      >[0];
      while (left.length > 0) ({ left } = await store.endedRemoval.removeBeyond(left));
    });
    expect(Math.max(...changed)).to.be.below(MOST_CHANGED);
    expect(sum(changed)).to.be.above(JOBS * STEPS);
  });

  // holds: store.fair-steps
  it('are removed by the ends of later jobs with a bounded number of records each', async () => {
    await saveSteps((attempt) => store.attempts.settle(queue, attempt, COMPLETED));
    const opts = { removeOnComplete: { count: 1 } };
    await store.queues.add(
      queue,
      Array.from({ length: JOBS }, () => jobOf(opts)),
    );
    const changed = await changedBy(async () => {
      for (let jobs = 0; jobs < JOBS; jobs += 1) {
        const attempt = await take(store.attempts, queue, ANY);
        await store.attempts.settle(queue, attempt, COMPLETED);
      }
    });
    expect(Math.max(...changed)).to.be.below(MOST_CHANGED);
    expect(await countsOf(store.queues, queue)).to.include({ completed: 1 });
  });
});
