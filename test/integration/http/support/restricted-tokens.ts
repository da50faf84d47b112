import { createHash } from 'node:crypto';
import { Caller, type Access } from '../../../../src/domain/access/caller.ts';
import type { KnownTokens } from '../../../../src/adapters/inbound/http/api/authentication.ts';
import { TOKEN } from './http-service.ts';

/** Tokens with these rights, by their names, which are the tokens too; and TOKEN, which may do everything. */
export function restrictedTokens(accesses: Readonly<Record<string, Access>>): KnownTokens {
  const all = { ...accesses, [TOKEN]: { rights: ['admin'], queues: null } as const };
  const callers = new Map(
    Object.entries(all).map(([name, access]) => [
      createHash('sha256').update(name).digest('hex'),
      new Caller({ id: name, name, keySpace: name, expires: null, ...access }),
    ]),
  );
  return { isEmpty: false, find: (digest) => callers.get(digest) };
}
