import { JsonText, type Json } from '../../../../domain/values/json.ts';

/** The length of a number, a boolean or null. */
const SHORT = 5;

/** About how many characters a value has as JSON text, at a fraction of the cost of writing it. */
export function roughLength(value: Json | JsonText): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return SHORT;
  if (value instanceof JsonText) return value.text.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + roughLength(each), 0);
  let length = 0;
  for (const [name, each] of Object.entries(value)) length += name.length + roughLength(each);
  return length;
}
