import { isSlowLane } from '../support/lane.ts';

/** One store of each kind of rules: TypeScript, and Lua. */
const EVERYDAY: readonly string[] = ['memory', 'Redis Cluster'];

/**
 * Whether tests of volume are played on a store. Memory, embedded and PostgreSQL share the rules in TypeScript, and Redis
 * and its Cluster share the scripts, so that a bound of thousands of jobs and a random play hold on all of a kind or on
 * none of it. The everyday lane plays them on one of each kind, and the slow lane on all. Whatever a store does in its own
 * way (writing and restoring records, rounds, locks, keys and their slots) has tests of a few jobs, which all stores play
 * in both lanes, beside the tests of that store alone. Ports that have nothing of the kind are played in the slow lane on
 * an embedded folder and a server of PostgreSQL. A single Redis plays in the slow lane all that is done by keys alone: a
 * Cluster does the same, and refuses keys of other nodes.
 */
export function isVolumePlayedOn(store: string): boolean {
  return isSlowLane || EVERYDAY.includes(store);
}
