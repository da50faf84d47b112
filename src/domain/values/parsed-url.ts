/**
 * The URL that a text is; undefined for any other text. `URL.canParse` answers no such question: that of Node.js 20
 * denies URLs with letters such as ü once it is optimized, which is after some thousand calls.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
