/** The characters that a message must not have: those that XML has not. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/u;

/** The first character of a text that a message must not have, as a number of Unicode. */
export function firstForbidden(text: string): number | undefined {
  const [found] = FORBIDDEN.exec(text) ?? [];
  return found?.codePointAt(0);
}
