import { isUtf8 } from 'node:buffer';
import { invalidRequest } from '../../../domain/errors.ts';
import type { Json } from '../../../domain/json.ts';
import { excerpt } from '../../../domain/text.ts';
import { inspectJson } from './json-inspection.ts';

/** Deepest nesting that is accepted: code that walks a value may then recurse safely. */
export const MAX_DEPTH = 500;

const BYTE_ORDER_MARK = '\ufeff';

/** @throws DomainError `invalid-request` when the bytes are not UTF-8. */
export function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalidRequest('The request body is not valid UTF-8');
  const text = bytes.toString();
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/**
 * The value of a JSON text, every number in it finite.
 *
 * @throws DomainError `invalid-request`.
 */
export function parseJson(bytes: Buffer): Json {
  const text = decodeText(bytes);
  const { depth, mayOverflow } = inspectJson(bytes);
  const value = parse(text);
  if (depth > MAX_DEPTH) {
    throw invalidRequest(`The request body is nested deeper than ${MAX_DEPTH} levels`);
  }
  const path = mayOverflow ? infinitePath(value, '') : undefined;
  if (path !== undefined) {
    throw invalidRequest(`${excerpt(path) || 'The request body'} is a number too large to be kept`);
  }
  return value;
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw invalidRequest(`The request body is not valid JSON: ${fault(error)}`);
  }
}

/** The parser's own words, which quote nothing but the client's text, cut to where it went wrong. */
function fault(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const [words = ''] = message.split(/,? (?:\.\.\.)?"| is not valid JSON/, 1);
  return words.replace(' in JSON', '') || 'it cannot be read';
}

/** Where the first number is that JSON can write and a double cannot hold, such as `1e400`. */
function infinitePath(value: Json, path: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = infinitePath(member, memberPath(value, path, key));
    if (found !== undefined) return found;
  }
  return undefined;
}

function memberPath(parent: object, path: string, key: string): string {
  if (Array.isArray(parent)) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}
