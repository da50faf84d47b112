/** What the bytes of a JSON text tell before anything is made of them. */
export interface JsonInspection {
  /** How deep arrays and objects are nested. */
  readonly depth: number;
  /** True when some number may be beyond the range of a double; false is certain. */
  readonly mayOverflow: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A number of this many digits comes near the largest double, about 1.8e308. */
const MANY_DIGITS = 300;

/** One pass over the bytes, without recursion. The result means something for valid JSON only. */
export function inspectJson(bytes: Uint8Array): JsonInspection {
  let open = 0;
  let depth = 0;
  let digits = 0;
  let mayOverflow = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === QUOTE) {
      index = endOfString(bytes, index);
      digits = 0;
    } else if (isDigit(byte)) {
      digits += 1;
      if (digits >= MANY_DIGITS) mayOverflow = true;
    } else {
      // An `e` right after a digit begins an exponent; those of `true` and `false` never do.
      if ((byte | 0x20) === 0x65 && digits > 0) mayOverflow = true;
      digits = 0;
      if (isOpening(byte)) {
        open += 1;
        if (open > depth) depth = open;
      } else if (isClosing(byte)) open -= 1;
    }
  }
  return { depth, mayOverflow };
}

/** The index of the quote that closes the string, or of the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== QUOTE) {
    index += bytes[index] === BACKSLASH ? 2 : 1;
  }
  return index;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isOpening(byte: number): boolean {
  return byte === 0x5b || byte === 0x7b;
}

function isClosing(byte: number): boolean {
  return byte === 0x5d || byte === 0x7d;
}
