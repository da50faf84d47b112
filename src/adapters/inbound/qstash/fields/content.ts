import type { PushContent } from '../../../../domain/messages/push.ts';

/** A body as data from which the same bytes follow: their text where it is one that every store keeps. */
export function contentOf(body: Buffer): PushContent {
  const text = body.toString('utf8');
  const isText = !text.includes('\0') && Buffer.from(text).equals(body);
  return isText ? { data: text } : { data: body.toString('base64'), isBase64: true };
}
