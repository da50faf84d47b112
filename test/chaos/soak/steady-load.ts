import { setTimeout as sleep } from 'node:timers/promises';
import type { Play } from '../support/play.ts';
import type { Replicas } from '../support/replicas.ts';

const TICK = 20;

/** Adds that may be under way at once; while there are as many, those that are due are left out. */
const MOST_UNDER_WAY = 2000;

/** Adds jobs one by one at a rate per second, as long as the signal lets it. */
export async function steadyLoad(
  { client }: Play,
  replicas: Replicas,
  rate: number,
  signal: AbortSignal,
): Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  const started = performance.now();
  let due = 0;
  while (!signal.aborted) {
    await sleep(TICK);
    const until = ((performance.now() - started) / 1000) * rate;
    for (; due < until; due += 1) {
      if (underWay.size >= MOST_UNDER_WAY) continue;
      const call: Promise<unknown> = client.add(replicas.next).then(() => underWay.delete(call));
      underWay.add(call);
    }
  }
  await Promise.all(underWay);
}
