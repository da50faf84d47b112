import { JsonText, type Json } from '../../../../domain/values/json.ts';

/** The length of a number, a boolean or null. */
const SHORT = 5;

/** About how many characters a value has as JSON text, at a fraction of the cost of writing it. */
export function roughLength(value: Json | JsonText): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return SHORT;
  if (value instanceof JsonText) return value.text.length;
  let length = 0;
  if (Array.isArray(value)) {
    for (const each of value) length += roughLength(each);
    return length;
  }
  for (const name of Object.keys(value)) length += name.length + roughLength(value[name] ?? null);
  return length;
}
