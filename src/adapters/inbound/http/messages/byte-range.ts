import { HttpError } from './http-error.ts';
import { JSON_TYPE, type WholeReply } from './reply.ts';

/** One range of bytes: from a first byte to a last one or the end, or a number of bytes at the end. */
const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i;

/**
 * JSON text, or the part of it that a `Range` header asks for. Several ranges, and anything that is not a range of
 * bytes, get the whole (RFC 9110, section 14.2).
 *
 * @throws HttpError `range-not-satisfiable` for a range beyond the end.
 */
export function jsonInRange(body: Buffer, range: string | undefined): WholeReply {
  const headers = { 'Accept-Ranges': 'bytes' };
  const asked = range === undefined ? null : RANGE.exec(range.replaceAll(' ', ''));
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
