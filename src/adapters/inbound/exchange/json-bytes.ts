/** Bytes that mean something in JSON text. */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** Bytes of a string that are looked at one by one before a search finds the next quote. */
const NEARBY = 64;

/** The index of the quote that closes the string, or an index beyond the text. It skips most of a long one. */
export function endOfString(bytes: Buffer, start: number): number {
  let index = start + 1;
  for (;;) {
    const far = Math.min(index + NEARBY, bytes.length);
    while (index < far && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
    if (index < far) return index;
    const quote = bytes.indexOf(QUOTE, index);
    if (quote === -1) return bytes.length;
    let escape = quote;
    while (escape > index && bytes[escape - 1] === BACKSLASH) escape -= 1;
    // An even number of backslashes before it are escaped themselves.
    if ((quote - escape) % 2 === 0) return quote;
    index = quote + 1;
  }
}
