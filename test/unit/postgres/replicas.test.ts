import { expect } from 'chai';
import type { LoggedChange } from '../../../src/adapters/outbound/postgres/log/log-entry.ts';
import fc from 'fast-check';
import {
  addOne,
  claimOf,
  COMPLETED,
  FAILED,
  HOUR,
  jobOf,
  listed,
  read,
  take,
  takenIds,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import type { QueueReplica } from '../../contracts/queue-harness.ts';
import { play } from '../../differential/play.ts';
import { SCENES } from '../../differential/scenes.ts';
import { script, type Script } from '../../differential/script.ts';
import { alternatingHarness } from '../../support/alternating-harness.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { insistentPorts } from '../../support/insistent-ports.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';
import { LogInMemory } from '../../support/postgres/log-in-memory.ts';
import { COMPARED, replicasInMemory } from '../../support/postgres/replicas-in-memory.ts';
import { rejection } from '../../support/rejection.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { rounds } from '../../support/lane.ts';

const BEGINNING = Date.UTC(2026, 0, 1);

const SEEDS = [1, 2];
const PLAYS_OF_A_SEED = rounds(20, 5);

/** Plays in which rounds are lost, each of which costs a pause. */
const LOSSES = { seed: 3, plays: 10, share: 0.1 };

/** A failing script is shortened for so long, in milliseconds. */
const SHRINKING = 60_000;

describe('two replicas on PostgreSQL, each of which takes the records that the other one writes', () => {
  async function playBoth(steps: Script, log = new LogInMemory()): Promise<void> {
    const one = replicasInMemory('play', new FakeClock(BEGINNING), undefined, log);
    const other = await one.replica();
    const ports = { ...one, ...insistentPorts(one, other) };
    const replica = (): Promise<QueueReplica> => Promise.resolve(insistentPorts(other, one));
    await play(steps, {
      memory: memoryQueueHarness('play', new FakeClock(BEGINNING)),
      replicas: await alternatingHarness({ ...ports, replica }),
    });
  }

  for (const [state, steps] of Object.entries(SCENES)) {
    // holds: store.postgres-replicas
    it(`show what one store shows in the scene of ${state}`, () => playBoth(steps));
  }

  // holds: steps.signal-repeated
  it('wake and remember a signal to some jobs in one round', async () => {
    const log = new LogInMemory();
    const one = replicasInMemory('test', new FakeClock(BEGINNING), undefined, log);
    const queue = uniqueQueue();
    await addOne(one.queues, queue);
    const nothing = { steps: [], sleeps: [], added: [], id: 'added', maxWaiting: new Map() };
    const request = { ...nothing, signals: [{ name: 'paid', key: 'paid' }] };
    const attempt = await take(one.attempts, queue);
    await one.attempts.settle(queue, attempt, { kind: 'suspended', request });
    const { length } = await log.after(0);
    const identity = { key: 'a', body: 'digest' };
    await one.jobSignals.send(queue, 'paid', '1', HOUR, identity);
    expect(await log.after(length)).to.have.lengthOf(1);
  });

  it('name the replica that handled an attempt, whichever is asked', async () => {
    const clock = new FakeClock(BEGINNING);
    const one = replicasInMemory('test', clock, ['host:1', 'host:2']);
    const other = await one.replica();
    const queue = uniqueQueue();
    const { id } = await addOne(one.queues, queue);
    const attempt = await take(one.attempts, queue);
    await other.attempts.settle(queue, attempt, { ...FAILED, call: { outcome: 'failed' } });
    await one.jobControl.retry(queue, id, {});
    await take(other.attempts, queue);
    await one.jobControl.cancel(queue, id, { reason: 'no longer needed' });
    for (const { queues } of [one, other]) {
      const { attempts } = (await queues.attempts(queue, id)) ?? {};
      expect(attempts?.map(({ replica }) => replica)).to.deep.equal(['host:2', 'host:2']);
    }
  });

  it('show a change to those who ask after it was sent, if it was not answered yet', async () => {
    const one = replicasInMemory('test', new FakeClock(BEGINNING));
    const queue = uniqueQueue();
    const adding = addOne(one.queues, queue);
    const { counts } = await one.queues.summary(queue);
    expect(counts.waiting).to.equal(1);
    await adding;
  });

  it('keep nothing of a queue that was removed and made again meanwhile', async () => {
    const clock = new FakeClock(BEGINNING);
    const one = replicasInMemory('test', clock);
    const other = await one.replica();
    const queue = uniqueQueue();
    await addOne(one.queues, queue, { jobId: 'a' });
    await other.queues.summary(queue);
    await addOne(one.queues, queue, { jobId: 'x' });
    await one.queueControl.remove(queue, true);
    await addOne(one.queues, queue, { jobId: 'x' });
    expect(await other.queues.summary(queue)).to.deep.equal(await one.queues.summary(queue));
    expect(await takenIds(other.attempts, queue)).to.deep.equal(['x']);
  });

  it('count no start of a queue that was removed, and each of one that was made since', async () => {
    const clock = new FakeClock(BEGINNING);
    const one = replicasInMemory('test', clock);
    const other = await one.replica();
    const queue = uniqueQueue();
    const limits = { concurrency: 1000, lockDuration: 1000, limiter: { max: 3, duration: 10 } };
    for (let start = 0; start < 9; start += 1) {
      await addOne(one.queues, queue);
      await take(one.attempts, queue, limits);
      await clock.advance(20);
    }
    await other.queues.summary(queue);
    await one.queueControl.remove(queue, true);
    for (let start = 0; start < 3; start += 1) {
      await addOne(one.queues, queue);
      await take(one.attempts, queue, limits);
    }
    await addOne(one.queues, queue);
    const { kind } = await other.attempts.claim(queue, claimOf(limits));
    expect(kind).to.equal('limited');
  });

  it('wake those who wait for the place of an attempt that another replica ends', async () => {
    const clock = new FakeClock(BEGINNING);
    const one = replicasInMemory('test', clock);
    const { queues, attempts } = await one.replica();
    const queue = uniqueQueue();
    const terms = { concurrency: 1, lockDuration: HOUR };
    for (const jobId of ['a', 'b']) await addOne(one.queues, queue, { jobId });
    const attempt = await take(one.attempts, queue, terms);
    expect((await attempts.claim(queue, claimOf(terms))).kind).to.equal('idle');
    const { signal } = new AbortController();
    // Uses up what earlier steps left to wake somebody.
    const used = attempts.waitForJobs(queue, clock.now() + 20, signal);
    await clock.advance(20);
    await used;
    const waiting = attempts.waitForJobs(queue, clock.now() + HOUR, signal);
    await one.attempts.settle(queue, attempt, COMPLETED);
    await queues.summary(queue);
    await waiting;
    expect((await take(attempts, queue, terms)).jobId).to.equal('b');
  });

  it('list each job in its place after a round that was lost, whatever others put there', async () => {
    const log = new LogInMemory();
    const one = replicasInMemory('test', new FakeClock(BEGINNING), ['host:1', 'host:2'], log);
    const other = await one.replica();
    const queue = uniqueQueue();
    for (const jobId of ['a', 'b']) await addOne(one.queues, queue, { jobId });
    const [a, b] = [await take(one.attempts, queue), await take(one.attempts, queue)];
    let lost = 1;
    log.loseWhen(() => lost-- > 0);
    const lostAnswer = await rejection(one.attempts.settle(queue, a, COMPLETED));
    expect(lostAnswer).to.include({ code: 'store-unavailable' });
    await other.attempts.settle(queue, b, COMPLETED);
    for (const { queues } of [one, other]) {
      expect(await listed(queues, queue, 'active')).to.deep.equal(['a']);
      expect(await listed(queues, queue, 'completed')).to.deep.equal(['b']);
    }
    await other.attempts.settle(queue, a, COMPLETED);
    for (const { queues } of [one, other]) {
      expect(await listed(queues, queue, 'completed')).to.have.members(['a', 'b']);
    }
  });

  it('write a job that starts over without a history alike, whichever ended it', async () => {
    const one = replicasInMemory('test', new FakeClock(BEGINNING));
    const other = await one.replica();
    const queue = uniqueQueue();
    const { id } = await addOne(one.queues, queue);
    await read(other.queues, queue, id);
    const nothing = { kind: 'completed', returnvalue: null } as const;
    await one.attempts.settle(queue, await take(one.attempts, queue), nothing);
    expect(await read(other.queues, queue, id)).to.include({ state: 'completed' });
    await one.jobControl.retry(queue, id, {});
    for (let times = 0; times < COMPARED; times += 1) await one.advance(1);
    expect(await read(other.queues, queue, id)).to.include({ state: 'waiting' });
  });

  // holds: adding.large, store.fair-steps
  it('take a large add in rounds of bounded size, others between them, and see it whole or not at all', async () => {
    const log = new LogInMemory();
    const one = replicasInMemory('test', new FakeClock(BEGINNING), undefined, log);
    const [queue, other] = [uniqueQueue(), uniqueQueue()];
    const many = Array.from({ length: 3500 }, () => jobOf({}));
    const adding = one.queues.add(queue, many);
    for (let others = 0; others < 12; others += 1) await addOne(one.queues, other);
    await adding;
    const rounds = (await log.after(0)).map(
      ({ changes }) => JSON.parse(changes) as readonly LoggedChange[],
    );
    const pieces = rounds.map((changes) => changes.filter(({ queue: name }) => name === queue));
    const payloads = pieces.map(
      (changes) => changes.filter(({ kind }) => kind === 'payload').length,
    );
    expect(payloads.filter((count) => count > 0)).to.deep.equal([1000, 1000, 1000, 500]);
    const isSmall = pieces.map(({ length }) => length === 0);
    for (let index = 1; index < isSmall.length; index += 1) {
      expect(isSmall[index - 1] || isSmall[index], `rounds ${index} and ${index + 1}`).to.equal(
        true,
      );
    }
    for (let known = 0; known <= rounds.length; known += 1) {
      const cut = new LogInMemory();
      for (const entry of (await log.after(0)).slice(0, known)) await cut.commit(undefined, entry);
      const opened = replicasInMemory('test', new FakeClock(BEGINNING), undefined, cut);
      const { counts } = await opened.queues.summary(queue);
      expect(counts.waiting).to.be.oneOf([0, many.length]);
    }
  });

  for (const seed of SEEDS) {
    it(`answer and show what one store does after every step of the scripts of seed ${seed}`, () =>
      fc.assert(
        fc.asyncProperty(script, (steps) => playBoth(steps)),
        {
          seed,
          numRuns: PLAYS_OF_A_SEED,
          interruptAfterTimeLimit: SHRINKING,
        },
      )).timeout(2 * SHRINKING);
  }

  it('answer and show the same when rounds are lost, and clients turn to the other one', () => {
    const random = seededRandom(LOSSES.seed);
    const playLosing = async (steps: Script): Promise<void> => {
      const log = new LogInMemory();
      // Never two in a row, so that the other replica can do what one could not.
      let wasLost = false;
      log.loseWhen(() => (wasLost = !wasLost && random() < LOSSES.share));
      await playBoth(steps, log);
    };
    return fc.assert(fc.asyncProperty(script, playLosing), {
      seed: LOSSES.seed,
      numRuns: LOSSES.plays,
      interruptAfterTimeLimit: SHRINKING,
    });
  }).timeout(2 * SHRINKING);
});
