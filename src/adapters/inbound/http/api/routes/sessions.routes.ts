import type { Sessions } from '../../../../../application/access/sessions.ts';
import { jsonContent, noContentReply, okContent } from '../../messages/operation.ts';
import { json, noContent, OK } from '../../messages/reply.ts';
import { digestOf } from '../authentication.ts';
import { route, type Route } from '../route.ts';
import { sessionsPageAnswer } from '../schemas/access-answers.ts';
import { sessionsPageQuery } from '../schemas/query-schemas.ts';
import { endedSessionCookie, sessionCookie } from '../session-cookie.ts';

/** Browsers that are signed in. */
export function sessionRoutes(sessions: Sessions): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/sessions',
      isConfidential: true,
      access: 'bearer-token',
      operationId: 'createSession',
      action: 'session.create',
      tag: 'Access',
      summary: 'Sign a browser in with the token of the request, by a cookie',
      description:
        'Scripts cannot read the cookie, and no other site can use it. The session ends with its ' +
        'token. A token has at most 100 sessions: a further one ends the oldest.',
      replies: { 204: noContentReply('The browser is signed in') },
      errors: ['forbidden'],
      handle: async ({ caller, token, peer }) => {
        const text = await sessions.open(caller, digestOf(token), peer.address);
        const headers = { 'Set-Cookie': sessionCookie(text, peer.isSecure()) };
        return { line: 'Signed in', reply: noContent(headers) };
      },
    }),
    route({
      method: 'GET',
      path: '/sessions',
      isConfidential: true,
      access: 'any-token',
      operationId: 'listSessions',
      tag: 'Access',
      summary: 'List the sessions that were opened with the token of the request',
      description: 'When each was opened, and from where.',
      replies: { 200: jsonContent(sessionsPageAnswer, 'The sessions, the latest first') },
      query: sessionsPageQuery,
      handle: async ({ caller, query }) => json(await sessions.list(caller, query)),
    }),
    route({
      method: 'DELETE',
      path: '/sessions',
      isConfidential: true,
      access: 'any-token',
      operationId: 'endSession',
      action: 'session.delete',
      tag: 'Access',
      summary: 'Sign out: end the session of the request',
      description: 'The cookie works nowhere any more, and its streams end.',
      replies: { 200: okContent('The session has ended') },
      errors: ['session-not-found'],
      handle: async ({ caller, peer }) => {
        await sessions.end(caller);
        const headers = { 'Set-Cookie': endedSessionCookie(peer.isSecure()) };
        return { line: 'Signed out', reply: { ...OK, headers } };
      },
    }),
    route({
      method: 'DELETE',
      path: '/sessions/:id',
      isConfidential: true,
      access: 'any-token',
      operationId: 'endOtherSession',
      action: 'session.delete',
      tag: 'Access',
      summary: 'End a session that was opened with the token of the request',
      description: 'For a browser that was left signed in.',
      replies: { 200: okContent('The session has ended') },
      errors: ['session-not-found'],
      handle: async ({ caller, parameters: { id } }) => {
        await sessions.end(caller, id);
        return { line: 'Session ended', fields: { session: id }, reply: OK };
      },
    }),
  ];
}
