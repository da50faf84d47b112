/**
 * The URL that a text contains; undefined if it is not a URL. `URL.canParse` is unreliable: in Node.js 20 it rejects
 * URLs with letters such as ü once it has been optimized, after some thousand calls.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
