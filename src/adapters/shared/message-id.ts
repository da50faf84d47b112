import { createHash } from 'node:crypto';
import type { MessageIdentity } from '../../application/ports/webhook-port.ts';

/**
 * The `webhook-id` of the calls for a job, and of a message: a digest, so that it has no dot, which separates the parts
 * that a signature covers, and nothing that a client chose.
 */
export function messageId({ queue, id, timestamp }: MessageIdentity): string {
  return messageIdOf([queue, id, timestamp]);
}

/** That of a call with several jobs. Such a call is made once: another attempt at its jobs is another call. */
export function batchMessageId(queue: string, batch: string): string {
  return messageIdOf(['batch', queue, batch]);
}

function messageIdOf(parts: readonly (string | number)[]): string {
  return `msg_${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;
}
