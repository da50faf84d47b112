/** Most characters of a value, so that no job has a head that servers refuse: many take 8 kB, all in all. */
const MOST_CHARACTERS = 255;

/** Blanks at either end are no part of a value (RFC 9110, 5.5). */
const PLAIN = /^(?! )[\x20-\x24\x26-\x7e]*(?<! )$/;
const TO_ENCODE = /^ +| +$|[^\x20-\x24\x26-\x7e]+/g;

/**
 * Any text as the value of a header: what is no printable character of ASCII is percent-encoded as UTF-8, and
 * so are `%` and blanks at either end. So decodeURIComponent gives the text again, its first 255 characters.
 */
export function headerValue(text: string): string {
  const { length: units } = text;
  if (units <= MOST_CHARACTERS && PLAIN.test(text)) return text;
  return start(text).replace(TO_ENCODE, (part) => encodeURIComponent(part));
}

/** The first characters, a surrogate pair being one. */
function start(text: string): string {
  const characters = Array.from(text.slice(0, 2 * MOST_CHARACTERS).toWellFormed());
  return characters.slice(0, MOST_CHARACTERS).join('');
}
