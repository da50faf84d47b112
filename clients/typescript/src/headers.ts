/** Headers in the form of fetch, Node.js or a test. */
export type CallHeaders =
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The values of headers by lowercase name; repeated headers are joined as in HTTP. */
export type HeaderTexts = ReadonlyMap<string, string>;

export function headersOf(headers: CallHeaders): HeaderTexts {
  const texts = new Map<string, string>();
  for (const [name, value] of Symbol.iterator in headers ? headers : Object.entries(headers)) {
    const key = name.toLowerCase();
    const values = [texts.get(key) ?? [], value ?? []].flat();
    if (values.length > 0) texts.set(key, values.join(', '));
  }
  return texts;
}

/** The value of a header that consists of digits. */
export function wholeNumberOf(headers: HeaderTexts, name: string): number | undefined {
  const value = headers.get(name) ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** The value of a header in which `%` and non-ASCII characters are percent-encoded. */
export function textOf(headers: HeaderTexts, name: string): string {
  const value = headers.get(name) ?? '';
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
