import { attemptCalls } from './attempts.calls.ts';
import { eventCalls } from './events.calls.ts';
import { flowCalls } from './flows.calls.ts';
import { jobActionCalls } from './job-actions.calls.ts';
import { jobCalls } from './jobs.calls.ts';
import { policyCalls } from './policies.calls.ts';
import { settingSetCalls } from './setting-sets.calls.ts';
import { groupCalls } from './groups.calls.ts';
import { hookCalls } from './hooks.calls.ts';
import { queueCalls } from './queues.calls.ts';
import { schedulerCalls } from './schedulers.calls.ts';
import { searchAndRepairCalls } from './search-and-repair.calls.ts';
import { serviceCalls } from './service.calls.ts';
import { workerCalls } from './workers.calls.ts';
import { tokenCalls } from './tokens.calls.ts';
import { limitCalls } from './limits.calls.ts';
import { topicCalls } from './topics.calls.ts';
import { stepCalls } from './steps.calls.ts';
import type { OpenApiCall, TokenOf } from './openapi-call.ts';

/** The calls of each resource, correct and with mistakes, in an order in which each finds what it needs. */
export const openApiCalls: Readonly<Record<string, (tokenOf: TokenOf) => readonly OpenApiCall[]>> =
  {
    service: () => serviceCalls,
    jobs: () => jobCalls,
    attempts: attemptCalls,
    'job actions': () => jobActionCalls,
    events: () => eventCalls,
    flows: () => flowCalls,
    'search and repair': () => searchAndRepairCalls,
    queues: () => queueCalls,
    groups: () => groupCalls,
    policies: () => policyCalls,
    'setting sets': () => settingSetCalls,
    schedulers: () => schedulerCalls,
    workers: () => workerCalls,
    hooks: () => hookCalls,
    tokens: () => tokenCalls,
    steps: stepCalls,
    limits: () => limitCalls,
    topics: () => topicCalls,
  };
