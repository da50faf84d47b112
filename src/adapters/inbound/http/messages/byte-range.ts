import { bodyDigest } from './body-digest.ts';
import type { EventLoopTurns } from './event-loop-turns.ts';
import { HttpError } from '../../exchange/http-error.ts';
import type { WholeReply } from '../../exchange/whole-reply.ts';
import { JSON_TYPE } from './reply.ts';

/** One range of bytes: from a first byte to a last one or the end, or a number of bytes at the end. */
const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i;

/** The part of an answer that a client asks for, as the headers of its request have it. */
export interface RangeRequest {
  readonly range: string;
  /** The client wants the part only of the representation with this validator, and else the whole. */
  readonly ifRange: string | undefined;
}

/**
 * JSON text, or the part of it that the client asks for. Several ranges, and anything that is not a range of bytes, get
 * the whole (RFC 9110, section 14.2), and so does a part of other text than the client knows (section 13.1.5): only the
 * `ETag` of the same bytes matches.
 *
 * @throws HttpError `range-not-satisfiable` for a range beyond the end.
 */
export async function jsonInRange(
  body: Buffer,
  wanted: RangeRequest | undefined,
  turns: EventLoopTurns,
): Promise<WholeReply> {
  const ETag = `"${await bodyDigest(body, turns)}"`;
  const headers = { 'Accept-Ranges': 'bytes', ETag };
  const { range, ifRange = ETag } = wanted ?? {};
  const asked =
    range === undefined || ifRange !== ETag ? null : RANGE.exec(range.replaceAll(' ', ''));
  if (asked === null) return { status: 200, contentType: JSON_TYPE, body, headers };
  const [first, last] = limitsOf(asked, body.length);
  if (first > last) {
    // A range that ends before it begins is invalid, and the server may ignore it.
    if (first < body.length) return { status: 200, contentType: JSON_TYPE, body, headers };
    const end = { 'Content-Range': `bytes */${body.length}` };
    throw new HttpError('range-not-satisfiable', `There are ${body.length} bytes`, end);
  }
  return {
    status: 206,
    contentType: JSON_TYPE,
    body: body.subarray(first, last + 1),
    headers: { ...headers, 'Content-Range': `bytes ${first}-${last}/${body.length}` },
  };
}

function limitsOf(
  [, first = '', last = '', fromEnd]: RegExpExecArray,
  length: number,
): readonly [first: number, last: number] {
  if (fromEnd !== undefined) {
    return [Number(fromEnd) === 0 ? length : Math.max(0, length - Number(fromEnd)), length - 1];
  }
  return [Number(first), last === '' ? length - 1 : Math.min(Number(last), length - 1)];
}
