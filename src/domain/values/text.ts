/** Neither control characters nor half of a surrogate pair can be written in a URL or read back from a log. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/;
const CONTROL_CHARACTERS = new RegExp(CONTROL_CHARACTER, 'g');

/** Whether people and programs can display the text: it is well formed and on one line. */
export function isPrintable(text: string): boolean {
  return text.isWellFormed() && !CONTROL_CHARACTER.test(text);
}

/**
 * Invisible characters, such as a byte order mark or a soft hyphen, and those that change the direction of the text
 * that follows, as a regular expression has them between brackets: texts that differ only in these look alike. The two
 * joiners are allowed, since scripts and emoji need them. Characters beyond U+FFFF stand for themselves, since each
 * language has another escape for them.
 */
export const INVISIBLE_CHARACTERS =
  '\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890-\\u0891\\u08e2\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e' +
  '\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}' +
  '\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}';
const INVISIBLE_CHARACTER = new RegExp(`[${INVISIBLE_CHARACTERS}]`, 'u');

/** Whether the text has no invisible characters that would make it look like another one. */
export function isUnmistakable(text: string): boolean {
  return !INVISIBLE_CHARACTER.test(text);
}

/** Counts characters as people do: a surrogate pair is one. */
export function hasLength(text: string, least: number, most: number): boolean {
  const { length: units } = text;
  if (units > 2 * most) return false;
  // Counting is rarely needed: a character is one or two units.
  if (units <= most && units >= 2 * least - 1) return true;
  const length = Array.from(text).length;
  return length >= least && length <= most;
}

/** The text on one line: what would begin another becomes a space. */
export function oneLine(text: string): string {
  return text
    .replace(CONTROL_CHARACTERS, ' ')
    .replace(/[\u2028\u2029]/g, ' ')
    .toWellFormed();
}

/** How much of a client's text a message repeats, in characters. */
const MAX_EXCERPT = 200;

/** A client's text as a message may quote it: of bounded length, and on one line. */
export function excerpt(text: string): string {
  const start = text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}...` : text;
  return isPrintable(start) ? start : start.toWellFormed().replace(CONTROL_CHARACTERS, '\ufffd');
}

/** Whether the text fits into this many bytes of UTF-8. */
export function fitsInBytes(text: string, bytes: number): boolean {
  // Each UTF-16 unit takes between one and three bytes.
  if (text.length * 3 <= bytes) return true;
  if (text.length > bytes) return false;
  let size = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) size += 1;
    else if (unit < 0x800 || isPairedSurrogate(text, index)) size += 2;
    else size += 3;
  }
  return size <= bytes;
}

// eslint-disable-next-line no-control-regex -- control characters are ASCII too
const BEYOND_ASCII = /[^\u0000-\u007f]/;

/** How many bytes of UTF-8 the text takes. */
export function sizeInBytes(text: string): number {
  let size = text.length;
  const first = text.search(BEYOND_ASCII);
  if (first === -1) return size;
  for (let index = first; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    size += unit < 0x800 || isPairedSurrogate(text, index) ? 1 : 2;
  }
  return size;
}

/** Each half of a pair counts for two of its four bytes; a lone half becomes a character of three bytes. */
function isPairedSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdfff) return false;
  const start = unit < 0xdc00 ? index : index - 1;
  return (text.codePointAt(start) ?? 0) > 0xffff;
}

/** Whether the text has a NUL, which PostgreSQL stores in no text. */
export function hasNul(text: string): boolean {
  return text.includes('\0');
}

/** A text that every store takes: U+FFFD is in the place of each NUL and of each half of a surrogate pair. */
export function storableText(text: string): string {
  return withoutNul(text).toWellFormed();
}

/** The text with U+FFFD in the place of each NUL. */
export function withoutNul(text: string): string {
  return hasNul(text) ? text.replaceAll('\0', '\ufffd') : text;
}

/** The first UTF-16 units of a text, as every store takes it. */
export function cutToLength(text: string, units: number): string {
  return storableText(start(text, units));
}

/** The text without white space around it. */
export function trimmed(text: string): string {
  const rest = text.trim();
  return rest.length === text.length ? text : copyOf(rest);
}

function start(text: string, units: number): string {
  return text.length <= units ? text : copyOf(text.slice(0, units));
}

/** A string of its own: V8 keeps the whole text in memory for a plain slice of it. */
function copyOf(slice: string): string {
  return ` ${slice}`.slice(1);
}

// eslint-disable-next-line no-control-regex -- all of ASCII, so that each unit is a byte
const ASCII = /^[\u0000-\u007f]*$/;

/** The first bytes of a text, cut at a character boundary, as every store takes it. */
export function cutToBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return storableText(text);
  const most = storableText(start(text, bytes));
  if (ASCII.test(most)) return most;
  let used = 0;
  let kept = '';
  for (const character of most) {
    used += utf8Length(character);
    if (used > bytes) break;
    kept += character;
  }
  return kept;
}

function utf8Length(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
