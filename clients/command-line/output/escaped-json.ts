/** JSON with every control character escaped, so that it is safe to print to a terminal. */
export function escapedJson(value: unknown, form: 'one line' | 'indented'): string {
  const text = JSON.stringify(value, undefined, form === 'indented' ? 2 : undefined);
  return text.replaceAll(
    /[\u007f-\u009f\ufdd0-\ufddf]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
