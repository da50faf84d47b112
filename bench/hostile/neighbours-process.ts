import { once } from 'node:events';
import type { Target } from '../load.ts';
import { Neighbour } from '../neighbour.ts';
import { percentile } from '../percentile.ts';

/** How long all of the clients waited for their answers, in milliseconds. */
export interface Waits {
  readonly p99: number;
  readonly longest: number;
  /** How many requests were not answered with 200. */
  readonly failures: number;
  /** How many of these were answered with 503, or not at all. */
  readonly unavailable: number;
}

const CLIENTS = 3;

const [target] = (await once(process, 'message')) as [Target];
const neighbours = Array.from({ length: CLIENTS }, () => new Neighbour(target));
process.send?.('started');
// An attacker that dies leaves no clients behind.
process.once('disconnect', () => process.exit());
await once(process, 'message');
await Promise.all(neighbours.map((neighbour) => neighbour.end()));
const waits = neighbours.flatMap((neighbour) => neighbour.waits);
const found: Waits = {
  p99: percentile(waits, 99),
  longest: percentile(waits, 100),
  failures: neighbours.reduce((sum, { failures }) => sum + failures, 0),
  unavailable: neighbours.reduce((sum, { unavailable }) => sum + unavailable, 0),
};
process.send?.(found);
process.disconnect();
