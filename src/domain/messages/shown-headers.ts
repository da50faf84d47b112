/** Headers as QStash shows them: names in their usual form, and lists of values. */
export type ShownHeaders = Readonly<Record<string, readonly string[]>>;

/** @param redacted what is shown in place of some of them, by their names in lower case. */
export function shownHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  redacted: Readonly<Record<string, string>> = {},
): ShownHeaders {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const shown = Object.hasOwn(redacted, name) ? redacted[name] : value;
    return [[usualName(name), [shown ?? ''].flat()] as const];
  });
  return Object.fromEntries(entries);
}

/** The name of a header with capital letters where they usually are. */
export function usualName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
