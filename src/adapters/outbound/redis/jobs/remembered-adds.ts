import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import type { NewJob } from '../../../../domain/jobs/job.ts';
import type { PolicyDefaults } from '../../../../domain/policies/policy.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { claimAdd, recallAdd, type Existing, type Recalled } from '../scripts/adds.ts';
import type { AddAnswer, AddRun } from './add-run.ts';

/*
 * An add of a key is remembered by the run that stores its jobs, so that neither is ever without the other. The
 * record of an add begins with its time and a colon; what follows is JSON: the digest of its body, the number of
 * its first job, the jobs that existed, and the defaults that its jobs were made with, as text. All others have
 * the numbers that follow, or ids of their own. The claim of an add that stores its jobs in several runs has no
 * time: it only spares others the work.
 *
 * A list of the queue holds the times and keys, oldest first, each as often as its record takes pieces.
 */

/** The identity of an add, and the other fields of its record. */
export interface RecordedIdentity extends AddIdentity {
  /** The defaults that its jobs were made with, as JSON; of a flow, its origin. */
  readonly defaults: string;
  /** The attempt that must hold its job: the prefix of the keys of its queue, its job and its token. */
  readonly holder?:
    { readonly prefix: string; readonly id: string; readonly token: string } | undefined;
}

/** The add that has the key; undefined when the key was free, and this add has claimed it. */
export function claimed(
  store: StoreCommands,
  keys: QueueKeys,
  { key, body }: AddIdentity,
): Promise<Recalled | undefined> {
  return store.call(claimAdd, { record: `${keys.idempotency}-${key}` }, { body });
}

/** The add that has the key; undefined when the key is free. */
export function recalled(
  store: StoreCommands,
  keys: QueueKeys,
  { key, body }: AddIdentity,
): Promise<Recalled | undefined> {
  return store.call(recallAdd, { record: `${keys.idempotency}-${key}` }, { body });
}

/** Records of a version before policies have none. */
export function defaultsOf(recorded = '{}'): PolicyDefaults {
  return JSON.parse(recorded) as PolicyDefaults;
}

/**
 * What an add did, or according to its record: it found the jobs that existed, and all others have the numbers from
 * `first` on.
 *
 * @param bytes of each of the jobs that existed, where they are known.
 */
export function recalledRun(
  jobs: readonly NewJob[],
  timestamp: number,
  first: string,
  existing: readonly Existing[],
  bytes: readonly number[] = [],
): AddRun {
  const answers = jobs.map(({ opts }, index): AddAnswer => {
    return opts.jobId ?? String(Number(first) + index);
  });
  for (const [index, [position, id, isDeduplicated]] of existing.entries()) {
    answers[position] = [id, isDeduplicated, bytes[index]];
  }
  return { answers, timestamp };
}
