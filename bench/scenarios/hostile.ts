import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import type { BenchOptions } from '../bench-options.ts';
import type { Attack } from '../hostile/attack.ts';
import { ATTACKS } from '../hostile/attacks.ts';
import { Caller } from '../hostile/caller.ts';
import { Neighbours } from '../hostile/neighbours.ts';
import { local } from '../load.ts';
import { before, figures, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const MEGABYTE = 1024 * 1024;

/** In megabytes: what a small container leaves to the heap. */
const HEAP = 512;

/** What other clients and the machine saw of an attack. */
interface Damage {
  /** Milliseconds that three ordinary clients waited for 99 of 100 answers at the most, and for any. */
  readonly p99: number;
  readonly longest: number;
  /** Their requests that failed. */
  readonly failures: number;
  /** 1 when the service ended by the attack. */
  readonly ended: number;
  /** Resident memory of the service at the peak of the attack, in megabytes above that at its start. */
  readonly service: number;
  /** Memory of Redis at the peak, in megabytes. */
  readonly store: number;
  /** The longest script of Redis, in milliseconds of its clock: on a busy machine it includes time without a processor. */
  readonly script: number;
}

/** What single clients can take away from the others: their time, and the memory of all. */
export async function benchHostile(
  rounds: number,
  { before: checkout, only = '' }: BenchOptions,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const attacks = ATTACKS.filter(({ name }) => name.includes(only));
  if (attacks.length === 0) throw new Error(`There is no attack whose name has "${only}"`);
  for (const attack of attacks) {
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
  const row = (name: string, of: keyof Damage, unit: string, most?: number) => ({
    name: named(name),
    unit,
    most,
    values: damages.map((damage) => damage[of]),
  });
  return [
    row('p99 of what others wait', 'p99', 'ms', 250),
    row('their longest wait', 'longest', 'ms'),
    row('their requests that failed', 'failures', '', 0),
    row('the service ended', 'ended', '', 0),
    row('memory of the service above rest', 'service', 'MB', 300),
    row('peak memory of Redis', 'store', 'MB'),
    row('longest script of Redis', 'script', 'ms', 50),
  ];
}

/** A service and a store of its own for each attack: a peak is that of the process. */
async function suffer(
  { environment, prepare, body, run }: Attack,
  checkout?: string,
): Promise<Damage> {
  const server = await RedisServer.start();
  const service = await ServerProcess.service(
    {
      STORE_URI: server.uri,
      NODE_OPTIONS: `--max-old-space-size=${HEAP}`,
      ...environment,
    },
    checkout,
  );
  const caller = new Caller(local(service));
  const redis = new Redis(server.uri);
  try {
    const rest = service.memory;
    await prepare?.(caller);
    const sent = body?.() ?? '';
    await redis.config('RESETSTAT');
    await redis.config('SET', 'slowlog-log-slower-than', SLOW, 'slowlog-max-len', MOST_SLOW);
    await redis.slowlog('RESET');
    service.forgetPeak();
    const neighbours = await Neighbours.start(local(service));
    await run(caller, sent);
    const waits = await neighbours.end();
    const memory = await redis.info('memory');
    return {
      ...waits,
      ended: service.ended ? 1 : 0,
      service: service.ended ? NaN : (service.peakMemory - rest) / MEGABYTE,
      store: Number(/used_memory_peak:(\d+)/.exec(memory)?.[1]) / MEGABYTE,
      script: await longestScript(redis),
    };
  } finally {
    redis.disconnect();
    await service.stop();
    await server.stop();
  }
}

/** Commands of at least this many microseconds are looked at, and this many of them. */
const [SLOW, MOST_SLOW] = [5000, 10_000];

/** In milliseconds; 0 when all were short. */
async function longestScript(redis: Redis): Promise<number> {
  const slow = (await redis.slowlog('GET', MOST_SLOW)) as [number, number, number, string[]][];
  const scripts = slow.filter(([, , , [command = '']]) => /^eval/i.test(command));
  return Math.max(0, ...scripts.map(([, , micros]) => micros / 1000));
}
