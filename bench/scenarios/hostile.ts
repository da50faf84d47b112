import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import type { BenchOptions } from '../bench-options.ts';
import { ATTACKS, type Attack } from '../hostile/attacks.ts';
import { Caller } from '../hostile/caller.ts';
import { Neighbour } from '../neighbour.ts';
import { local } from '../load.ts';
import { before, figures, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const MEGABYTE = 1024 * 1024;

interface Damage {
  /** Milliseconds that another client waited for an answer at the most. */
  readonly wait: number;
  /** Requests of another client that failed. */
  readonly failures: number;
  /** Megabytes at the peak. */
  readonly service: number;
  readonly store: number;
}

/** What single clients can take away from the others: their time, and the memory of all. */
export async function benchHostile(
  rounds: number,
  { before: checkout }: BenchOptions,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const attack of ATTACKS) {
    const here: Damage[] = [];
    const earlier: Damage[] = [];
    for (let round = 0; round < rounds; round += 1) {
      here.push(await suffer(attack));
      if (checkout !== undefined) earlier.push(await suffer(attack, checkout));
    }
    results.push(
      figures(attack.name, [...rows(here), ...(earlier.length > 0 ? rows(earlier, before) : [])]),
    );
  }
  return results;
}

function rows(damages: readonly Damage[], named = (name: string): string => name) {
  const row = (name: string, of: keyof Damage, unit: string) => ({
    name: named(name),
    unit,
    values: damages.map((damage) => damage[of]),
  });
  return [
    row('longest wait of another client', 'wait', 'ms'),
    row('its requests that failed', 'failures', ''),
    row('peak memory of the service', 'service', 'MB'),
    row('peak memory of Redis', 'store', 'MB'),
  ];
}

/** A service and a store of its own for each attack: a peak is that of the process. */
async function suffer({ prepare, body, run }: Attack, checkout?: string): Promise<Damage> {
  const server = await RedisServer.start();
  const service = await ServerProcess.service({ STORE_URI: server.uri }, checkout);
  const caller = new Caller(local(service));
  const redis = new Redis(server.uri);
  try {
    await prepare?.(caller);
    const sent = body?.() ?? '';
    await redis.config('RESETSTAT');
    const neighbour = new Neighbour(local(service));
    await run(caller, sent);
    await neighbour.end();
    const memory = await redis.info('memory');
    return {
      wait: neighbour.longestWait,
      failures: neighbour.failures,
      service: service.peakMemory / MEGABYTE,
      store: Number(/used_memory_peak:(\d+)/.exec(memory)?.[1]) / MEGABYTE,
    };
  } finally {
    redis.disconnect();
    await service.stop();
    await server.stop();
  }
}
