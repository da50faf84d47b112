/**
 * The URL that a text contains, relative to another one if given; undefined if it is not a URL. `URL.canParse` is unreliable: in Node.js 20 it rejects
 * URLs with letters such as ü once it has been optimized, after some thousand calls.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** The text that a part of a URL stands for; undefined where its escapes are broken. */
export function decodedPart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
