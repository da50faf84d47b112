const TOKEN = /^[\w-]{32}$/;

/** False for the lock tokens of native BullMQ workers, which can be guessed from one another. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}
