import type { SessionOperations } from '../../../../../application/operations/session-operations.ts';
import { jsonContent, noContentReply, okContent } from '../../messages/operation.ts';
import { noContent, OK } from '../../messages/reply.ts';
import { digestOf } from '../../../../shared/token-holders.ts';
import { route, type Route } from '../route.ts';
import { sessionsPageAnswer } from '../schemas/access-answers.ts';
import { sessionsPageQuery } from '../schemas/query-schemas.ts';
import { endedSessionCookie, sessionCookie } from '../session-cookie.ts';

/** Browsers that are signed in. */
export function sessionRoutes(sessions: SessionOperations): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/sessions',
      isConfidential: true,
      operation: sessions.open,
      tag: 'Access',
      summary: 'Sign a browser in with the token of the request, by a cookie',
      description:
        'Scripts cannot read the cookie, and no other site can use it. The session ends with its ' +
        'token. A token has at most 100 sessions: a further one ends the oldest.',
      replies: { 204: noContentReply('The browser is signed in') },
      input: ({ token }) => ({ sha256: digestOf(token) }),
      reply: (text, { peer }) => noContent({ 'Set-Cookie': sessionCookie(text, peer.isSecure()) }),
      errors: ['forbidden'],
    }),
    route({
      method: 'GET',
      path: '/sessions',
      isConfidential: true,
      operation: sessions.list,
      tag: 'Access',
      summary: 'List the sessions that were opened with the token of the request',
      description: 'When each was opened, and from where.',
      replies: { 200: jsonContent(sessionsPageAnswer, 'The sessions, the latest first') },
      query: sessionsPageQuery,
    }),
    route({
      method: 'DELETE',
      path: '/sessions',
      isConfidential: true,
      operation: sessions.end,
      reply: (_, { peer }) => ({
        ...OK,
        headers: { 'Set-Cookie': endedSessionCookie(peer.isSecure()) },
      }),
      tag: 'Access',
      summary: 'Sign out: end the session of the request',
      description: 'The cookie works nowhere any more, and its streams end.',
      replies: { 200: okContent('The session has ended') },
      errors: ['session-not-found'],
    }),
    route({
      method: 'DELETE',
      path: '/sessions/:id',
      isConfidential: true,
      operation: sessions.endOther,
      tag: 'Access',
      summary: 'End a session that was opened with the token of the request',
      description: 'For a browser that was left signed in.',
      replies: { 200: okContent('The session has ended') },
      errors: ['session-not-found'],
    }),
  ];
}
