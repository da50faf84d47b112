import type { RewrapReport } from '../../secrets/secrets.ts';
import type { WorkersHealthPage } from '../../workers/worker-health-reader.ts';
import type { ChangedWorker } from '../../workers/workers.ts';
import type { TestCallReport } from '../../calls/test-call.ts';
import { endpointShape } from '../../../domain/calls/endpoint.ts';
import type { LatestCall } from '../../../domain/calls/latest-calls.ts';
import {
  boolean,
  integer,
  listOf,
  mapOf,
  nullable,
  object,
  optional,
  required,
  string,
  type Field,
} from '../../../domain/values/shape.ts';
import { without } from '../../../domain/values/without.ts';
import type { ListedHealth } from '../../../domain/workers/worker-health.ts';
import { workerOptionsShape } from '../../../domain/workers/worker-options.ts';
import type { WorkerInput } from '../../../domain/workers/worker.ts';
import { workerHealthFields } from './answer-shapes.ts';

const time = integer(0);

export const changedWorkerAnswer = object('ChangedWorker', {
  queue: required(string, 'The queue whose jobs it processes'),
  endpoint: required(endpointShape, 'Where and how jobs are delivered'),
  opts: optional(workerOptionsShape, 'How jobs are processed'),
  secret: optional(string, 'The new secret that signs its calls, which is shown only this once'),
} as const satisfies Record<keyof WorkerInput | keyof Pick<ChangedWorker, 'secret'>, Field>);

const status = nullable(integer(100));

export const workersHealthAnswer = object('WorkersHealth', {
  total: required(integer(0), 'The number of workers on all pages together'),
  workers: required(
    listOf(
      object('ListedHealth', {
        queue: required(string, 'The queue of the worker'),
        url: required(string, 'The URL of its endpoint'),
        method: required(string, 'The method of its calls'),
        ...without(workerHealthFields, 'lastError'),
        concurrency: required(integer(1), 'Most calls at a time'),
        running: required(integer(0), 'How many attempts run, over all replicas'),
        signed: required(boolean, 'Whether its calls are signed'),
        registeredAt: required(
          nullable(time),
          'When it was registered, in milliseconds since 1970; null when that is unknown',
        ),
      } as const satisfies Record<keyof ListedHealth, Field>),
    ),
    'The workers of this page, by queue',
  ),
} as const satisfies Record<keyof WorkersHealthPage, Field>);

export const latestCallsAnswer = listOf(
  object('LatestCall', {
    job: required(string, 'The id of the job'),
    attempt: required(integer(1), 'Which attempt of the job it was, from 1'),
    startedAt: required(time, 'When it started, in milliseconds since 1970'),
    durationMs: required(integer(0), 'How many milliseconds it took'),
    status: required(status, 'The status of the answer; null when there was none'),
    outcome: required(string, 'The outcome of the attempt; `accepted` where it goes on'),
    reason: required(
      nullable(string),
      'Why it failed, or what was wrong with the answer that completed the job; else null',
    ),
    replica: required(string, 'Which replica made it, as `instance` in its log'),
  } as const satisfies Record<keyof LatestCall, Field>),
);

const request = object('TestRequest', {
  method: required(string, 'The method of the call'),
  url: required(string, 'Where it went'),
  headers: required(
    mapOf(string, string, 'be an object of names and values'),
    'Its headers; values that may be secrets are `[redacted]`',
  ),
  body: required(nullable(string), 'Its body as text; null without one'),
} as const satisfies Record<keyof TestCallReport['request'], Field>);

export const workerTestAnswer = object('WorkerTestReport', {
  request: required(request, 'The call as it was sent'),
  outcome: required(
    string,
    'The outcome that an attempt would have; `accepted` where the endpoint would complete the job later',
  ),
  status: required(status, 'The status of the answer; null when there was none'),
  durationMs: required(integer(0), 'How many milliseconds the call took'),
  response: optional(
    nullable(string),
    'The first kB of the answer, null when there was none; only to tokens with the right `data`',
  ),
  reason: required(
    nullable(string),
    'Why it failed, or what was wrong with an answer that completes jobs; else null',
  ),
} as const satisfies Record<keyof TestCallReport, Field>);

export const rewrapAnswer = object('Rewrap', {
  matched: required(integer(0), 'How many secrets were to be written anew and could be read'),
  done: required(integer(0), 'How many are now'),
  secrets: required(
    mapOf(string, integer(0), 'be an object of ids of keys and numbers'),
    'How many secrets each key keeps after it; `none` for those kept as they are',
  ),
} as const satisfies Record<keyof RewrapReport, Field>);
