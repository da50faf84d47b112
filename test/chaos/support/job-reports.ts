import { callInsistently } from './insistent-call.ts';
import type { Replicas } from './replicas.ts';

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
  const path = `/queues/${queue}/jobs/${id}/complete`;
  const { status } = await callInsistently(replicas, 'POST', path, {}, token);
  if (status !== 200 && status !== 401) throw new Error(`A report was answered with ${status}`);
  return status === 200;
}
