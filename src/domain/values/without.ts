/** A copy of the object without one of its fields. */
export function without<T extends object, Name extends keyof T>(
  object: T,
  name: Name,
): Omit<T, Name> {
  const entries = Object.entries(object).filter(([key]) => key !== name);
  return Object.fromEntries(entries) as Omit<T, Name>;
}
