import type { BenchOptions } from '../bench-options.ts';
import type { Attack } from '../hostile/attack.ts';
import { storesNamed, type AttackedStore, type StoreCost } from '../hostile/attacked-stores.ts';
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
  readonly store: StoreCost;
}

/** What single clients can take away from the others, on each store: their time, and the memory of all. */
export async function benchHostile(
  rounds: number,
  { before: checkout, only = '', store: named }: BenchOptions,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const attacks = ATTACKS.filter(({ name }) => name.includes(only));
  if (attacks.length === 0) throw new Error(`There is no attack whose name has "${only}"`);
  for (const [name, start] of storesNamed(named)) {
    for (const attack of attacks) {
      console.log(`  ${name}: ${attack.name}`);
      const here: Damage[] = [];
      const earlier: Damage[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const damage = await sufferOn(start, attack);
        here.push(damage);
        // A run takes many minutes: whoever stops it keeps these.
        console.log(`    ${JSON.stringify(damage)}`);
        if (checkout !== undefined) earlier.push(await sufferOn(start, attack, checkout));
      }
      results.push(
        figures(`${name}: ${attack.name}`, [
          ...rows(here),
          ...(earlier.length > 0 ? rows(earlier, before) : []),
        ]),
      );
    }
  }
  return results;
}

function rows(damages: readonly Damage[], named = (name: string): string => name) {
  const row = (
    name: string,
    of: (damage: Damage) => number | undefined,
    unit: string,
    most?: number,
  ) => {
    const values = damages.map(of).filter((value) => value !== undefined);
    return values.length === 0 ? [] : [{ name: named(name), unit, most, values }];
  };
  return [
    ...row('p99 of what others wait', ({ p99 }) => p99, 'ms', 250),
    ...row('their longest wait', ({ longest }) => longest, 'ms', 1000),
    ...row('their requests that failed', ({ failures }) => failures, '', 0),
    ...row('the service ended', ({ ended }) => ended, '', 0),
    ...row('memory of the service above rest', ({ service }) => service, 'MB', 300),
    ...row('size of the store', ({ store: { size } }) => size && size / MEGABYTE, 'MB'),
    ...row('longest script of the store', ({ store: { script } }) => script, 'ms', 50),
  ];
}

/** What the service or the machine refuses to an attacker is a finding, not a failure of the bench. */
function endedEarly(part: string): (error: unknown) => void {
  return (error) => {
    console.log(`    ${part} ended early: ${String(error)}`);
  };
}

/** A service and a store of its own for each attack: a peak is that of the process. */
async function sufferOn(
  start: () => Promise<AttackedStore>,
  attack: Attack,
  checkout?: string,
): Promise<Damage> {
  const store = await start();
  try {
    return await suffer(store, attack, checkout);
  } finally {
    await store.end();
  }
}

async function suffer(
  store: AttackedStore,
  { environment, prepare, body, run }: Attack,
  checkout?: string,
): Promise<Damage> {
  const service = await ServerProcess.service(
    {
      ...store.environment,
      NODE_OPTIONS: `--max-old-space-size=${HEAP}`,
      ...environment,
    },
    checkout,
  );
  const caller = new Caller(local(service));
  try {
    const rest = service.memory;
    await prepare?.(caller).catch(endedEarly('the preparation'));
    const sent = body?.() ?? '';
    await store.forget();
    service.forgetPeak();
    const neighbours = await Neighbours.start(local(service));
    await run(caller, sent).catch(endedEarly('the attack'));
    const waits = await neighbours.end();
    return {
      ...waits,
      ended: service.ended ? 1 : 0,
      service: service.ended ? NaN : (service.peakMemory - rest) / MEGABYTE,
      store: await store.cost(),
    };
  } finally {
    await service.stop();
  }
}
