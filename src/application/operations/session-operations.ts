import { longItemsLength } from '../../domain/values/page.ts';
import { object, required, integer, listOf } from '../../domain/values/shape.ts';
import { type Sessions, listedSessionShape } from '../access/sessions.ts';
import { given, place } from './input.ts';
import { operation } from './operation.ts';
import { pageOf } from './options.ts';
import { nothing, answers, done } from './out.ts';

/** Browsers that are signed in. */
export function sessionOperations(sessions: Sessions) {
  return {
    createSession: operation({
      access: 'bearer-token',
      action: 'session.create',
      summary: 'Sign a browser in with the token of the request, by a cookie',
      description:
        'Scripts cannot read the cookie, and no other site can use it. The session ends with its ' +
        'token. A token has at most 100 sessions: a further one ends the oldest.',
      in: { sha256: given<string>() },
      out: nothing('The browser is signed in'),
      errors: ['forbidden'],
      perform: ({ sha256 }, { caller, address }) => sessions.open(caller, sha256, address),
      report: { line: 'Signed in' },
    }),
    listSessions: operation({
      access: 'any-token',
      summary: 'List the sessions that were opened with the token of the request',
      description: 'When each was opened, and from where.',
      in: pageOf('sessions', 100, longItemsLength),
      out: answers(
        object('SessionsPage', {
          total: required(integer(0), 'The number of sessions on all pages together'),
          sessions: required(listOf(listedSessionShape), 'The sessions'),
        }),
        'The sessions, the latest first',
      ),
      perform: (page, { caller }) => sessions.list(caller, page),
    }),
    endSession: operation({
      access: 'any-token',
      action: 'session.delete',
      summary: 'Sign out: end the session of the request',
      description: 'The cookie works nowhere any more, and its streams end.',
      in: {},
      out: done('The session has ended'),
      errors: ['session-not-found'],
      perform: (_, { caller }) => sessions.end(caller),
      report: { line: 'Signed out' },
    }),
    endOtherSession: operation({
      access: 'any-token',
      action: 'session.delete',
      summary: 'End a session that was opened with the token of the request',
      description: 'For a browser that was left signed in.',
      in: { id: place() },
      out: done('The session has ended'),
      errors: ['session-not-found'],
      perform: ({ id }, { caller }) => sessions.end(caller, id),
      report: { line: 'Session ended', fields: (_, { id }) => ({ session: id }) },
    }),
  };
}
