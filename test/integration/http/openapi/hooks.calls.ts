import type { OpenApiCall } from './openapi-call.ts';

const hook = {
  url: 'http://127.0.0.1:1/hooks',
  headers: { Authorization: 'Bearer secret' },
  events: ['queue.*', 'job.failed'],
  queues: ['mail-*', '!mail-vip'],
  when: { oldestWaiting: 60_000, failureRate: { over: 0.2 } },
  repeat: 3_600_000,
  format: 'slack',
};

/** Hooks. */
export const hookCalls: readonly OpenApiCall[] = [
  { operationId: 'saveHook', path: '/hooks/on-call', status: 200, body: hook },
  { operationId: 'saveHook', path: '/hooks/on-call', status: 200, body: hook },
  { operationId: 'saveHook', path: '/hooks/on-call', status: 400, body: { ...hook, events: [] } },
  {
    operationId: 'saveHook',
    path: '/hooks/open',
    status: 200,
    body: { url: hook.url, events: ['worker.*'], signing: false },
  },
  { operationId: 'listHooks', path: '/hooks', status: 200 },
  { operationId: 'listHooks', path: '/hooks?a=b', status: 400 },
  { operationId: 'readHook', path: '/hooks/on-call', status: 200 },
  { operationId: 'readHook', path: '/hooks/none', status: 404 },
  { operationId: 'rotateHookSecret', path: '/hooks/on-call/rotate-secret', status: 200 },
  { operationId: 'rotateHookSecret', path: '/hooks/open/rotate-secret', status: 409 },
  { operationId: 'rotateHookSecret', path: '/hooks/none/rotate-secret', status: 404 },
  { operationId: 'testHook', path: '/hooks/on-call/test', status: 200 },
  { operationId: 'testHook', path: '/hooks/none/test', status: 404 },
  { operationId: 'listHookDeliveries', path: '/hooks/on-call/deliveries?length=5', status: 200 },
  { operationId: 'listHookDeliveries', path: '/hooks/on-call/deliveries?length=101', status: 400 },
  { operationId: 'listHookDeliveries', path: '/hooks/none/deliveries', status: 404 },
  {
    operationId: 'resendHookDelivery',
    path: '/hooks/on-call/deliveries/none/resend',
    status: 404,
  },
  {
    operationId: 'resendHookDelivery',
    path: '/hooks/on-call/deliveries/one/resend',
    status: 200,
  },
  { operationId: 'removeHook', path: '/hooks/on-call', status: 200 },
  { operationId: 'removeHook', path: '/hooks/on-call', status: 404 },
  { operationId: 'removeHook', path: '/hooks/open', status: 200 },
];
