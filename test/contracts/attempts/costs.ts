import { expect } from 'chai';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { addEach, ANY, claimOf, take, uniqueQueue, type ClaimTerms } from '../queue-steps.ts';
import { isVolumePlayedOn } from '../played-on.ts';

/** Milliseconds; long enough for a machine that stands still for a while within a test. */
const WINDOW = 5000;
/** As long as it is in truth, and a little more. */
const PAST = WINDOW + 60;

/** Ten a window. */
const TEN = { ...ANY, limiter: { max: 10, duration: WINDOW } };
const TEN_OF_GROUP = { ...ANY, groups: { limiter: { max: 10, duration: WINDOW } } };

const OF_ALL = [
  ['a queue', TEN, {}],
  ['a group', TEN_OF_GROUP, { group: { id: 'a' } }],
] as const;

function completed(cost?: number): AttemptEnding {
  return {
    kind: 'completed',
    returnvalue: null,
    call: { outcome: 'completed', ...(cost !== undefined && { cost }) },
  };
}

function failed(cost: number, delay: number): AttemptEnding {
  return { kind: 'retry', reason: 'no', delay, call: { outcome: 'failed', cost } };
}

/** Whether a job may start now; it goes back then without a call. */
async function mayStart(
  { attempts }: Pick<QueueHarness, 'attempts'>,
  queue: QueueName,
  terms: ClaimTerms,
): Promise<boolean> {
  const claim = await attempts.claim(queue, claimOf(terms));
  if (claim.kind === 'attempt') await attempts.release(queue, claim.attempt, true);
  return claim.kind === 'attempt';
}

export function describeCosts(harness: () => QueueHarness, store: string): void {
  for (const [kind, terms, grouped] of OF_ALL) {
    describe(`costs in the limiter of ${kind}`, () => {
      let queue: QueueName;

      beforeEach(() => {
        queue = uniqueQueue();
      });

      const add = (...costs: readonly (number | undefined)[]): Promise<string[]> =>
        addEach(
          harness().queues,
          queue,
          ...costs.map((cost) => ({ ...grouped, ...(cost !== undefined && { cost }) })),
        );
      const start = (): Promise<Attempt> => take(harness().attempts, queue, terms);
      const mayStartNow = (): Promise<boolean> => mayStart(harness(), queue, terms);

      // holds: costs.count
      it('count as options say, 1 unless they do', async () => {
        await add(6, undefined, 3, 1, 1);
        for (let index = 0; index < 3; index += 1) await start();
        expect(await mayStartNow()).to.equal(false);
        await harness().advance(PAST);
        await start();
      });

      // holds: costs.order
      it('have the next job wait, and none overtake it for being cheaper', async () => {
        const [, dear] = await add(6, 5, 1);
        await start();
        expect(await mayStartNow()).to.equal(false);
        await harness().advance(PAST);
        expect((await start()).job.id).to.equal(dear);
        await start();
      });

      // holds: costs.zero
      it('let a job that costs nothing start in a full window, not in one that is overdrawn', async () => {
        await add(10, 0, 0, 1);
        const full = await start();
        const free = await start();
        await harness().attempts.settle(queue, full, completed(11));
        expect(await mayStartNow()).to.equal(false);
        await harness().attempts.settle(queue, free, completed());
        await harness().advance(PAST);
        await start();
        await start();
      });

      // holds: costs.above-max
      it('have a job above the maximum start alone in a window', async () => {
        await add(1, 50, 1);
        await start();
        expect(await mayStartNow()).to.equal(false);
        await harness().advance(PAST);
        await start();
        expect(await mayStartNow()).to.equal(false);
        await harness().advance(PAST);
        await start();
      });

      // holds: costs.overdrawn
      it('wait until enough has left a window that a report has overdrawn', async () => {
        const { attempts, advance } = harness();
        await add(1, 4, 8, 2);
        const first = await start();
        await advance(2000);
        await start();
        await attempts.settle(queue, first, completed(9));
        expect(await mayStartNow()).to.equal(false);
        await advance(PAST - 2000);
        expect(await mayStartNow()).to.equal(false);
        await advance(2000);
        await start();
        await start();
        expect(await mayStartNow()).to.equal(false);
      });

      // holds: costs.corrected
      it('are what the end of the attempt says, more or less', async () => {
        const { attempts } = harness();
        await add(9, 9, 9, 9);
        await attempts.settle(queue, await start(), completed(0));
        const second = await start();
        expect(await mayStartNow()).to.equal(false);
        await attempts.settle(queue, second, failed(1, 3_600_000));
        const third = await start();
        expect(await attempts.reportEnding(queue, third, completed(2))).to.equal('recorded');
        expect(await mayStartNow()).to.equal(false);
      });

      // holds: costs.corrected
      it('are set once: a repeated report changes nothing', async () => {
        const { attempts } = harness();
        await add(5, 5, 5);
        const first = await start();
        expect(await attempts.reportEnding(queue, first, completed(1))).to.equal('recorded');
        expect(await attempts.reportEnding(queue, first, completed(9))).to.equal('repeated');
        await start();
        expect(await mayStartNow()).to.equal(false);
      });

      // holds: costs.corrected
      it('are what a release and a suspension say', async () => {
        const { attempts, steps } = harness();
        await add(10, 10);
        const first = await start();
        expect(await attempts.reportRelease(queue, first, 3_600_000, 0)).to.equal('recorded');
        const second = await start();
        const request = {
          id: 'x',
          steps: [],
          sleeps: [{ name: 'rest', duration: 3_600_000 }],
          signals: [],
          added: [],
          maxWaiting: new Map(),
          cost: 3,
        };
        expect(await steps.suspend(queue, second, request)).to.equal('recorded');
        await add(7);
        await start();
        await add(1);
        expect(await mayStartNow()).to.equal(false);
      });

      // holds: costs.ignored
      it('of a start that has left the window change nothing', async () => {
        const { attempts, advance } = harness();
        await add(1, 10, 1);
        const first = await start();
        await advance(PAST);
        await start();
        await attempts.settle(queue, first, completed(100));
        await advance(PAST);
        await start();
      });

      // holds: costs.taken-back
      it('are taken back with a start without a call', async () => {
        const { attempts } = harness();
        await add(2, 8, 1);
        const first = await start();
        const second = await start();
        expect(await mayStartNow()).to.equal(false);
        await attempts.release(queue, first, true);
        expect((await start()).job.id).to.equal(first.job.id);
        await attempts.release(queue, second, true);
        await start();
        expect(await mayStartNow()).to.equal(false);
      });

      it('are those of a changed job', async () => {
        const { jobControl } = harness();
        const [, dear = ''] = await add(5, 6);
        await start();
        expect(await mayStartNow()).to.equal(false);
        expect(await jobControl.change(queue, dear, { cost: 5 })).to.deep.equal({ kind: 'done' });
        expect((await harness().queues.find(queue, dear))?.opts.cost).to.equal(5);
        await start();
      });

      if (isVolumePlayedOn(store)) {
        it('hold at random, over replicas, as the sums in any window say', async () => {
          const { attempts, now, advance } = harness();
          const replica = await harness().replica();
          const costs = Array.from({ length: 40 }, () => Math.floor(Math.random() * 13));
          await add(...costs);
          const time = (): number => now() + performance.now();
          const starts: { readonly at: number; readonly cost: number }[] = [];
          for (let turn = 0; turn < 120 && starts.length < costs.length; turn += 1) {
            const one = turn % 2 === 0 ? attempts : replica.attempts;
            const claim = await one.claim(queue, claimOf(terms));
            if (claim.kind !== 'attempt') await advance(Math.ceil(Math.random() * 2000));
            else starts.push({ at: time(), cost: costs[starts.length] ?? 0 });
          }
          expect(starts.length).to.be.above(10);
          for (const [index, { at, cost }] of starts.entries()) {
            const within = starts.slice(0, index).filter((other) => at - other.at < WINDOW);
            const before = within.reduce((sum, other) => sum + other.cost, 0);
            expect(before).to.be.at.most(10 - Math.min(cost, 10));
          }
        });
      }
    });
  }

  describe('costs', () => {
    // holds: costs.concurrency
    it('count nothing in a concurrency', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, { cost: 100 }, { cost: 0 }, { cost: 1 });
      const two = { ...ANY, concurrency: 2 };
      await take(attempts, queue, two);
      await take(attempts, queue, two);
      expect((await attempts.claim(queue, claimOf(two))).kind).to.equal('idle');
    });

    it('count for each job of a call with several, which ends where one does not fit', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, { cost: 4 }, { cost: 5 }, { cost: 2 }, { cost: 1 });
      const tokens = [1, 2, 3, 4].map((number) => `${'b'.repeat(27)}-${number}${'_'.repeat(3)}`);
      const claimed = await attempts.claimBatch(queue, { ...TEN, tokens, batch: { by: 'queue' } });
      expect(claimed.attempts).to.have.lengthOf(2);
      expect(claimed.lack?.kind).to.equal('limited');
    });

    // holds: costs.shown
    it('are on record of the attempts that reported one', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const [id = ''] = await addEach(queues, queue, { cost: 7, attempts: 3 });
      await attempts.settle(queue, await take(attempts, queue), failed(1532, 0));
      await attempts.settle(queue, await take(attempts, queue), completed());
      const recorded = await queues.attempts(queue, id);
      expect(recorded?.cost).to.equal(7);
      expect(recorded?.attempts.map(({ cost }) => cost)).to.deep.equal([1532, undefined]);
    });
  });
}
