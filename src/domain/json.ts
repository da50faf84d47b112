/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object, as opposed to an array or a scalar. */
export type JsonObject = { [key: string]: Json };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether arrays and objects stand in one another more than `levels` deep; a scalar has no level. */
export function nestsDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const inner = Array.isArray(value) ? value : Object.values(value);
  return inner.some((each) => nestsDeeper(each, levels - 1));
}
