import type { Attempt } from './attempt.ts';
import type { BatchOptions } from '../calls/batch-options.ts';

/**
 * How many characters of a token name the call: the jobs of one call have tokens that begin with the same. Behind them a
 * token has at least 128 random bits of its own. Stores count the calls that run by these beginnings, from the jobs
 * that run and nothing else (docs/adr/0029).
 */
export const BATCH_ID_LENGTH = 10;

/** The call that an attempt with this token belongs to. */
export function batchIdOf(token: string): string {
  return token.slice(0, BATCH_ID_LENGTH);
}

/** How many calls the tokens of running attempts belong to. */
export function callsOf(tokens: Iterable<string>): number {
  const calls = new Set<string>();
  for (const token of tokens) calls.add(batchIdOf(token));
  return calls.size;
}

/** What a job must have in common with those of a call to join it. */
export interface Kinship {
  /** The half of a call that failed to which the jobs belong; absent for jobs of no half. */
  readonly half?: string | undefined;
  /** Their group; absent for jobs without one. It counts where calls are by group. */
  readonly group?: string | undefined;
  /** Their name. It counts where calls are by name. */
  readonly name: string;
}

/** How a claim fills a call. */
export interface BatchClaim {
  readonly by: NonNullable<BatchOptions['by']>;
  /** What the jobs of the call have in common; absent while it has none. */
  readonly kin?: Kinship | undefined;
}

/** Whether a job may join a call. */
export function mayJoin({ by, kin }: BatchClaim, job: Kinship): boolean {
  if (kin === undefined) return true;
  if (kin.half !== job.half) return false;
  if (by === 'group') return kin.group === job.group;
  return by === 'queue' || kin.name === job.name;
}

export function kinshipOf({ job, half }: Attempt): Kinship {
  return { half, group: job.opts.group?.id, name: job.name };
}
