import { expect } from 'chai';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { Stop } from '../../../src/domain/values/stop.ts';
import type { QueueHarness, QueueReplica } from '../queue-harness.ts';
import { addOne, HOUR, take, uniqueQueue } from '../queue-steps.ts';

const ADA: Stop = { by: 'ada', at: 1_700_000_000_000, reason: null };
const DEPLOY: Stop = { by: 'bob', at: 1_700_000_001_000, reason: 'Deploy "billing" – ünï' };
const LATER: Stop = { ...DEPLOY, at: 1_700_000_002_000 };

const EVERY = {
  repeat: { every: HOUR },
  job: { name: 'report', data: null, opts: { attempts: 0 } },
  overlap: 'allow',
  paused: false,
} as const;

/** Who stopped a queue, a group or a scheduler, when and why. */
export function describeStops(harness: () => QueueHarness): void {
  const glanceAt = async (queue: QueueName, { queueDirectory }: QueueReplica = harness()) => {
    const [glance] = await queueDirectory.glances([queue]);
    return glance!;
  };

  describe('who stopped something', () => {
    // holds: stops.kept
    it('is kept while a queue is paused, on all replicas', async () => {
      const other = await harness().replica();
      const { queueControl } = harness();
      const queue = uniqueQueue();
      await queueControl.pause(queue, ADA);
      expect((await glanceAt(queue, other)).pause).to.deep.equal(ADA);
      await other.queueControl.resume(queue);
      expect(await glanceAt(queue)).not.to.have.property('pause');
      await queueControl.pause(queue);
      expect(await glanceAt(queue))
        .to.include({ isPaused: true })
        .and.not.have.property('pause');
    });

    // holds: stops.first
    it('is who stopped it first, until another reason is given', async () => {
      const { queueControl } = harness();
      const queue = uniqueQueue();
      const pauseAfter = async (stop?: Stop) => {
        await queueControl.pause(queue, stop);
        return (await glanceAt(queue)).pause;
      };
      expect(await pauseAfter(ADA)).to.deep.equal(ADA);
      expect(await pauseAfter({ ...ADA, by: 'eve' })).to.deep.equal(ADA);
      expect(await pauseAfter(DEPLOY)).to.deep.equal(DEPLOY);
      expect(await pauseAfter(LATER)).to.deep.equal(DEPLOY);
      expect(await pauseAfter(ADA)).to.deep.equal(DEPLOY);
      expect(await pauseAfter()).to.deep.equal(DEPLOY);
      const other = { ...LATER, reason: 'Longer' };
      expect(await pauseAfter(other)).to.deep.equal(other);
    });

    // holds: stops.kept
    it('is gone with a queue that is removed', async () => {
      const { queues, queueControl } = harness();
      const queue = uniqueQueue();
      await queueControl.pause(queue, DEPLOY);
      await queueControl.hold(queue, HOUR, DEPLOY);
      await queueControl.remove(queue, false);
      await addOne(queues, queue);
      await queueControl.pause(queue);
      await queueControl.hold(queue, HOUR);
      const glance = await glanceAt(queue);
      expect(glance).not.to.have.property('pause');
      expect(glance.hold).not.to.have.property('stop');
    });

    // holds: stops.holds
    it('is who asked for the latest end of a hold, and nobody where the endpoint did', async () => {
      const { queues, queueControl, attempts, advance } = harness();
      const queue = uniqueQueue();
      await queueControl.hold(queue, 60_000, ADA);
      await queueControl.hold(queue, 1000, DEPLOY);
      expect((await glanceAt(queue)).hold?.stop).to.deep.equal(ADA);
      await queueControl.hold(queue, 120_000, DEPLOY);
      expect((await glanceAt(queue)).hold?.stop).to.deep.equal(DEPLOY);
      await queueControl.endHold(queue);
      expect(await glanceAt(queue)).not.to.have.property('hold');
      await queueControl.hold(queue, 1000, ADA);
      await advance(1000);
      await addOne(queues, queue);
      const attempt = await take(attempts, queue);
      await attempts.settle(queue, attempt, {
        kind: 'deferred',
        reason: 'later',
        scope: 'queue',
        until: harness().now() + HOUR,
        call: { outcome: 'deferred', status: 429 },
      });
      expect((await glanceAt(queue)).hold).to.include({ by: 'endpoint' });
      expect((await glanceAt(queue)).hold).not.to.have.property('stop');
    });

    // holds: stops.kept, stops.first, stops.holds
    it('is kept of a group that is paused or held', async () => {
      const { groups, queues, advance } = harness();
      const other = await harness().replica();
      const queue = uniqueQueue();
      await addOne(queues, queue, { group: { id: 'a' } });
      const find = async () => (await groups.find(queue, 'a', undefined))!;
      await other.groups.pause(queue, 'a', ADA);
      await other.groups.pause(queue, 'a', DEPLOY);
      await other.groups.pause(queue, 'a', LATER);
      await other.groups.hold(queue, 'a', 60_000, ADA);
      expect(await find()).to.deep.include({ pause: DEPLOY, hold: ADA });
      for await (const [listed] of groups.list(queue, undefined)) {
        expect(listed).to.deep.equal(await find());
      }
      await groups.hold(queue, 'a', 1000, DEPLOY);
      await groups.resume(queue, 'a');
      expect(await find())
        .to.deep.include({ hold: ADA })
        .and.not.have.property('pause');
      await advance(60_000);
      expect(await find()).not.to.have.property('hold');
      await groups.hold(queue, 'a', HOUR);
      expect(await find()).not.to.have.property('hold');
      await groups.hold(queue, 'a', 2 * HOUR, DEPLOY);
      await groups.endHold(queue, 'a');
      expect(await find())
        .to.include({ heldUntil: null })
        .and.not.have.property('hold');
    });

    // holds: stops.kept, stops.first
    it('is kept of a scheduler while it is paused', async () => {
      const { schedulers } = harness();
      const queue = uniqueQueue();
      const find = async () => (await schedulers.find(queue, 'report'))!;
      await schedulers.save(queue, 'report', EVERY, 10);
      await schedulers.pause(queue, 'report', ADA);
      expect(await find()).to.deep.include({ paused: true, pause: ADA });
      await schedulers.pause(queue, 'report', DEPLOY);
      await schedulers.pause(queue, 'report', LATER);
      expect(await find()).to.deep.include({ pause: DEPLOY });
      await schedulers.resume(queue, 'report');
      expect(await find()).not.to.have.property('pause');
      await schedulers.save(queue, 'report', { ...EVERY, paused: true, pause: ADA }, 10);
      expect(await find()).to.deep.include({ pause: ADA });
      await schedulers.save(queue, 'report', EVERY, 10);
      expect(await find()).not.to.have.property('pause');
    });
  });
}
