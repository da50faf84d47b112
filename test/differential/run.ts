import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { LuaCoverage } from './lua-coverage.ts';

// Before anything that loads an adapter.
const coverage = LuaCoverage.begin();
const { script } = await import('./script.ts');
const { SCENES } = await import('./scenes.ts');
const { Stores } = await import('./stores.ts');
const { postgresSession } = await import('../support/postgres/postgres-session.ts');

const PLAYS_OF_A_SEED = 50;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    path: { type: 'string' },
  },
});

const stores = await Stores.open();
for (const scene of Object.values(SCENES)) await stores.play(scene);
const end = performance.now() + Number(values.minutes) * 60_000;
let seed = Number(values.seed ?? Date.now() % 2 ** 31);
let plays = 0;
try {
  do {
    const { path } = values;
    const details = await fc.check(
      fc.asyncProperty(script, (steps) => stores.play(steps)),
      { seed, numRuns: PLAYS_OF_A_SEED, ...(path !== undefined && { path }) },
    );
    plays += details.numRuns;
    console.log(
      `Seed ${seed}: ${details.failed ? 'a difference' : 'no difference'}; ${plays} plays so far`,
    );
    if (details.failed) {
      const { seed: failed, counterexamplePath, errorInstance } = details;
      console.log(String(errorInstance));
      console.log(`Replay it with --seed ${failed} --path ${counterexamplePath ?? ''}`);
      process.exitCode = 1;
      break;
    }
    seed += 1;
  } while (values.seed === undefined && performance.now() < end);
} finally {
  console.log(await stores.report(coverage));
  await stores.close();
  await postgresSession.end();
}
