import type { BenchOptions } from '../bench-options.ts';
import { storesNamed } from '../hostile/attacked-stores.ts';
import type { Result } from '../report.ts';
import { benchAsleep } from '../steps/asleep.ts';
import { benchCalls } from '../steps/calls.ts';
import { benchCost } from '../steps/cost.ts';
import { benchWake } from '../steps/wake.ts';

/** Jobs of several steps: what they cost, and what many of them do to other clients, on each store. */
export async function benchSteps(
  rounds: number,
  { only = '', store: named, jobs = 100_000 }: BenchOptions,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  if ('cost'.includes(only)) results.push(...(await benchCost(rounds)));
  for (const [store, start] of storesNamed(named)) {
    if ('calls'.includes(only)) results.push(...(await benchCalls(store, start, rounds)));
    if ('wake'.includes(only)) results.push(await benchWake(store, start, 1, jobs));
    if ('asleep'.includes(only)) results.push(await benchAsleep(store, start, jobs));
  }
  if (results.length === 0) throw new Error(`There is no part of steps whose name has "${only}"`);
  return results;
}
