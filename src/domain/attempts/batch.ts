import type { Attempt } from './attempt.ts';
import type { BatchOptions } from '../calls/batch-options.ts';
import { destinationOf } from '../calls/destination.ts';

/**
 * How many characters of a token identify the call: the tokens of all jobs of one call share this prefix. At least 128
 * random bits of its own follow in each token. Stores count the running calls by these prefixes, from the active jobs
 * alone (docs/adr/0029).
 */
export const BATCH_ID_LENGTH = 10;

/** The call that an attempt with this token belongs to. */
export function batchIdOf(token: string): string {
  return token.slice(0, BATCH_ID_LENGTH);
}

/** How many distinct calls the tokens of running attempts belong to. */
export function callsOf(tokens: Iterable<string>): number {
  const calls = new Set<string>();
  for (const token of tokens) calls.add(batchIdOf(token));
  return calls.size;
}

/** What a job must have in common with the jobs of a call to join it. */
export interface Kinship {
  /** The half of a failed call that the jobs belong to; absent when the call was not split. */
  readonly half?: string | undefined;
  /** Their group; absent for jobs without one. It matters only when calls are made by group. */
  readonly group?: string | undefined;
  /** Their name. It matters only when calls are made by name. */
  readonly name: string;
  /** Whether the job has a destination of its own: no other may join its call. */
  readonly goesAlone?: boolean | undefined;
}

/** How a claim fills a call. */
export interface BatchClaim {
  readonly by: NonNullable<BatchOptions['by']>;
  /** What the jobs of the call have in common; absent while the call has no jobs. */
  readonly kin?: Kinship | undefined;
}

/** Whether a job may join a call. */
export function mayJoin({ by, kin }: BatchClaim, job: Kinship): boolean {
  if (kin === undefined) return true;
  if (kin.goesAlone === true || job.goesAlone === true || kin.half !== job.half) return false;
  if (by === 'group') return kin.group === job.group;
  return by === 'queue' || kin.name === job.name;
}

export function kinshipOf({ job, half }: Attempt): Kinship {
  const goesAlone = destinationOf(job.opts) !== undefined;
  return { half, group: job.opts.group?.id, name: job.name, goesAlone };
}
