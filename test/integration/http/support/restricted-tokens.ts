import { createHash } from 'node:crypto';
import { Caller, type Access, type CallerFacts } from '../../../../src/domain/access/caller.ts';
import type { ConfiguredTokens } from '../../../../src/application/access/configured-tokens.ts';
import { TOKEN } from './http-service.ts';

/** Tokens with these rights, by names that are also the tokens; and TOKEN, which may do everything. */
export function restrictedTokens(
  accesses: Readonly<Record<string, Access & Pick<CallerFacts, 'limits'>>>,
): ConfiguredTokens {
  const named = { ...accesses, [TOKEN]: { rights: ['admin'], queues: null } as const };
  const callers = new Map(
    Object.entries(named).map(([name, access]) => [
      createHash('sha256').update(name).digest('hex'),
      new Caller({ id: name, name, keySpace: name, expires: null, ...access }),
    ]),
  );
  const all = [...callers.values()].map((caller) => ({ caller, source: 'environment' }) as const);
  return { isEmpty: false, find: (digest) => callers.get(digest), all };
}
