import { isUtf8 } from 'node:buffer';
import { invalidRequest } from '../../../../domain/errors.ts';
import type { Json } from '../../../../domain/values/json.ts';
import {
  inspectJson,
  type JsonInspection,
  type UnfitNumber,
} from '../../exchange/json-inspection.ts';
import { pathsOf } from './json-path.ts';
import { mistaken, type Mistake } from './mistakes.ts';

const BYTE_ORDER_MARK = '\ufeff';

/** @throws DomainError `invalid-request` when the bytes are not UTF-8. */
export function decodeText(bytes: Buffer): string {
  checkUtf8(bytes);
  return withoutMark(bytes.toString());
}

function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function checkUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw invalidRequest('The request body is not valid UTF-8');
}

/** A JSON value, and the mistakes of its numbers. */
export interface JsonBody {
  readonly value: Json;
  readonly mistakes: readonly Mistake[];
}

/** @throws DomainError `invalid-request` when the bytes are not UTF-8, or the text is too large. */
export function inspectBody(bytes: Buffer): JsonInspection {
  checkUtf8(bytes);
  return inspectJson(bytes);
}

/** @throws DomainError `invalid-request` when the text is not valid JSON, or is too large. */
export function readJson(bytes: Buffer, inspection = inspectBody(bytes)): JsonBody {
  const value = parse(withoutMark(bytes.toString()));
  return { value, mistakes: numberMistakes(bytes, inspection.unfit) };
}

/**
 * The value of a JSON text. A number that a double cannot hold is a mistake.
 *
 * @throws DomainError `invalid-request`.
 */
export function parseJson(bytes: Buffer): Json {
  const { value, mistakes } = readJson(bytes);
  // Names within a value of any shape are data of the client, which must not be logged.
  if (mistakes.length > 0) throw invalidRequest(mistaken(mistakes, value).message);
  return value;
}

/** @param bytes JSON text that is valid at least up to the last of the numbers. */
export function numberMistakes(bytes: Buffer, unfit: readonly UnfitNumber[]): readonly Mistake[] {
  if (unfit.length === 0) return [];
  const paths = pathsOf(
    bytes,
    unfit.map(({ at }) => at),
  );
  return unfit.map(({ problem }, index) => ({ path: paths[index] ?? [], problem }));
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw invalidRequest(`The request body is not valid JSON: ${fault(error)}`);
  }
}

/** The parser's own message, which quotes only the client's text, reduced to the place of the fault. */
function fault(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const [reason = ''] = message.split(/,? (?:\.\.\.)?"| is not valid JSON/, 1);
  return reason.replace(' in JSON', '') || 'it cannot be read';
}
