import { attemptCalls } from './attempts.calls.ts';
import { eventCalls } from './events.calls.ts';
import { flowCalls } from './flows.calls.ts';
import { jobActionCalls } from './job-actions.calls.ts';
import { jobCalls } from './jobs.calls.ts';
import { policyCalls } from './policies.calls.ts';
import { queueCalls } from './queues.calls.ts';
import { schedulerCalls } from './schedulers.calls.ts';
import { searchAndRepairCalls } from './search-and-repair.calls.ts';
import { serviceCalls } from './service.calls.ts';
import { workerCalls } from './workers.calls.ts';
import type { OpenApiCall, TokenOf } from './openapi-call.ts';

/** Every operation, as it is meant and with mistakes, in an order in which each finds what it needs. */
export function openApiCalls(tokenOf: TokenOf): readonly OpenApiCall[] {
  return [
    ...serviceCalls,
    ...jobCalls,
    ...attemptCalls(tokenOf),
    ...jobActionCalls,
    ...eventCalls,
    ...flowCalls,
    ...searchAndRepairCalls,
    ...queueCalls,
    ...policyCalls,
    ...schedulerCalls,
    ...workerCalls,
  ];
}
