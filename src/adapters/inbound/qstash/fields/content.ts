import { isUtf8 } from 'node:buffer';
import type { PushContent } from '../../../../domain/messages/push.ts';

/** A body as data from which the same bytes follow: their text where it is one that every store keeps. */
export function contentOf(body: Buffer): PushContent {
  const isText = isUtf8(body) && !body.includes(0);
  return isText
    ? { data: body.toString('utf8') }
    : { data: body.toString('base64'), isBase64: true };
}
