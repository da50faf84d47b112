import { expect } from 'chai';
import type { GroupDefaults } from '../../src/domain/groups/group-settings.ts';
import { demandOf, type Demand, type DemandFacts } from '../../src/domain/queues/demand.ts';
import { limiterWindow } from '../../src/domain/queues/limiter.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { addLetters, inGroup, starts, within } from './groups/group-steps.ts';
import type { QueueHarness, QueueReplica } from './queue-harness.ts';
import {
  addEach,
  ANY,
  COMPLETED,
  FAILED,
  HOUR,
  jobOf,
  retryAfter,
  SHORTLY,
  SOON,
  findStalled,
  take,
  takeAll,
  uniqueQueue,
} from './queue-steps.ts';

const ONE: GroupDefaults = { concurrency: 1 };

/** What every DemandPort promises (reach contract, section 19). */
export function describeDemandPort(name: string, createHarness: () => Promise<QueueHarness>): void {
  describe(`DemandPort: ${name}`, () => {
    let harness: QueueHarness;
    let other: QueueReplica;
    let queue: QueueName;

    before(async () => {
      harness = await createHarness();
      other = await harness.replica();
    });
    beforeEach(() => {
      queue = uniqueQueue();
    });
    after(() => harness.dispose());

    /** As another replica reads it. */
    async function facts(groups?: GroupDefaults): Promise<DemandFacts> {
      const [found] = await other.demand.facts([{ queue, groups }]);
      if (found === undefined) throw new Error('The queue does not exist');
      return found;
    }

    async function demand(groups?: GroupDefaults): Promise<Demand> {
      return demandOf(await facts(groups), { hasBreaker: true, window: undefined });
    }

    const waiting = async (groups?: GroupDefaults): Promise<number> =>
      (await demand(groups)).waiting;

    // holds: demand.counts
    it('knows no queue that nothing created, and each of several in their order', async () => {
      await addEach(harness.queues, queue, {});
      const queries = [uniqueQueue(), queue, uniqueQueue()].map((each) => ({ queue: each }));
      const found = await harness.demand.facts(queries);
      expect(found.map((each) => each?.waiting)).to.deep.equal([undefined, 1, undefined]);
      expect(await harness.demand.facts([])).to.deep.equal([]);
      const empty = uniqueQueue();
      await harness.queueControl.pause(empty);
      expect(await harness.demand.facts([{ queue: empty }])).to.have.nested.property(
        '[0].active',
        0,
      );
    });

    // holds: demand.counts
    it('counts jobs that wait, are due and run, and none that are not due', async () => {
      const { queues, attempts } = harness;
      await addEach(queues, queue, {}, {}, { priority: 3 }, { delay: HOUR });
      expect(await demand()).to.include({ demand: 3, waiting: 3, due: 0, active: 0 });
      await addEach(queues, queue, { delay: 20 }, { delay: 25 });
      await harness.advance(50);
      expect(await demand()).to.include({ demand: 5, waiting: 3, due: 2, active: 0 });
      const [first] = await takeAll(attempts, queue);
      expect(await demand()).to.include({ demand: 5, waiting: 0, due: 0, active: 5, oldest: 0 });
      await attempts.settle(queue, first!, COMPLETED);
      expect(await demand()).to.include({ demand: 4, active: 4 });
    });

    // holds: demand.steady
    it('falls only as jobs end', async () => {
      const { queues, attempts } = harness;
      await queues.add(
        queue,
        Array.from({ length: 100 }, () => jobOf()),
      );
      for (let ended = 0; ended < 5; ended += 1) {
        expect(await demand()).to.include({ demand: 100 - ended });
        const attempt = await take(attempts, queue);
        expect(await demand()).to.include({ demand: 100 - ended, active: 1 });
        await attempts.settle(queue, attempt, COMPLETED);
      }
    });

    // holds: demand.oldest
    it('tells for how long the oldest job could have started, its delay apart', async () => {
      const { queues, attempts } = harness;
      await addEach(queues, queue, {}, { delay: 3000 });
      await harness.advance(5000);
      await addEach(queues, queue, { priority: 5 }, {});
      expect((await demand()).oldest).to.be.within(5000, 8000);
      await take(attempts, queue);
      // The one that fell due is taken before the others.
      expect((await demand()).oldest).to.be.within(5000, 8000);
      await take(attempts, queue);
      expect((await demand()).oldest).to.be.below(3000);
    });

    // holds: demand.rule
    it('counts none but running jobs of a paused queue, of a held one and behind an open breaker', async () => {
      const { queues, attempts, queueControl } = harness;
      await addEach(queues, queue, {}, {}, {});
      await take(attempts, queue);
      const only = { demand: 1, waiting: 0, due: 0, active: 1, oldest: 0 };
      await queueControl.pause(queue);
      expect(await demand()).to.deep.equal(only);
      await queueControl.resume(queue);
      await queueControl.hold(queue, HOUR);
      expect(await demand()).to.deep.equal(only);
      await queueControl.endHold(queue);
      expect(await demand()).to.include({ demand: 3 });
      const attempt = await take(attempts, queue, { ...ANY, hasBreaker: true });
      const verdict = {
        failures: 1,
        openFor: HOUR,
        maxOpenFor: HOUR,
        isDown: true,
        reason: 'down',
      };
      await attempts.settle(queue, attempt, { kind: 'failed', reason: 'down', verdict });
      expect(await demand()).to.deep.equal(only);
      const withoutBreaker = { hasBreaker: false, window: undefined };
      expect(demandOf(await facts(), withoutBreaker)).to.include({ demand: 2, waiting: 1 });
      // A client that pulls takes the jobs all the same.
      await harness.advance(10);
      await harness.queueStandings.noteClaim(queue);
      expect(await demand()).to.include({ demand: 2, waiting: 1 });
    });

    describe('with groups', () => {
      // holds: demand.groups
      it('counts so many jobs of a group as may run at once, beside those that run', async () => {
        const { queues, attempts } = harness;
        await addLetters(queues, queue, 'aaaabb-');
        expect(await waiting()).to.equal(7);
        expect(await waiting({ concurrency: 2 })).to.equal(5);
        expect(await waiting(ONE)).to.equal(3);
        const attempt = await take(attempts, queue, within(ONE));
        expect(await demand(ONE)).to.include({ demand: 3, active: 1 });
        await take(attempts, queue, within(ONE));
        expect(await demand(ONE)).to.include({ demand: 3, active: 2 });
        await attempts.settle(queue, attempt, COMPLETED);
        expect(await demand(ONE)).to.include({ demand: 3, active: 1 });
        await addLetters(queues, queue, 'ccca');
        expect(await demand(ONE)).to.include({ demand: 4, active: 1 });
      });

      // holds: demand.groups
      it('never counts jobs of groups that are at a limit, whatever claims met before', async () => {
        const { queues, attempts } = harness;
        await addLetters(queues, queue, 'aaaaaaaaaa');
        for (let ended = 0; ended < 10; ended += 1) {
          expect(await demand(ONE)).to.include({ demand: 1, waiting: 1 });
          const attempt = await take(attempts, queue, within(ONE));
          expect(await starts(attempts, queue, within(ONE))).to.equal('');
          expect(await demand(ONE)).to.include({ demand: 1, active: 1 });
          await attempts.settle(queue, attempt, COMPLETED);
        }
        expect(await demand(ONE)).to.include({ demand: 0 });
      });

      // holds: demand.groups
      it('counts none of a paused group until it is resumed', async () => {
        const { queues, groups } = harness;
        await addLetters(queues, queue, 'aaab');
        await groups.pause(queue, 'a');
        expect(await waiting()).to.equal(1);
        await addLetters(queues, queue, 'aabb');
        expect(await waiting()).to.equal(3);
        await groups.resume(queue, 'a');
        expect(await waiting()).to.equal(8);
      });

      // holds: demand.groups
      it('counts none of a held group until its hold ends, by itself or by hand', async () => {
        const { queues, groups } = harness;
        await addLetters(queues, queue, 'aaabb');
        await groups.hold(queue, 'a', 60_000);
        await groups.hold(queue, 'b', HOUR);
        expect(await waiting()).to.equal(0);
        await harness.advance(61_000);
        expect(await waiting()).to.equal(3);
        await groups.endHold(queue, 'b');
        expect(await waiting()).to.equal(5);
      });

      // holds: demand.groups
      it('counts so many jobs of a group as its rate allows, until the window is over', async () => {
        const { queues, attempts } = harness;
        const limiter = { max: 2, duration: 60_000 };
        await addLetters(queues, queue, 'aaaaab');
        expect(await waiting({ limiter })).to.equal(3);
        await take(attempts, queue, within({ limiter }));
        await take(attempts, queue, within({ limiter }));
        expect(await demand({ limiter })).to.include({ demand: 3, waiting: 1, active: 2 });
        await take(attempts, queue, within({ limiter }));
        expect(await demand({ limiter })).to.include({ demand: 3, waiting: 0, active: 3 });
        await harness.advance(limiterWindow(limiter) + 1000);
        expect(await demand({ limiter })).to.include({ demand: 5, waiting: 2, active: 3 });
      });

      // holds: demand.groups
      it('counts one job of an ordered group, and none behind a job that failed or is retried later', async () => {
        const { queues, attempts, jobControl } = harness;
        const ordered: GroupDefaults = { ordered: 'block' };
        const [first = ''] = await addLetters(queues, queue, 'aaabbb');
        expect(await waiting(ordered)).to.equal(2);
        const attempt = await take(attempts, queue, within(ordered));
        expect(await demand(ordered)).to.include({ demand: 2, active: 1 });
        await attempts.settle(queue, attempt, FAILED);
        expect(await demand(ordered)).to.include({ demand: 1, active: 0 });
        const other = await take(attempts, queue, within(ordered));
        await attempts.settle(queue, other, retryAfter(60_000));
        expect(await demand(ordered)).to.include({ demand: 0, waiting: 0, due: 0 });
        await harness.advance(61_000);
        expect(await demand(ordered)).to.include({ demand: 1 });
        await jobControl.retry(queue, first, {});
        expect(await demand(ordered)).to.include({ demand: 2 });
      });

      // holds: demand.groups
      it('goes by settings of a group until they expire, and by new defaults at once', async () => {
        const { queues, groups, advance } = harness;
        await addLetters(queues, queue, 'aaaaabbbbb');
        expect(await waiting(ONE)).to.equal(2);
        // Settings end by the clock of the store, which the end of a hold shows.
        const expires = (await groups.hold(queue, 'c', 1)) + 60_000;
        await groups.saveSettings(queue, 'a', { concurrency: 3, expires });
        expect(await waiting(ONE)).to.equal(4);
        expect(await waiting({ concurrency: 2 })).to.equal(5);
        expect(await waiting({ limiter: { max: 4, duration: HOUR } })).to.equal(7);
        await advance(61_000);
        expect(await waiting(ONE)).to.equal(2);
        await groups.saveSettings(queue, 'b', { concurrency: 4 });
        expect(await waiting()).to.equal(9);
        await groups.removeSettings(queue, 'b');
        expect(await waiting()).to.equal(10);
      });

      // holds: demand.groups
      it('counts due jobs of a group behind those that wait', async () => {
        const { queues, attempts, groups } = harness;
        await addEach(
          queues,
          queue,
          inGroup('a'),
          inGroup('b', { delay: 20 }),
          inGroup('a', { delay: 20 }),
        );
        await addEach(queues, queue, inGroup('c', { delay: 20 }), { delay: 20 });
        await harness.advance(50);
        expect(await demand()).to.include({ demand: 5, waiting: 1, due: 4 });
        await groups.pause(queue, 'c');
        expect(await demand(ONE)).to.include({ demand: 3, waiting: 1, due: 2 });
        await takeAll(attempts, queue, within(ONE));
        expect(await demand(ONE)).to.include({ demand: 3, waiting: 0, due: 0, active: 3 });
      });

      // holds: demand.oldest
      it('takes the age of a job that may start, not of one behind a limit', async () => {
        const { queues, groups } = harness;
        await addLetters(queues, queue, 'a');
        await harness.advance(60_000);
        await addLetters(queues, queue, 'b');
        expect((await demand()).oldest).to.be.at.least(60_000);
        await groups.pause(queue, 'a');
        expect((await demand()).oldest).to.be.below(30_000);
      });

      // holds: demand.groups
      it('follows jobs that stall, are cancelled, removed, promoted and drained', async () => {
        const { queues, attempts, jobControl, queueControl } = harness;
        await addLetters(queues, queue, 'aaa');
        expect(await demand(ONE)).to.include({ demand: 1 });
        await take(attempts, queue, { ...SHORTLY, groups: ONE });
        expect(await demand(ONE)).to.include({ demand: 1, active: 1 });
        await harness.advance(SOON);
        await findStalled(harness, queue);
        expect(await demand(ONE)).to.include({ demand: 1, active: 0 });
        const pulled = await take(attempts, queue, { ...within(ONE), isPulled: true });
        await jobControl.cancel(queue, pulled.job.id, { reason: 'over', keep: {} });
        expect(await demand(ONE)).to.include({ demand: 1, active: 0 });
        const [other = ''] = await addLetters(queues, queue, 'b');
        expect(await demand(ONE)).to.include({ demand: 2 });
        await jobControl.remove(queue, other);
        expect(await demand(ONE)).to.include({ demand: 1 });
        const [delayed = ''] = await addEach(queues, queue, inGroup('b', { delay: HOUR }));
        await jobControl.promote(queue, delayed);
        expect(await demand(ONE)).to.include({ demand: 2 });
        await queueControl.drain(queue, { delayed: true });
        expect(await demand(ONE)).to.include({ demand: 0 });
      });

      // holds: demand.groups
      it('counts the call of a cancelled job that still runs against its group, until it ends', async () => {
        const { queues, attempts, jobControl } = harness;
        await addLetters(queues, queue, 'aa');
        const attempt = await take(attempts, queue, within(ONE));
        await jobControl.cancel(queue, attempt.job.id, { reason: 'over', keep: {} });
        expect(await demand(ONE)).to.include({ demand: 0 });
        await attempts.endCall(queue, attempt);
        expect(await demand(ONE)).to.include({ demand: 1 });
      });

      // holds: demand.groups
      it('knows many groups from the first look on, and after many more jobs at once', async () => {
        const many = Array.from({ length: 3000 }, (_, index) => jobOf(inGroup(`g${index % 1500}`)));
        await harness.queues.add(queue, many);
        expect(await waiting(ONE)).to.equal(1500);
        await harness.queues.add(queue, many);
        expect(await waiting(ONE)).to.equal(1500);
        expect(await waiting({ concurrency: 3 })).to.equal(4500);
      });

      // holds: demand.kept
      it('keeps what examining all groups anew finds, after whatever happened', async () => {
        const { queues, attempts, groups, jobControl } = harness;
        const random = seededRandom(20_261_128);
        const pick = (most: number): number => Math.floor(random() * most);
        const defaults: GroupDefaults = { concurrency: 2 };
        const running: Awaited<ReturnType<typeof take>>[] = [];
        const letter = (): string => 'abcde'.charAt(pick(5));
        const steps: readonly (() => Promise<unknown>)[] = [
          () => addLetters(queues, queue, letter() + letter() + letter()),
          async () => running.push(...(await takeSome())),
          async () => {
            const attempt = running.splice(pick(running.length), 1)[0];
            if (attempt === undefined) return;
            const endings = [COMPLETED, FAILED, retryAfter(0), retryAfter(HOUR)];
            await attempts.settle(queue, attempt, endings[pick(4)]!);
          },
          () => groups.pause(queue, letter()),
          () => groups.resume(queue, letter()),
          () => groups.hold(queue, letter(), HOUR),
          () => groups.endHold(queue, letter()),
          () => groups.saveSettings(queue, letter(), { concurrency: 1 + pick(4) }),
          () => groups.removeSettings(queue, letter()),
          async () => {
            const [id = ''] = await addLetters(queues, queue, letter());
            if (pick(2) === 0) await jobControl.remove(queue, id);
          },
        ];
        const takeSome = async () => {
          const found = [];
          for (let left = pick(4); left > 0; left -= 1) {
            const claim = await attempts.claim(queue, {
              ...within(defaults),
              token: `token-${random()}`,
            });
            if (claim.kind === 'attempt') found.push(claim.attempt);
          }
          return found;
        };
        await addLetters(queues, queue, 'abcde');
        for (let done = 0; done < 150; done += 1) {
          await steps[pick(steps.length)]!();
          const kept = await facts(defaults);
          // Other settings have all groups examined again.
          await facts({ concurrency: 1000 });
          const anew = await facts(defaults);
          const of = ({ waitingBehindLimits, dueBehindLimits, waiting: all }: DemandFacts) =>
            [waitingBehindLimits, dueBehindLimits, all].join(' ');
          expect(of(kept), `after step ${done}`).to.equal(of(anew));
        }
      });
    });
  });
}
