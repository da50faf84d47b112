import fc from 'fast-check';
import { SCENES } from './scenes.ts';
import { script } from './script.ts';
import { Stores } from './stores.ts';
import { rounds } from '../support/lane.ts';

/** Their scripts are the same in every run; `npm run test:play` draws new ones. */
const SEEDS = [1, 2, 3, 4];
const PLAYS_OF_A_SEED = rounds(25, 5);

/** Those of PostgreSQL take longest; test/unit/postgres plays its replicas without a server. */
const SEEDS_ON_POSTGRES = [1];

/** A failing script is shortened for so long, in milliseconds. */
const SHRINKING = 100_000;

describe('the stores, side by side', () => {
  let stores: Stores;

  before(async () => {
    stores = await Stores.open();
  });
  after(() => stores.close());

  for (const [state, steps] of Object.entries(SCENES)) {
    it(`show the same in the scene of ${state}`, () => stores.play(steps));
  }

  for (const seed of SEEDS) {
    it(`answer and show the same after every step of the scripts of seed ${seed}`, () =>
      check(seed)).timeout(2 * SHRINKING);
  }

  /** When it fails, the error says how to replay the shortened script. */
  async function check(seed: number): Promise<void> {
    const isOnPostgres = SEEDS_ON_POSTGRES.includes(seed);
    const plays = fc.asyncProperty(script, (steps) => stores.play(steps, isOnPostgres));
    await fc.assert(plays, { seed, numRuns: PLAYS_OF_A_SEED, interruptAfterTimeLimit: SHRINKING });
  }
});
