import type { Page } from '../../domain/values/page.ts';
import type { Sessions } from '../access/sessions.ts';
import { operation } from './operation.ts';

/** Browsers that are signed in. */
export function sessionOperations(sessions: Sessions) {
  return {
    open: operation({
      id: 'createSession',
      access: 'bearer-token',
      action: 'session.create',
      perform: ({ sha256 }: { readonly sha256: string }, { caller, address }) =>
        sessions.open(caller, sha256, address),
      report: { line: 'Signed in' },
    }),
    list: operation({
      id: 'listSessions',
      access: 'any-token',
      perform: (page: Page, { caller }) => sessions.list(caller, page),
    }),
    end: operation({
      id: 'endSession',
      access: 'any-token',
      action: 'session.delete',
      perform: (_: unknown, { caller }) => sessions.end(caller),
      report: { line: 'Signed out' },
    }),
    endOther: operation({
      id: 'endOtherSession',
      access: 'any-token',
      action: 'session.delete',
      perform: ({ id }: { readonly id: string }, { caller }) => sessions.end(caller, id),
      report: { line: 'Session ended', fields: (_, { id }) => ({ session: id }) },
    }),
  };
}

export type SessionOperations = ReturnType<typeof sessionOperations>;
