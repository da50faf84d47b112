/** A text as one word of a shell, whatever it holds: ids and keys are texts of clients. */
export function quotedWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The same, without quotes where none are needed. */
export function shellWord(text: string): string {
  return /^[\w@%+:,./][\w@%+=:,./-]*$/.test(text) ? text : quotedWord(text);
}
