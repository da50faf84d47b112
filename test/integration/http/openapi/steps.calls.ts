import type { OpenApiCall, TokenOf } from './openapi-call.ts';

const path = '/queues/suspending/jobs/1';
const signals = '/queues/suspending/signals';

/** The steps of jobs, suspensions and signals. */
export function stepCalls(tokenOf: TokenOf): readonly OpenApiCall[] {
  const token = tokenOf('suspending');
  const save = { operationId: 'saveStep', path: `${path}/steps/charge`, token };
  const suspend = { operationId: 'suspendJob', path: `${path}/suspend`, token };
  return [
    { ...save, status: 201, body: { payment: 'ch_1' } },
    { ...save, status: 200, body: { payment: 'ch_2' } },
    { ...save, status: 400, body: null },
    { ...save, status: 401, token: 'wrong', body: 1 },
    { ...save, path: `${path}/steps/large`, status: 413, body: ['x'.repeat(262_144)] },
    { operationId: 'listSteps', path: `${path}/steps`, status: 200 },
    { operationId: 'listSteps', path: `${path}0/steps`, status: 404 },
    { operationId: 'removeStep', path: `${path}/steps/charge`, status: 409 },
    { operationId: 'removeSteps', path: `${path}/steps`, status: 409 },
    { ...suspend, status: 400, body: [] },
    { ...suspend, status: 400, body: { sleep: { rest: 0 } } },
    { ...suspend, status: 400, body: { add: { ship: [{ queue: 'ship', data: 1 }] } } },
    { ...suspend, status: 401, token: 'wrong', body: {} },
    { ...suspend, status: 413, body: { steps: { label: 'x'.repeat(262_144) } } },
    {
      ...suspend,
      status: 200,
      body: {
        steps: { label: [null] },
        waitFor: { paid: { signal: 'paid:1', timeout: 60_000 }, seen: { signal: 'seen:1' } },
      },
    },
    { operationId: 'listSignals', path: signals, status: 200 },
    { operationId: 'listSignals', path: `${signals}?length=1001`, status: 400 },
    { operationId: 'sendSignal', path: `${signals}/paid:1`, status: 200 },
    {
      operationId: 'sendSignal',
      path: `${signals}/paid:2?keep=60000`,
      status: 200,
      body: { by: 'card' },
    },
    { operationId: 'sendSignal', path: `${signals}/paid:1`, status: 400, body: null },
    { operationId: 'sendSignal', path: `${signals}/paid:1?keep=-1`, status: 400, body: 1 },
    {
      operationId: 'sendSignal',
      path: `${signals}/paid:1`,
      status: 413,
      body: ['x'.repeat(65_536)],
    },
    { operationId: 'forgetSignal', path: `${signals}/paid:2`, status: 200 },
    { operationId: 'forgetSignal', path: `${signals}/paid:2`, status: 404 },
    { operationId: 'removeStep', path: `${path}/steps/charge`, status: 200 },
    { operationId: 'removeStep', path: `${path}/steps/charge`, status: 404 },
    { operationId: 'removeSteps', path: `${path}/steps`, status: 200 },
  ];
}
