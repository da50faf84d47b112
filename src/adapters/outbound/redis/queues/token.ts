import { randomBytes } from 'node:crypto';

const TOKEN_BYTES = 24;
const TOKEN = /^[\w-]{32}$/;

/** 192 random bits. It is the value of the job's lock, so it dies with the lock. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** False for the lock tokens of native BullMQ workers, which can be guessed from one another. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}
