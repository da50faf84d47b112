import type { WorkerOperations } from '../../../../../application/operations/worker-operations.ts';
import { isObject } from '../../../../../domain/values/json.ts';
import type { WorkerShape } from '../../../../../domain/workers/worker.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { requireQueues } from '../body-parsing.ts';
import { route, type Route } from '../route.ts';
import { anyOf } from '../schemas/any-of.ts';
import {
  changedWorkerAnswer,
  latestCallsAnswer,
  workersHealthAnswer,
  workerTestAnswer,
} from '../schemas/worker-answers.ts';
import { dryRunQuery, latestCallsQuery, workersQuery } from '../schemas/query-schemas.ts';
import { secretAnswer, workerHealthAnswer, workersAnswer } from '../schemas/answer-shapes.ts';
import {
  disablingBody,
  workerBody,
  workerChangeBody,
  workerTestBody,
} from '../schemas/body-formats.ts';

/** Specification, "Worker endpoints". */
export function workerRoutes(workers: WorkerOperations, worker: WorkerShape): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/workers',
      operation: workers.register,
      tag: 'Workers',
      summary: 'Register the worker of a queue, in place of any other',
      description:
        'Each replica calls the endpoint from then on, all together at most as often as ' +
        '`concurrency` says. Calls that run go on.',
      replies: {
        200: okContent(
          'The worker is stored and runs; the secret if a new one was made; the worker of a dry run',
          anyOf(secretAnswer, worker),
        ),
      },
      errors: ['too-many-workers'],
      body: workerBody(worker),
      query: dryRunQuery,
      checkQueuesIn: (body, caller) => {
        if (isObject(body)) requireQueues([body['queue']], caller);
      },
      input: ({ body, query }) => ({ queue: body.queue, order: body, ...query }),
    }),
    route({
      method: 'GET',
      path: '/workers',
      operation: workers.list,
      tag: 'Workers',
      summary: 'List the workers, on request with their health',
      description:
        'Without `view`, an object of queues and URLs; with `view=health` a page of them with ' +
        'states and latencies.',
      replies: {
        200: jsonContent(
          anyOf(workersAnswer, workersHealthAnswer),
          'Each queue with the URL of its endpoint, or a page of the workers with their health',
        ),
      },
      query: workersQuery,
    }),
    route({
      method: 'GET',
      path: '/workers/:queue',
      operation: workers.read,
      tag: 'Workers',
      summary: 'Read the worker of a queue',
      description: 'The values of its headers are not shown, nor its secrets.',
      replies: { 200: jsonContent(worker, 'The worker, without the values of its headers') },
      errors: ['worker-not-found'],
    }),
    route({
      method: 'PATCH',
      path: '/workers/:queue',
      operation: workers.change,
      tag: 'Workers',
      summary: 'Change some settings of a worker, by a JSON merge patch',
      description:
        'What the body does not name stays, values of headers and secrets too; null removes a ' +
        'field. For a URL of another origin, headers must be given anew. Calls that run go on.',
      replies: {
        200: jsonContent(
          changedWorkerAnswer,
          'The worker, without the values of its headers; the secret if a new one was made',
        ),
      },
      errors: ['worker-not-found', 'worker-unreadable'],
      body: workerChangeBody,
    }),
    route({
      method: 'GET',
      path: '/workers/:queue/health',
      operation: workers.readHealth,
      tag: 'Workers',
      summary: 'Read the health of a worker and the figures of its calls in the last ten minutes',
      description: 'Figures of all replicas together, and why the endpoint is not called, if so.',
      replies: { 200: jsonContent(workerHealthAnswer, 'Its health, over all replicas') },
      errors: ['worker-not-found'],
    }),
    route({
      method: 'GET',
      path: '/workers/:queue/calls',
      operation: workers.listCalls,
      tag: 'Workers',
      summary: 'List the latest calls of a worker, over all replicas',
      description:
        'The newest first, each with its job, status, time and replica. They are kept for a while ' +
        'only.',
      replies: { 200: jsonContent(latestCallsAnswer, 'The calls, newest first') },
      errors: ['worker-not-found'],
      query: latestCallsQuery,
    }),
    route({
      method: 'POST',
      path: '/workers/:queue/test',
      operation: workers.test,
      tag: 'Workers',
      summary: 'Call the endpoint of a worker once, with a job that is in no queue',
      description:
        'The call is signed as others are, and the answer shows what was sent and what came back. ' +
        'Nothing is stored.',
      replies: { 200: jsonContent(workerTestAnswer, 'How the call went') },
      errors: ['worker-not-found', 'worker-unreadable'],
      body: workerTestBody,
    }),
    route({
      method: 'POST',
      path: '/workers/:queue/disable',
      operation: workers.disable,
      tag: 'Workers',
      summary: 'Disable a worker: no call starts, its jobs wait, and running calls continue',
      description:
        'Until it is enabled or registered anew. An endpoint may do so itself with the status ' +
        '410.',
      replies: { 200: okContent('The worker is disabled') },
      errors: ['worker-not-found'],
      body: disablingBody,
    }),
    route({
      method: 'POST',
      path: '/workers/:queue/enable',
      operation: workers.enable,
      tag: 'Workers',
      summary: 'Enable a worker, so that its calls start again',
      description: 'Waiting jobs are called again, in their order.',
      replies: { 200: okContent('The worker is enabled') },
      errors: ['worker-not-found'],
    }),
    route({
      method: 'POST',
      path: '/workers/:queue/rotate-secret',
      operation: workers.rotateSecret,
      tag: 'Workers',
      summary:
        'Add a new secret that signs the calls of a worker; the previous one signs too for a day',
      description:
        'The answer has the new secret, which is shown this once. Receivers that know either ' +
        'secret accept the calls.',
      replies: { 200: jsonContent(secretAnswer, 'The secret, which is shown only this once') },
      errors: ['worker-not-found', 'worker-unsigned', 'worker-unreadable', 'too-many-secrets'],
    }),
    route({
      method: 'DELETE',
      path: '/workers/:queue',
      operation: workers.remove,
      tag: 'Workers',
      summary: 'Remove the worker of a queue; running calls end',
      description:
        'The jobs of the queue stay, and wait for another worker or for clients that claim them.',
      replies: { 200: okContent('The worker is removed') },
      errors: ['worker-not-found'],
    }),
  ];
}
