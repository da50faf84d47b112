import { Agent } from 'undici';
import { local, type Target } from './load.ts';
import { percentile } from './percentile.ts';
import { ServerProcess } from './server-process.ts';

/** How many replicas share the store. */
export const REPLICAS = 3;

/** Milliseconds, of each round. */
export interface TimesOfRounds {
  readonly p50: readonly number[];
  readonly p99: readonly number[];
}

/**
 * Measures how soon one replica answers after another was called, each replica in turn. The first round warms up and
 * does not count.
 *
 * @param samples how many of a round.
 * @param sample returns how long (ms) it took.
 */
export async function timesBetweenReplicas(
  environment: Readonly<Record<string, string>>,
  rounds: number,
  samples: number,
  sample: (waiting: Target, called: Target, agent: Agent) => Promise<number>,
): Promise<TimesOfRounds> {
  const replicas = await Promise.all(
    Array.from({ length: REPLICAS }, () => ServerProcess.service(environment)),
  );
  const targets = replicas.map(local);
  const agent = new Agent();
  const p50: number[] = [];
  const p99: number[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const times: number[] = [];
      for (let number = 0; number < samples; number += 1) {
        const [waiting, called] = [targets[number % REPLICAS], targets[(number + 1) % REPLICAS]];
        if (waiting === undefined || called === undefined) throw new Error('Too few replicas');
        times.push(await sample(waiting, called, agent));
      }
      if (round === 0) continue;
      p50.push(percentile(times, 50));
      p99.push(percentile(times, 99));
    }
  } finally {
    await agent.close();
    await Promise.all(replicas.map((each) => each.stop()));
  }
  return { p50, p99 };
}
