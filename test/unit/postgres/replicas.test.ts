import { expect } from 'chai';
import fc from 'fast-check';
import { addOne, FAILED, take, uniqueQueue } from '../../contracts/queue-steps.ts';
import { play } from '../../differential/play.ts';
import { SCENES } from '../../differential/scenes.ts';
import { script, type Script } from '../../differential/script.ts';
import { alternatingHarness } from '../../support/alternating-harness.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';
import { replicasInMemory } from '../../support/postgres/replicas-in-memory.ts';

const BEGINNING = Date.UTC(2026, 0, 1);

const SEEDS = [1, 2];
const PLAYS_OF_A_SEED = 20;

/** A failing script is shortened for so long, in milliseconds. */
const SHRINKING = 60_000;

describe('two replicas on PostgreSQL, each of which takes the records that the other one writes', () => {
  async function playBoth(steps: Script): Promise<void> {
    const replicas = replicasInMemory('play', new FakeClock(BEGINNING));
    await play(steps, {
      memory: memoryQueueHarness('play', new FakeClock(BEGINNING)),
      replicas: await alternatingHarness(replicas),
    });
  }

  for (const [state, steps] of Object.entries(SCENES)) {
    // holds: store.postgres-replicas
    it(`show what one store shows in the scene of ${state}`, () => playBoth(steps));
  }

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

  for (const seed of SEEDS) {
    it(`answer and show what one store does after every step of the scripts of seed ${seed}`, () =>
      fc.assert(fc.asyncProperty(script, playBoth), {
        seed,
        numRuns: PLAYS_OF_A_SEED,
        interruptAfterTimeLimit: SHRINKING,
      })).timeout(2 * SHRINKING);
  }
});
