import { setTimeout as sleep } from 'node:timers/promises';
import type { Replicas } from './replicas.ts';

/** After which a call without an answer is given up and made to another replica, in milliseconds. */
const PATIENCE = 1500;

/** Pause after a call that came to nothing, in milliseconds. */
const PAUSE = 50;

/** A job that somebody holds by the token of its attempt. */
export interface HeldJob {
  readonly id: string;
  readonly token: string;
}

/**
 * Completes a job as a client does that wants to be sure: through one replica after the other, until it is answered.
 *
 * @returns whether the token still held the job.
 */
export async function completeJob(
  replicas: Replicas,
  queue: string,
  { id, token }: HeldJob,
): Promise<boolean> {
  for (;;) {
    const status = await fetch(`${replicas.next.url}/queues/${queue}/jobs/${id}/complete`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: '{}',
      signal: AbortSignal.timeout(PATIENCE),
    }).then(
      (answer) => answer.status,
      () => undefined,
    );
    if (status === 200) return true;
    if (status === 401) return false;
    // Nobody answered, or the store is away.
    await sleep(PAUSE);
  }
}
