const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];

/** Whether a valid JSON text nests lists and objects deeper than `levels`. Short texts cost nothing. */
export function isDeeperThan(levels: number, json: string): boolean {
  if (json.length <= 2 * levels) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) {
      at = closingQuote(json, at);
    } else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      depth += 1;
      if (depth > levels) return true;
    } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) {
      depth -= 1;
    }
  }
  return false;
}

function closingQuote(json: string, opening: number): number {
  let at = json.indexOf('"', opening + 1);
  while (isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at;
}

/** A character is escaped if an odd number of backslashes precedes it. */
function isEscaped(json: string, position: number): boolean {
  let before = position - 1;
  while (json.charCodeAt(before) === BACKSLASH) before -= 1;
  return (position - before) % 2 === 0;
}
