import type { IncomingMessage } from 'node:http';
import type { JsonSchema } from '../../../../domain/values/shape.ts';

export const PREFER = 'Prefer';

/** The longest wait for an answer, in seconds; a longer preference is cut to this. */
const LONGEST_WAIT = 60;

/** The header in the documentation. */
export const preferWaitSchema: JsonSchema = { type: 'string', examples: ['wait=30'] };

/** One preference of the header. A quoted value may hold anything, even if the quote is never closed. */
const PREFERENCE = /(?:[^,"]|"(?:[^"\\]|\\.?)*(?:"|$))+/g;

/** A preference for a wait; its parameters are ignored. */
const WAIT = /^\s*wait\s*=\s*(?:(\d+)|"(\d+)")\s*(?:;.*)?$/is;

/**
 * How many seconds the client prefers to wait for the outcome (RFC 7240), `LONGEST_WAIT` at most. Undefined without
 * such a preference: other preferences and invalid ones are ignored. Of several, the first counts.
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
