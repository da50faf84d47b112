import { invalidRequest } from '../../../domain/errors.ts';
import { MAX_DEPTH, MAX_VALUES } from '../../shared/json-limits.ts';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  endOfString,
  isDigit,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './json-bytes.ts';

/** The most unfit numbers that are collected: no more mistakes than this are reported. */
const MAX_UNFIT = 10;

/** The largest integer below which a double holds every other. */
const LARGEST_INTEGER = Buffer.from(String(2 ** 53));

const LOSES_DIGITS = 'is an integer that would lose digits, send it as a string';
const TOO_LARGE = 'is a number too large to be kept';

/** The shortest length of an unfit number: `1e309`. */
const SHORTEST = 5;

/** A number with fewer digits and an exponent of at most two digits is well within the range of a double. */
const MANY_DIGITS = 200;

/** What the bytes of a JSON text show before they are parsed. */
export interface JsonInspection {
  /** Values of all kinds, arrays and objects included. */
  readonly values: number;
  /** The first numbers that a double cannot hold. */
  readonly unfit: readonly UnfitNumber[];
}

export interface UnfitNumber {
  /** The index of its first digit. */
  readonly at: number;
  /** What it is, for the client. */
  readonly problem: string;
}

/**
 * Scans the bytes once, without recursion, and stops as soon as a limit is exceeded. The result is meaningful only for
 * valid JSON; invalid text is within the limits up to its fault.
 *
 * @throws DomainError `invalid-request` when the text is nested too deep or holds too many values.
 */
export function inspectJson(bytes: Buffer): JsonInspection {
  const unfit: UnfitNumber[] = [];
  let depth = 0;
  let values = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      index = endOfString(bytes, index);
      values += 1;
    } else if (isDigit(byte)) {
      const end = endOfNumber(bytes, index);
      const problem = unfitness(bytes, index, end);
      if (problem !== undefined && unfit.length < MAX_UNFIT) unfit.push({ at: index, problem });
      index = end - 1;
      values += 1;
    } else if (byte === COLON) {
      // The string before it was a name.
      values -= 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) throw tooDeep();
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
    } else if (beginsWord(byte)) {
      values += 1;
    }
    // One of them may be a name whose colon is still to come.
    if (values > MAX_VALUES + 1) throw tooMany();
  }
  if (values > MAX_VALUES) throw tooMany();
  return { values, unfit };
}

/** None of these three first letters recurs within `true`, `false` or `null`. */
function beginsWord(byte: number | undefined): boolean {
  return byte === 0x74 || byte === 0x66 || byte === 0x6e;
}

function tooDeep(): Error {
  return invalidRequest(`The request body is nested deeper than ${MAX_DEPTH} levels`);
}

function tooMany(): Error {
  return invalidRequest(`The request body holds more than ${MAX_VALUES} values`);
}

/** The index after the number whose first digit is at `start`. */
function endOfNumber(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (isNumeric(bytes[index])) index += 1;
  return index;
}

/** Digits, `.`, `e`, `E`, and the signs of an exponent. */
function isNumeric(byte: number | undefined): boolean {
  return isDigit(byte) || byte === 0x2e || isExponent(byte) || byte === 0x2b || byte === 0x2d;
}

function isExponent(byte: number | undefined): boolean {
  return byte === 0x65 || byte === 0x45;
}

/**
 * Why a double cannot hold the number; undefined if it can. An integer must keep every digit; a fraction is rounded to
 * a double, as everyone expects.
 *
 * @param start the index of its first digit.
 * @param end the index after it.
 */
function unfitness(bytes: Buffer, start: number, end: number): string | undefined {
  if (end - start < SHORTEST) return undefined;
  let index = start;
  while (index < end && isDigit(bytes[index])) index += 1;
  if (index === end) return losesDigits(bytes, start, end) ? LOSES_DIGITS : undefined;
  while (index < end && !isExponent(bytes[index])) index += 1;
  if (end - start < MANY_DIGITS && end - index <= 'e99'.length) return undefined;
  return Number.isFinite(Number(bytes.toString('latin1', start, end))) ? undefined : TOO_LARGE;
}

function losesDigits(bytes: Buffer, start: number, end: number): boolean {
  const { length } = LARGEST_INTEGER;
  if (end - start !== length) return end - start > length;
  return bytes.compare(LARGEST_INTEGER, 0, length, start, end) > 0;
}
