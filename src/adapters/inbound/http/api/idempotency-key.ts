import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import { invalidRequest } from '../../../../domain/errors.ts';
import type { JsonSchema } from '../../../../domain/values/shape.ts';
import { bodyDigest } from '../messages/body-digest.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import type { ReplyHeaders } from '../../exchange/whole-reply.ts';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

const REPLAYED: ReplyHeaders = { 'Idempotent-Replayed': 'true' };

/** The headers of the answer to an add. @param isRepeated whether an earlier request with its key made the add. */
export function replayedHeaders(isRepeated: boolean): ReplyHeaders {
  return isRepeated ? REPLAYED : {};
}

const MAX_LENGTH = 255;

/** The header in the documentation. */
export const idempotencyKeySchema: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_LENGTH,
  pattern: '^[ -~]*$',
  examples: ['5f3c9a1e-order-17'],
};

const PRINTABLE = new RegExp(`^[ -~]{1,${MAX_LENGTH}}$`);

/** A string of RFC 8941, as the draft of this header writes a key. */
const STRUCTURED = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * The key without the quotes and escapes of a structured string, so that it is the same key in both forms.
 *
 * @throws DomainError `invalid-request` unless the header is absent or valid.
 */
export function idempotencyKeyOf(request: IncomingMessage): string | undefined {
  if (request.headers['idempotency-key'] === undefined) return undefined;
  const [value = '', ...others] = request.headersDistinct['idempotency-key'] ?? [];
  if (others.length > 0)
    throw invalidRequest(`${IDEMPOTENCY_KEY} must be given once`, IDEMPOTENCY_KEY);
  const key = value.startsWith('"') ? contentOf(value) : value;
  if (PRINTABLE.test(key)) return key;
  throw invalidRequest(
    `${IDEMPOTENCY_KEY} must be of 1 to ${MAX_LENGTH} printable ASCII characters`,
    IDEMPOTENCY_KEY,
  );
}

/** @throws DomainError `invalid-request`. */
function contentOf(value: string): string {
  const [, content] = STRUCTURED.exec(value) ?? [];
  if (content !== undefined) return content.replace(/\\(.)/g, '$1');
  throw invalidRequest(
    `${IDEMPOTENCY_KEY} that begins with a quote must be a structured string, such as "order-17"`,
    IDEMPOTENCY_KEY,
  );
}

/**
 * The identity of a request: its key is valid within one space of keys and for one path.
 */
export async function addIdentity(
  key: string,
  keySpace: string,
  path: string,
  parameters: Readonly<Record<string, string>>,
  body: Buffer,
  turns: EventLoopTurns,
): Promise<AddIdentity> {
  return {
    key: digest(JSON.stringify([keySpace, path, parameters, key])),
    body: await bodyDigest(body, turns),
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
