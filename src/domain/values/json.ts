/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a text; undefined when it is not JSON. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Deepest nesting of an answer that still counts as JSON, since later readers may recurse level by level. */
export const MAX_NESTING = 500;

/** Whether arrays and objects are nested more than `levels` deep; a scalar has no level. */
export function nestsDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const inner = Array.isArray(value) ? value : Object.values(value);
  return inner.some((each) => nestsDeeper(each, levels - 1));
}

/** The value with other texts in the places of its own, keys included. */
export function mapTexts(value: Json, other: (text: string) => string): Json {
  if (typeof value === 'string') return other(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, other));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [other(key), mapTexts(each, other)]),
  );
}

/**
 * A JSON value as text. Parsing or serializing a value with hundreds of thousands of parts takes seconds; code that
 * only passes the value on needs neither.
 */
export class JsonText {
  constructor(readonly text: string) {}

  /** Within another value it is serialized as the value itself, at the cost of parsing it. */
  toJSON(): Json {
    return JSON.parse(this.text) as Json;
  }
}

export function jsonText(value: Json | JsonText): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}
