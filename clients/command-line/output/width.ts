/** Characters of scripts and pictographs that take two terminal columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const NONE = /[\p{M}\u200b-\u200d\ufdd0-\ufddf]/u;

/** How many terminal columns a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** The beginning of a text that is wider than this many columns, with an ellipsis. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let start = '';
  let width = 1;
  for (const character of text) {
    width += columnsOf(character);
    if (width > columns) break;
    start += character;
  }
  return `${start}…`;
}

/** Lines of at most this many columns, broken between words. */
export function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > columns) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

function columnsOf(character: string): number {
  if (character <= '~') return 1;
  if (NONE.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
