import type { OpenApiCall } from './openapi-call.ts';

const token = { name: 'shop', rights: ['read', 'add'], queues: ['mail-*', '!mail-vip'] };

/** Tokens of the API; their ids are numbered. */
export const tokenCalls: readonly OpenApiCall[] = [
  { operationId: 'createToken', path: '/tokens', status: 201, body: token },
  { operationId: 'createToken', path: '/tokens', status: 400, body: { ...token, rights: [] } },
  { operationId: 'listTokens', path: '/tokens?length=10', status: 200 },
  { operationId: 'listTokens', path: '/tokens?length=-1', status: 400 },
  { operationId: 'readToken', path: '/tokens/token001', status: 200 },
  { operationId: 'readToken', path: '/tokens/none', status: 404 },
  { operationId: 'changeToken', path: '/tokens/token001', status: 200, body: { name: 'store' } },
  { operationId: 'changeToken', path: '/tokens/token001', status: 200 },
  { operationId: 'changeToken', path: '/tokens/token001', status: 400, body: { name: 1 } },
  { operationId: 'changeToken', path: '/tokens/environment:1', status: 409, body: {} },
  { operationId: 'rotateToken', path: '/tokens/token001/rotate', status: 200 },
  {
    operationId: 'rotateToken',
    path: '/tokens/token001/rotate',
    status: 400,
    body: { overlap: -1 },
  },
  { operationId: 'removeToken', path: '/tokens/token001', status: 200 },
  { operationId: 'removeToken', path: '/tokens/token001', status: 404 },
  { operationId: 'createSession', path: '/sessions', status: 204 },
  { operationId: 'listSessions', path: '/sessions?length=10', status: 200 },
  { operationId: 'listSessions', path: '/sessions?length=-1', status: 400 },
  { operationId: 'endSession', path: '/sessions', status: 404 },
  {
    operationId: 'endSession',
    path: '/sessions',
    status: 200,
    token: null,
    headers: {
      Cookie: 'jobgate-session=session1',
      'Jobgate-Dashboard': '1',
      'Sec-Fetch-Site': 'same-origin',
    },
  },
  { operationId: 'createSession', path: '/sessions', status: 204 },
  { operationId: 'endOtherSession', path: '/sessions/token003', status: 200 },
  { operationId: 'endOtherSession', path: '/sessions/none', status: 404 },
  { operationId: 'beginSignIn', path: '/sign-in?to=/dashboard', status: 303, token: null },
  { operationId: 'beginSignIn', path: '/sign-in?to=dashboard', status: 400, token: null },
  {
    ...{ operationId: 'finishSignIn', path: '/sign-in/callback?state=one&code=x', status: 303 },
    ...{ token: null, headers: { Cookie: 'jobgate-sign-in=try-1' } },
  },
  {
    ...{ operationId: 'signOut', path: '/sign-out', status: 200, token: null },
    headers: {
      Cookie: 'jobgate-session=session3',
      'Jobgate-Dashboard': '1',
      'Sec-Fetch-Site': 'same-origin',
    },
  },
  { operationId: 'signOut', path: '/sign-out', status: 404 },
  { operationId: 'rewrapSecrets', path: '/secrets/rewrap', status: 200 },
  { operationId: 'rewrapSecrets', path: '/secrets/rewrap', status: 400, body: { dryRun: 1 } },
  { operationId: 'backUpStore', path: '/store/backup', status: 200 },
  { operationId: 'readAudit', path: '/audit?action=token.*&length=10', status: 200 },
  { operationId: 'readAudit', path: '/audit?action=session.*&length=10', status: 200 },
  { operationId: 'readAudit', path: '/audit?length=201', status: 400 },
];
