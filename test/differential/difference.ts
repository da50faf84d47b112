/** The first place where two values differ, as a path and what is there; undefined when they are alike. */
export function difference(one: unknown, other: unknown, path = ''): string | undefined {
  if (Object.is(one, other)) return undefined;
  if (!isComposite(one) || !isComposite(other)) {
    return `${path}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`;
  }
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) {
    return `${path}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`;
  }
  for (const name of names) {
    const found = difference(one[name], other[name], `${path}/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isComposite(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
