import type { OpenApiCall } from './openapi-call.ts';

const change = {
  add: [{ kind: 'policy' }, { kind: 'scheduler', queue: 'sets', id: 'nightly' }],
  remove: [{ kind: 'hook', id: 'on-call' }],
};

/** Sets of settings. */
export const settingSetCalls: readonly OpenApiCall[] = [
  { operationId: 'changeSettingSet', path: '/setting-sets/billing', status: 200, body: change },
  { operationId: 'changeSettingSet', path: '/setting-sets/billing', status: 200 },
  {
    operationId: 'changeSettingSet',
    path: '/setting-sets/billing',
    status: 400,
    body: { add: [{ kind: 'token' }] },
  },
  { operationId: 'readSettingSet', path: '/setting-sets/billing', status: 200 },
  { operationId: 'readSettingSet', path: '/setting-sets/billing?length=1', status: 200 },
  { operationId: 'readSettingSet', path: '/setting-sets/none', status: 200 },
  { operationId: 'readSettingSet', path: '/setting-sets/billing?length=-1', status: 400 },
];
