import { isDigit } from './json-bytes.ts';

/** The largest integer below which a double holds every other. */
const LARGEST_INTEGER = Buffer.from(String(2 ** 53));

const LOSES_DIGITS = 'is an integer that would lose digits, send it as a string';
const TOO_LARGE = 'is a number too large to be kept';

/** The shortest length of an unfit number: `1e309`. */
const SHORTEST = 5;

/** A number with fewer digits and an exponent of at most two digits is well within the range of a double. */
const MANY_DIGITS = 200;

/** The index after the number whose first digit is at `start`. */
export function endOfNumber(bytes: Uint8Array, start: number): number {
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
export function unfitness(bytes: Buffer, start: number, end: number): string | undefined {
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
