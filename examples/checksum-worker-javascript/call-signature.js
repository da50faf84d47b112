import { createHmac, timingSafeEqual } from 'node:crypto';

/** How old a call may be, in seconds: an older one may be one that somebody recorded. */
const TOLERANCE = 300;

/** A call that is not signed with the secret, or was not just now. */
export class NotSigned extends Error {}

/**
 * Verifies a call as Standard Webhooks has it (https://www.standardwebhooks.com).
 *
 * @param body the bytes as they came.
 * @throws NotSigned
 */
export function verifyCall(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= TOLERANCE)) throw new NotSigned('The call is not signed, or is too old');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  const expected = Buffer.from(`v1,${digest.digest('base64')}`);
  // One for each secret: for a day after a rotation there are two.
  const signatures = (headers['webhook-signature'] ?? '').split(' ');
  if (!signatures.some((each) => isEqual(Buffer.from(each), expected))) {
    throw new NotSigned('The call is not signed with the secret');
  }
}

/** In a time that reveals nothing about where they differ. */
function isEqual(given, expected) {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
