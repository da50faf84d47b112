import type { IncomingMessage } from 'node:http';

/** The value of a cookie of a request. */
export function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const text = pair.trim();
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1);
  }
  return undefined;
}
