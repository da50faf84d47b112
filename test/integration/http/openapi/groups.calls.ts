import type { OpenApiCall } from './openapi-call.ts';

const group = '/queues/mail/groups/acme';

/** Groups of jobs. */
export const groupCalls: readonly OpenApiCall[] = [
  { operationId: 'saveGroup', path: group, status: 200, body: { concurrency: 2, weight: 3 } },
  { operationId: 'saveGroup', path: group, status: 400, body: { weight: 101 } },
  { operationId: 'readGroup', path: group, status: 200 },
  { operationId: 'readGroup', path: '/queues/mail/groups/none', status: 404 },
  { operationId: 'listGroups', path: '/queues/mail/groups?sort=waiting&id=ac*', status: 200 },
  { operationId: 'listGroups', path: '/queues/mail/groups?state=odd', status: 400 },
  { operationId: 'pauseGroup', path: `${group}/pause`, status: 200 },
  { operationId: 'pauseGroup', path: '/queues/a/groups/acme/pause', status: 400 },
  { operationId: 'resumeGroup', path: `${group}/resume`, status: 200 },
  { operationId: 'resumeGroup', path: '/queues/a/groups/acme/resume', status: 400 },
  { operationId: 'holdGroup', path: `${group}/hold`, status: 200, body: { for: 1000 } },
  { operationId: 'holdGroup', path: `${group}/hold`, status: 400, body: { for: 0 } },
  { operationId: 'endHoldOfGroup', path: `${group}/hold`, status: 200 },
  { operationId: 'endHoldOfGroup', path: '/queues/a/groups/acme/hold', status: 400 },
  { operationId: 'removeGroup', path: group, status: 200 },
  { operationId: 'removeGroup', path: group, status: 404 },
];
