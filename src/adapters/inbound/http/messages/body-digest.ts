import { createHash } from 'node:crypto';
import type { EventLoopTurns } from './event-loop-turns.ts';
import { LONG_BODY } from './body-format.ts';

/** SHA-256 in base64url. A long body is hashed in several turns. */
export async function bodyDigest(body: Buffer, turns: EventLoopTurns): Promise<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < body.length; start += LONG_BODY) {
    if (start > 0) await turns.next();
    hash.update(body.subarray(start, start + LONG_BODY));
  }
  return hash.digest('base64url');
}
