import { expect } from 'chai';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  findStalled,
  listed,
  NO_JOBS,
  pick,
  retryAfter,
  SHORTLY,
  SOON,
  take,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';
import { MAX_SCHEDULERS, newScheduler } from '../../../src/domain/schedulers/scheduler.ts';
import { collected } from '../../support/collected.ts';
import { FlowSteps } from '../flows/flow-steps.ts';
import { addLetters, inGroup, letterOf, starts, turns } from './group-steps.ts';

export function describeFairTurns(harness: () => QueueHarness): void {
  describe('turns of groups', () => {
    let queue: QueueName;

    beforeEach(() => {
      queue = uniqueQueue();
    });

    it('gives each group its turn, first come first, whatever was added before', async () => {
      const { queues, attempts } = harness();
      await addLetters(queues, queue, 'aaaaabbbc');
      expect(await turns(attempts, queue)).to.equal('abcababaa');
      await addLetters(queues, queue, 'cab');
      expect(await turns(attempts, queue)).to.equal('cab');
    });

    it('has a group whose last waiting job started come after those that wait', async () => {
      const { queues, attempts } = harness();
      await addLetters(queues, queue, 'abb');
      expect(letterOf(await take(attempts, queue))).to.equal('a');
      expect(letterOf(await take(attempts, queue))).to.equal('b');
      await addLetters(queues, queue, 'a');
      expect(await starts(attempts, queue)).to.equal('ba');
    });

    it('has all jobs without a group take one turn', async () => {
      const { queues, attempts } = harness();
      await addLetters(queues, queue, '---aab');
      expect(await turns(attempts, queue)).to.equal('-ab-a-');
      await addEach(queues, queue, { priority: 2 }, {}, inGroup('a'), { delay: 1 }, inGroup('b'));
      await harness().advance(5);
      expect(await turns(attempts, queue))
        .to.have.length(5)
        .and.to.match(/^-ab/u);
    });

    it('counts a weight and a cost', async () => {
      const { queues, attempts, groups } = harness();
      await groups.saveSettings(queue, 'a', { weight: 2 });
      await addLetters(queues, queue, 'aaaaaabbb');
      expect(await turns(attempts, queue)).to.equal('ababaabaa');
      const other = uniqueQueue();
      await addEach(queues, other, inGroup('a', {}, 3), inGroup('a'));
      await addLetters(queues, other, 'bbbb');
      expect(await turns(attempts, other)).to.equal('abbbab');
    });

    it('lets an idle group save up no turns', async () => {
      const { queues, attempts } = harness();
      await addLetters(queues, queue, 'aaaaaa');
      for (let count = 0; count < 4; count += 1) {
        await attempts.settle(queue, await take(attempts, queue), COMPLETED);
      }
      await addLetters(queues, queue, 'bbb');
      expect(await turns(attempts, queue)).to.equal('babab');
    });

    it('keeps priority, last in first out and delay within the group', async () => {
      const { queues, attempts, advance } = harness();
      const ids = await addEach(
        queues,
        queue,
        inGroup('a', { priority: 9 }),
        inGroup('a', { priority: 2 }),
        inGroup('a', { priority: 2, lifo: true }),
        inGroup('a'),
        inGroup('a', { lifo: true }),
        inGroup('a', { delay: 20 }),
        inGroup('a', { delay: 10 }),
        inGroup('a', { delay: 10, priority: 2 }),
      );
      await advance(50);
      expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, 6, 5, 4, 3, 1, 2, 7, 0));
    });

    it('counts and lists waiting jobs of groups as waiting, behind those without a group', async () => {
      const { queues, jobControl, queueControl } = harness();
      const ids = await addEach(queues, queue, inGroup('a', { priority: 3 }), {}, inGroup('b'), {});
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, waiting: 4 });
      const shown = await listed(queues, queue, 'waiting');
      expect(shown.slice(0, 2)).to.deep.equal(pick(ids, 3, 1));
      expect(shown).to.have.members(ids);
      expect((await queues.find(queue, ids[0] ?? ''))?.state).to.equal('waiting');
      expect((await queues.find(queue, ids[2] ?? ''))?.opts.group).to.deep.equal({ id: 'b' });
      expect((await jobControl.remove(queue, ids[0] ?? '')).kind).to.equal('done');
      expect(await listed(queues, queue, 'waiting')).to.have.members(pick(ids, 1, 2, 3));
      expect(await queueControl.drain(queue, {})).to.equal(3);
      expect(await countsOf(queues, queue)).to.deep.equal(NO_JOBS);
    });

    it('shows the group in summaries', async () => {
      const { queues, jobParts } = harness();
      const ids = await addEach(queues, queue, inGroup('a'), {});
      const shown: (string | null)[] = [];
      for await (const some of jobParts.summaries(queue, ids)) {
        shown.push(...some.map(({ group }) => group));
      }
      expect(shown).to.deep.equal(['a', null]);
    });

    it('puts a released, a deferred and a stalled job at the head of its group', async () => {
      const { queues, attempts, advance, now } = harness();
      const ids = await addEach(queues, queue, inGroup('a'), inGroup('a'));
      await attempts.release(queue, await take(attempts, queue));
      const deferred = await take(attempts, queue);
      expect(deferred.job.id).to.equal(ids[0]);
      const call = { outcome: 'deferred' } as const;
      await attempts.settle(queue, deferred, {
        kind: 'deferred',
        reason: 'not now',
        scope: 'group',
        until: now(),
        call,
      });
      const stalled = await take(attempts, queue, SHORTLY);
      expect(stalled.job.id).to.equal(ids[0]);
      await advance(SOON);
      expect(await findStalled(harness(), queue)).to.deep.equal([ids[0]]);
      expect(await takenIds(attempts, queue)).to.deep.equal(ids);
    });

    // holds: groups.job
    it('puts a retried job ahead of those that were added since, although none waited meanwhile', async () => {
      const { queues, attempts } = harness();
      await addLetters(queues, queue, 'aa');
      const [, second] = [await take(attempts, queue), await take(attempts, queue)];
      const third = await addOne(queues, queue, inGroup('a'));
      await attempts.settle(queue, second, retryAfter(0));
      expect(await takenIds(attempts, queue)).to.deep.equal([second.job.id, third.id]);
    });

    // holds: groups.job
    it('loses no job of a group that had no turn to remember meanwhile', async () => {
      const { queues, attempts } = harness();
      await addLetters(queues, queue, 'abbb');
      const first = await take(attempts, queue);
      expect(await turns(attempts, queue)).to.equal('bbb');
      const second = await addOne(queues, queue, inGroup('a'));
      await attempts.settle(queue, first, retryAfter(0));
      expect(await takenIds(attempts, queue)).to.deep.equal([first.job.id, second.id]);
    });

    // holds: groups.turns
    it('counts the start of a delayed job that was the first with a group', async () => {
      const { queues, attempts, advance } = harness();
      await addEach(queues, queue, inGroup('a', { delay: 10 }, 4));
      await advance(20);
      const first = await take(attempts, queue);
      await addLetters(queues, queue, 'ab');
      expect(await turns(attempts, queue)).to.equal('ba');
      await attempts.settle(queue, first, COMPLETED);
    });

    // holds: groups.turns
    it('remembers the turns of all groups as the only job is tried again', async () => {
      const { queues, attempts } = harness();
      await addEach(queues, queue, inGroup('a', {}, 4));
      await attempts.settle(queue, await take(attempts, queue), retryAfter(0));
      await addLetters(queues, queue, 'b');
      expect(await turns(attempts, queue)).to.equal('ba');
    });

    it('takes a retried job in the turn of its group, and one that expired takes no turn', async () => {
      const { queues, attempts, advance } = harness();
      await addLetters(queues, queue, 'ab');
      await attempts.settle(queue, await take(attempts, queue), retryAfter(10));
      await addOne(queues, queue, inGroup('b', { ttl: 5 }));
      await addLetters(queues, queue, 'cb');
      await advance(30);
      expect(await turns(attempts, queue)).to.match(/^[bc]{2}(?:ab|ba)$/u);
    });

    it('has a job wait in its group at once that no producer adds', async () => {
      const { queues, attempts, groups, schedulers } = harness();
      const steps = new FlowSteps(harness());
      const deduplication = { id: 'one', keepLastIfActive: true };
      await addOne(queues, queue, inGroup('a', { deduplication }));
      const first = await take(attempts, queue);
      await addOne(queues, queue, inGroup('a', { deduplication }));
      await attempts.settle(queue, first, COMPLETED);
      await steps.added([{}], { queue, opts: inGroup('b') });
      await steps.complete();
      const job = { name: 'work', data: null, opts: inGroup('c') };
      const repeat = { pattern: '0 0 1 1 *', immediately: true };
      await schedulers.save(queue, 'c', newScheduler('c', { repeat, job }), MAX_SCHEDULERS);
      const listed = await collected(groups.list(queue, undefined));
      const waiting = listed.map(({ id, waiting: count }) => `${id}${count}`).sort();
      expect(waiting).to.deep.equal(['a1', 'b1', 'c1']);
    });

    it('has a parent with a priority wait behind the jobs of its group that have the same', async () => {
      const { queues, attempts, jobControl } = harness();
      const steps = new FlowSteps(harness());
      const { id } = await addOne(queues, queue, inGroup('a', { priority: 2 }));
      const flow = await steps.added([{}], { queue, opts: inGroup('a', { priority: 2 }) });
      const [parent, child] = flow;
      await jobControl.remove(steps.below, child?.id ?? '');
      expect(await takenIds(attempts, queue)).to.deep.equal([id, parent?.id]);
    });

    it('takes turns while several replicas start jobs', async () => {
      const { queues, attempts } = harness();
      const other = await harness().replica();
      await addLetters(queues, queue, 'aaabbbccc');
      let letters = '';
      for (let start = 0; start < 9; start += 1) {
        const engine = start % 2 === 0 ? attempts : other.attempts;
        letters += letterOf(await take(engine, queue));
      }
      expect(letters).to.equal('abcabcabc');
    });

    it('starts nothing of a paused queue, and takes up the turns again', async () => {
      const { queues, attempts, queueControl } = harness();
      await addLetters(queues, queue, 'aab');
      await queueControl.pause(queue);
      expect((await attempts.claim(queue, claimOf(ANY))).kind).to.equal('idle');
      await queueControl.resume(queue);
      expect(await starts(attempts, queue)).to.equal('aba');
    });

    it('leaves nothing of the groups of a removed queue', async () => {
      const { queues, attempts, groups, queueControl } = harness();
      await groups.saveSettings(queue, 'a', { weight: 5 });
      await groups.pause(queue, 'b');
      await addLetters(queues, queue, 'ab');
      expect(await queueControl.remove(queue, true)).to.include({ kind: 'removed' });
      expect(await collected(groups.list(queue, undefined))).to.deep.equal([]);
      await addLetters(queues, queue, 'ba');
      expect(await turns(attempts, queue)).to.equal('ba');
    });
  });
}
