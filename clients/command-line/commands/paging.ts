import type { Options } from '../command.ts';

/** The options of a list. @param byDefault how many rows it shows. */
export const PAGE = (byDefault: number): Options => ({
  limit: { value: 'n', meaning: `maximum entries to list (${byDefault})` },
  skip: { value: 'n', meaning: 'entries to skip at the start (0)' },
});

/** A hint when the table does not show everything. */
export function restOf(shown: number, skipped: number, total: number, things: string): string {
  if (shown === 0 || shown + skipped >= total) return '';
  return `\n${skipped + 1} to ${skipped + shown} of ${total} ${things}: --skip ${skipped + shown} shows more`;
}
