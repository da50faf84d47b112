import fc from 'fast-check';
import { play } from '../../differential/play.ts';
import { SCENES } from '../../differential/scenes.ts';
import { script, type Script } from '../../differential/script.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';
import {
  earlierQueueHarness,
  reopenedQueueHarness,
  shrunkQueueHarness,
} from '../../support/reopened-queue-harness.ts';
import { rounds } from '../../support/lane.ts';

const BEGINNING = Date.UTC(2026, 0, 1);

const SEEDS = [1, 2];
const PLAYS_OF_A_SEED = rounds(20, 5);

/** A failing script is shortened for so long, in milliseconds. */
const SHRINKING = 60_000;

describe('queues of the embedded store, read again after every step or without what steps do not need', () => {
  function playAll(steps: Script): Promise<void> {
    return play(steps, {
      memory: memoryQueueHarness('play', new FakeClock(BEGINNING)),
      'read again': reopenedQueueHarness('play', new FakeClock(BEGINNING)),
      'of the release before': earlierQueueHarness('play', new FakeClock(BEGINNING)),
      'without values': shrunkQueueHarness('play', new FakeClock(BEGINNING)),
    });
  }

  for (const [state, steps] of Object.entries(SCENES)) {
    // holds: store.records
    it(`show the same in the scene of ${state}`, () => playAll(steps));
  }

  for (const seed of SEEDS) {
    it(`answer and show the same after every step of the scripts of seed ${seed}`, () =>
      fc.assert(fc.asyncProperty(script, playAll), {
        seed,
        numRuns: PLAYS_OF_A_SEED,
        interruptAfterTimeLimit: SHRINKING,
      })).timeout(2 * SHRINKING);
  }
});
