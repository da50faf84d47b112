import { noCalledOptions } from '../support/no-called-options.ts';
import { expect } from 'chai';
import { JobWaits } from '../../src/application/jobs/job-waits.ts';
import { Jobs } from '../../src/application/jobs/jobs.ts';
import { noPolicies } from '../support/no-policies.ts';
import type { QueueHarness } from './queue-harness.ts';
import { HOUR, take, uniqueQueue } from './queue-steps.ts';
import { clockOf } from '../support/clock-of.ts';
import { unobserved } from '../support/unobserved.ts';

const ADDS = 20;

/** What adds that wait promise on every store. */
export function describeAwaitedAdds(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`Awaited adds: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    // holds: prefer-wait.ended, prefer-wait.removed
    it('misses no end, however soon it comes, of jobs that are not kept', async () => {
      const { queues, attempts, jobEndings, now } = harness;
      // No waiter reads a job a second time: its end has to be announced.
      const clock = {
        ...clockOf(now),
        sleep: (_ms: number, signal?: AbortSignal) =>
          new Promise<void>((resolve) => {
            if (signal?.aborted === true) resolve();
            signal?.addEventListener('abort', () => {
              resolve();
            });
          }),
      };
      const jobs = new Jobs({
        queues,
        parts: harness.jobParts,
        attempts,
        calledOptions: noCalledOptions,
        policies: noPolicies,
        workers: { workerOf: () => Promise.resolve(undefined) },
        observer: unobserved,
        maxJobsPerAdd: 10,
      });
      const adds = new JobWaits(jobs, queues, jobEndings, clock);
      const queue = uniqueQueue();
      const { attempts: others } = await harness.replica();
      const work = async (): Promise<void> => {
        for (let done = 0; done < ADDS;) {
          const attempt = await take(others, queue).catch(() => undefined);
          if (attempt === undefined) continue;
          const returnvalue = attempt.job.data;
          await others.settle(queue, attempt, { kind: 'completed', returnvalue });
          done += 1;
        }
      };
      const ended = Array.from({ length: ADDS }, (_, data) => {
        const opts = { removeOnComplete: data % 2 === 0 };
        const { signal } = new AbortController();
        const request = { identity: undefined, wait: HOUR, signal };
        return adds.add(queue, { name: 'work', data, opts }, request);
      });
      await work();
      for (const [data, { job, hasEnded }] of (await Promise.all(ended)).entries()) {
        expect(hasEnded).to.equal(true);
        expect(job).to.deep.include({ queue, data, returnvalue: data });
      }
    });
  });
}
