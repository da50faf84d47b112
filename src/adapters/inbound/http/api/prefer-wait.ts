import type { IncomingMessage } from 'node:http';
import type { JsonSchema } from '../../../../domain/shape.ts';

export const PREFER = 'Prefer';

/** Most seconds that an answer is waited for: who prefers more gets that. */
const LONGEST_WAIT = 60;

/** What the documentation tells of the header. */
export const preferWaitSchema: JsonSchema = { type: 'string', examples: ['wait=30'] };

/** One preference of the header. Its value may be quoted and hold anything then, also when the quote has no end. */
const PREFERENCE = /(?:[^,"]|"(?:[^"\\]|\\.?)*(?:"|$))+/g;

/** A preference for a wait; what its parameters say is left out of account. */
const WAIT = /^\s*wait\s*=\s*(?:(\d+)|"(\d+)")\s*(?:;.*)?$/is;

/**
 * How many seconds the client prefers to wait for the outcome (RFC 7240), `LONGEST_WAIT` at most. Undefined when it
 * does not say so: other preferences, and what is none, are ignored. Of several the first counts.
 */
export function preferredWait({ headers }: IncomingMessage): number | undefined {
  const { prefer } = headers;
  if (prefer === undefined) return undefined;
  for (const [preference] of [prefer].flat().join(',').matchAll(PREFERENCE)) {
    const wait = WAIT.exec(preference);
    if (wait !== null) return Math.min(Number(wait[1] ?? wait[2]), LONGEST_WAIT);
  }
  return undefined;
}
