/**
 * A copy of the object with other fields, which win over its own. What a job passes through uses it: Node.js adds new
 * fields to a copy by spreading at several times the cost.
 */
export function withFields<T extends object, Added extends object>(
  object: T,
  added: Added,
): Omit<T, keyof Added> & Added {
  return Object.assign({}, object, added);
}
