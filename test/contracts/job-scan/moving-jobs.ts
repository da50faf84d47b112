import { expect } from 'chai';
import type { ScannedJob } from '../../../src/application/ports/job-scan-port.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  COMPLETED,
  FAILED,
  process,
  processMany,
  retryAfter,
  uniqueQueue,
} from '../queue-steps.ts';
import { addMany, failMany, MANY, scanAll } from './scan-steps.ts';

/** How often each job was returned, of those that stayed. */
function timesTold(found: readonly ScannedJob[], stayed: readonly string[]): ReadonlySet<number> {
  const times = new Map(stayed.map((id) => [id, 0]));
  for (const { id } of found) times.set(id, (times.get(id) ?? 0) + 1);
  return new Set(stayed.map((id) => times.get(id) ?? 0));
}

const ONCE = new Set([1]);

export function describeScanningWhileJobsMove(harness: () => QueueHarness): void {
  describe('while jobs move', () => {
    // holds: search.cursor
    it('returns the waiting jobs that stay once, while others come and start', async () => {
      const { attempts, jobScan } = harness();
      const queue = uniqueQueue();
      const ids = await addMany(harness(), queue);
      const started: string[] = [];
      const found = await scanAll(jobScan, queue, ['waiting'], {
        most: 50,
        between: async () => {
          await addMany(harness(), queue, 30);
          await addMany(harness(), queue, 2, { lifo: true });
          started.push(...(await processMany(attempts, queue, COMPLETED, 12)));
        },
      });
      const stayed = ids.filter((id) => !started.includes(id));
      expect(stayed).not.to.have.length(0);
      expect(timesTold(found, stayed)).to.deep.equal(ONCE);
    });

    it('returns the waiting jobs that stay once, while others start and come back', async () => {
      const { attempts, jobScan } = harness();
      const queue = uniqueQueue();
      const ids = await addMany(harness(), queue, MANY, { attempts: 1000 });
      const started = new Set<string>();
      const found = await scanAll(jobScan, queue, ['waiting'], {
        most: 100,
        between: async () => {
          for (let count = 0; count < 60; count += 1) {
            started.add(await process(attempts, queue, retryAfter(0)));
          }
        },
      });
      const stayed = ids.filter((id) => !started.has(id));
      expect(timesTold(found, stayed)).to.deep.equal(ONCE);
    });

    it('returns the waiting jobs that stay once, while those that it returned are removed', async () => {
      const { jobControl, jobScan } = harness();
      const queue = uniqueQueue();
      const ids = await addMany(harness(), queue);
      const found = await scanAll(jobScan, queue, ['waiting'], {
        most: 40,
        between: (taken) => Promise.all(taken.map(({ id }) => jobControl.remove(queue, id))),
      });
      expect(found.map(({ id }) => id)).to.deep.equal(ids.toReversed());
    });

    it('finds its place in a list that has become longer by thousands of jobs', async () => {
      const queue = uniqueQueue();
      const ids = await addMany(harness(), queue);
      let isLonger = false;
      const found = await scanAll(harness().jobScan, queue, ['waiting'], {
        between: async () => {
          if (!isLonger) await addMany(harness(), queue, 9000);
          isLonger = true;
        },
      });
      expect(found.map(({ id }) => id)).to.deep.equal(ids.toReversed());
    });

    it('ends where all that is left was returned', async () => {
      const { attempts, jobScan } = harness();
      const queue = uniqueQueue();
      const ids = await addMany(harness(), queue);
      const found = await scanAll(jobScan, queue, ['waiting'], {
        most: 50,
        between: async () => {
          await addMany(harness(), queue, 500);
          await processMany(attempts, queue, COMPLETED, 300);
        },
      });
      expect(found.map(({ id }) => id)).to.deep.equal(ids.slice(-100).toReversed());
    });

    // holds: search.cursor
    it('returns the failed jobs that stay once, while others fail, go, and are retried', async () => {
      const { attempts, jobControl, jobScan } = harness();
      const queue = uniqueQueue();
      const ids = await failMany(harness(), queue);
      const gone = new Set<string>();
      const found = await scanAll(jobScan, queue, ['failed'], {
        most: 40,
        between: async (taken) => {
          for (const { id } of taken.slice(-20)) {
            gone.add(id);
            await jobControl.remove(queue, id);
          }
          const unseen = ids.find((id) => !gone.has(id)) ?? '';
          gone.add(unseen);
          await jobControl.retry(queue, unseen, {});
          await addMany(harness(), queue, 3);
          await processMany(attempts, queue, FAILED, 4);
        },
      });
      const stayed = ids.filter((id) => !gone.has(id));
      expect(timesTold(found, stayed)).to.deep.equal(ONCE);
    });
  });
}
