import { expect } from 'chai';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  ANY,
  claimOf,
  COMPLETED,
  FAILED,
  findStalled,
  HOUR,
  processMany,
  retryAfter,
  SHORTLY,
  SOON,
  take,
  uniqueQueue,
  type ClaimTerms,
} from '../queue-steps.ts';
import { addLetters, inGroup, starts, turns, within } from './group-steps.ts';

const BLOCK = within({ ordered: 'block' });
const MANY = 30;

/** What the uses of groups below do to the queue once the jobs of many groups were added to it. */
type Use = (harness: QueueHarness, queue: QueueName, ids: readonly string[]) => Promise<void>;

/** Starts and ends each of the jobs. */
async function endEach(
  { attempts }: QueueHarness,
  queue: QueueName,
  ending: Parameters<QueueHarness['attempts']['settle']>[2],
  terms: ClaimTerms = ANY,
): Promise<void> {
  await processMany(attempts, queue, ending, MANY, terms);
}

const USES: Readonly<Record<string, { readonly opts?: JobOptionsInput; readonly use: Use }>> = {
  'completed and were removed': {
    opts: { removeOnComplete: true },
    use: (harness, queue) => endEach(harness, queue, COMPLETED),
  },
  'completed and were cleaned': {
    use: async (harness, queue, ids) => {
      await endEach(harness, queue, COMPLETED);
      await Promise.all(ids.map((id) => harness.jobControl.remove(queue, id)));
    },
  },
  'were removed before they started': {
    use: async ({ jobControl }, queue, ids) => {
      await Promise.all(ids.map((id) => jobControl.remove(queue, id)));
    },
  },
  'were cancelled before they started': {
    use: async ({ jobControl }, queue, ids) => {
      for (const id of ids) {
        await jobControl.cancel(queue, id, { reason: 'over', keep: { count: 0 } });
      }
    },
  },
  'were drained': {
    use: async ({ queueControl }, queue) => {
      await queueControl.drain(queue, {});
    },
  },
  expired: {
    opts: { ttl: 1000, removeOnFail: true },
    use: async ({ advance, attempts }, queue) => {
      await advance(2000);
      expect(await starts(attempts, queue)).to.equal('');
    },
  },
  'stalled and completed': {
    opts: { removeOnComplete: true },
    use: async (harness, queue) => {
      for (let job = 0; job < MANY; job += 1) await take(harness.attempts, queue, SHORTLY);
      await harness.advance(SOON);
      expect(await findStalled(harness, queue)).to.have.length(MANY);
      await endEach(harness, queue, COMPLETED);
    },
  },
  'were tried again in order': {
    opts: { removeOnComplete: true },
    use: async (harness, queue) => {
      const terms = within({ ordered: 'skip' });
      await endEach(harness, queue, retryAfter(1000), terms);
      await harness.advance(2000);
      await endEach(harness, queue, COMPLETED, terms);
    },
  },
  'failed for good, and are kept no more': {
    opts: { removeOnFail: { count: 1 } },
    use: async (harness, queue, ids) => {
      await endEach(harness, queue, FAILED, BLOCK);
      await Promise.all(ids.map((id) => harness.jobControl.remove(queue, id)));
    },
  },
  'had their groups held': {
    opts: { removeOnComplete: true },
    use: async (harness, queue) => {
      const { attempts, now, advance } = harness;
      for (let job = 0; job < MANY; job += 1) {
        await attempts.settle(queue, await take(attempts, queue), {
          kind: 'deferred',
          reason: 'not now',
          scope: 'group',
          until: now() + 1000,
          call: { outcome: 'deferred' },
        });
      }
      await advance(2000);
      await endEach(harness, queue, COMPLETED);
    },
  },
  'started as a limiter let them': {
    opts: { removeOnComplete: true },
    use: async (harness, queue) => {
      await endEach(harness, queue, COMPLETED, within({ limiter: { max: 1, duration: 1000 } }));
      await harness.advance(2000);
      expect((await harness.attempts.claim(queue, claimOf(ANY))).kind).to.equal('idle');
    },
  },
};

export function describeUsedGroups(harness: () => QueueHarness): void {
  describe('groups that were used once', () => {
    let queue: QueueName;

    beforeEach(() => {
      queue = uniqueQueue();
    });

    // holds: groups.forgotten
    it('leave nothing, whatever became of their jobs', async () => {
      const { queues, entriesOfGroups } = harness();
      const used = Object.values(USES).map((each) => ({ ...each, queue: uniqueQueue() }));
      const names = used.map((each) => each.queue);
      const before = await entriesOfGroups(names);
      for (const { queue: name, opts, use } of used) {
        const groups = Array.from({ length: MANY }, (_, each) => inGroup(`g${each}`, opts));
        await use(harness(), name, await addEach(queues, name, ...groups));
      }
      expect(await entriesOfGroups(names)).to.equal(before);
    });

    it('take no turns once their jobs are removed, while others wait', async () => {
      const { queues, jobControl, attempts, groups } = harness();
      await groups.pause(queue, 'c');
      const [first = '', , third = ''] = await addLetters(queues, queue, 'abc');
      await jobControl.remove(queue, first);
      await addLetters(queues, queue, 'a');
      expect(await turns(attempts, queue)).to.equal('ba');
      await jobControl.remove(queue, third);
      await groups.resume(queue, 'c');
      await addLetters(queues, queue, 'dc');
      expect(await turns(attempts, queue)).to.equal('dc');
    });

    it('go on when the failed job that blocks them is kept no more', async () => {
      const { queues, attempts, now } = harness();
      const kept = { removeOnFail: { count: 1 } };
      await addEach(queues, queue, inGroup('a', kept), inGroup('b', kept), inGroup('a'));
      await attempts.settle(queue, await take(attempts, queue, BLOCK), FAILED);
      const second = await take(attempts, queue, BLOCK);
      expect(await starts(attempts, queue, BLOCK)).to.equal('');
      const woken = attempts.waitForJobs(queue, now() + HOUR, new AbortController().signal);
      await attempts.settle(queue, second, FAILED);
      await woken;
      expect(await starts(attempts, queue, BLOCK)).to.equal('a');
    });
  });
}
