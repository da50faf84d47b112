/** The most characters of a value, so that servers accept the head of every job: many accept 8 kB in all. */
const MOST_CHARACTERS = 255;

/** Blanks at either end are not part of a value (RFC 9110, 5.5). */
const PLAIN = /^(?! )[\x20-\x24\x26-\x7e]*(?<! )$/;
const TO_ENCODE = /^ +| +$|[^\x20-\x24\x26-\x7e]+/g;

/**
 * Any text as the value of a header: characters other than printable ASCII are percent-encoded as UTF-8, and so are `%`
 * and blanks at either end. decodeURIComponent restores the text, up to 255 characters of it.
 */
export function headerValue(text: string): string {
  const { length: units } = text;
  if (units <= MOST_CHARACTERS && PLAIN.test(text)) return text;
  return start(text).replace(TO_ENCODE, (part) => encodeURIComponent(part));
}

/** The first characters of a text, where a surrogate pair counts as one. */
function start(text: string): string {
  const characters = Array.from(text.slice(0, 2 * MOST_CHARACTERS).toWellFormed());
  return characters.slice(0, MOST_CHARACTERS).join('');
}
