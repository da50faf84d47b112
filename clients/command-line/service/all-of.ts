import type { Invocation } from '../invocation.ts';

/** How many entries a page has at most. */
const PAGE = 1000;

/** The entries of all pages. @param field of an answer that has them. */
export async function allOf<Entry>(
  call: Invocation,
  path: string,
  field: string,
  length = PAGE,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (;;) {
    const query = { start: entries.length, length };
    const page = await call.request<Readonly<Record<string, unknown>>>('GET', path, { query });
    const found = page[field] as readonly Entry[];
    entries.push(...found);
    if (found.length < length) return entries;
  }
}
