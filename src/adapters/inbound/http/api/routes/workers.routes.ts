import type { WorkerCalls } from '../../../../../application/workers/worker-calls.ts';
import type { WorkerTest } from '../../../../../application/workers/worker-test.ts';
import type { WorkerHealthReader } from '../../../../../application/workers/worker-health-reader.ts';
import type { Workers } from '../../../../../application/workers/workers.ts';
import { isObject } from '../../../../../domain/values/json.ts';
import type { WorkerShape } from '../../../../../domain/workers/worker.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { json, OK } from '../../messages/reply.ts';
import { refuseWithout } from '../refused-parameters.ts';
import { route, type Route } from '../route.ts';
import { shownTo } from '../shown-values.ts';
import { anyOf } from '../schemas/any-of.ts';
import {
  latestCallsAnswer,
  workersHealthAnswer,
  workerTestAnswer,
} from '../schemas/worker-answers.ts';
import { latestCallsQuery, workersQuery } from '../schemas/query-schemas.ts';
import { secretAnswer, workerHealthAnswer, workersAnswer } from '../schemas/answer-shapes.ts';
import { disablingBody, workerBody, workerTestBody } from '../schemas/body-formats.ts';

/** The most workers on a page, unless a client asks for fewer. */
const WORKERS_PER_PAGE = 1000;

/** The use cases that report how well workers do. */
export interface WorkerReports {
  readonly health: WorkerHealthReader;
  readonly calls: WorkerCalls;
  readonly test: WorkerTest;
}

/** Specification, "Worker endpoints". */
export function workerRoutes(
  workers: Workers,
  { health, calls, test }: WorkerReports,
  worker: WorkerShape,
): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/workers',
      access: 'configure',
      operationId: 'registerWorker',
      action: 'worker.register',
      tag: 'Workers',
      summary: 'Register the worker of a queue, in place of any other',
      description:
        'Each replica calls the endpoint from then on, all together at most as often as ' +
        '`concurrency` says. Calls that run go on.',
      replies: {
        200: okContent(
          'The worker is stored and runs; the secret if a new one was made',
          secretAnswer,
        ),
      },
      errors: ['too-many-workers'],
      body: workerBody(worker),
      queuesIn: (body) => (isObject(body) ? [body['queue']] : []),
      handle: async ({ body, caller }) => {
        caller.requireQueue(body.queue);
        const secret = await workers.register(body);
        const reply = secret === undefined ? OK : json({ secret });
        return { line: 'Worker registered by a client', reply };
      },
    }),
    route({
      method: 'GET',
      path: '/workers',
      access: 'read',
      operationId: 'listWorkers',
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
      handle: async ({ query: { view, start, length, state }, caller }) => {
        if (view === undefined) {
          refuseWithout('view=health', { start, length, state });
          const listed = [...(await workers.list())];
          return json(Object.fromEntries(listed.filter(([queue]) => caller.mayUse(queue))));
        }
        return json(
          await health.list({
            start: start ?? 0,
            length: length ?? WORKERS_PER_PAGE,
            state,
            mayUse: caller.onlyQueues,
          }),
        );
      },
    }),
    route({
      method: 'GET',
      path: '/workers/:queue',
      access: 'read',
      operationId: 'readWorker',
      tag: 'Workers',
      summary: 'Read the worker of a queue',
      description: 'The values of its headers are not shown, nor its secrets.',
      replies: { 200: jsonContent(worker, 'The worker, without the values of its headers') },
      errors: ['worker-not-found'],
      handle: async ({ parameters }) => json(await workers.read(parameters.queue)),
    }),
    route({
      method: 'GET',
      path: '/workers/:queue/health',
      access: 'read',
      operationId: 'readWorkerHealth',
      tag: 'Workers',
      summary: 'Read the health of a worker and the figures of its calls in the last ten minutes',
      description: 'Figures of all replicas together, and why the endpoint is not called, if so.',
      replies: { 200: jsonContent(workerHealthAnswer, 'Its health, over all replicas') },
      errors: ['worker-not-found'],
      handle: async ({ parameters }) => json(await health.read(parameters.queue)),
    }),
    route({
      method: 'GET',
      path: '/workers/:queue/calls',
      access: 'read',
      operationId: 'listCalls',
      tag: 'Workers',
      summary: 'List the latest calls of a worker, over all replicas',
      description:
        'The newest first, each with its job, status, time and replica. They are kept for a while ' +
        'only.',
      replies: { 200: jsonContent(latestCallsAnswer, 'The calls, newest first') },
      errors: ['worker-not-found'],
      query: latestCallsQuery,
      handle: async ({ parameters, query: { length } }) =>
        json(await calls.latest(parameters.queue, length)),
    }),
    route({
      method: 'POST',
      path: '/workers/:queue/test',
      access: 'operate',
      operationId: 'testWorker',
      action: 'worker.test',
      tag: 'Workers',
      summary: 'Call the endpoint of a worker once, with a job that is in no queue',
      description:
        'The call is signed as others are, and the answer shows what was sent and what came back. ' +
        'Nothing is stored.',
      replies: { 200: jsonContent(workerTestAnswer, 'How the call went') },
      errors: ['worker-not-found', 'worker-unreadable'],
      body: workerTestBody,
      handle: async ({ parameters, body, caller }) => {
        const reply = json(shownTo(caller, await test.run(parameters.queue, body)));
        return { line: 'Worker tested by a client', reply };
      },
    }),
    route({
      method: 'POST',
      path: '/workers/:queue/disable',
      access: 'operate',
      operationId: 'disableWorker',
      action: 'worker.disable',
      tag: 'Workers',
      summary: 'Disable a worker: no call starts, its jobs wait, and running calls continue',
      description:
        'Until it is enabled or registered anew. An endpoint may do so itself with the status ' +
        '410.',
      replies: { 200: okContent('The worker is disabled') },
      errors: ['worker-not-found'],
      body: disablingBody,
      handle: async ({ parameters, body }) => {
        await workers.disable(parameters.queue, body);
        return { line: 'Worker disabled by a client', reply: OK };
      },
    }),
    route({
      method: 'POST',
      path: '/workers/:queue/enable',
      access: 'operate',
      operationId: 'enableWorker',
      action: 'worker.enable',
      tag: 'Workers',
      summary: 'Enable a worker, so that its calls start again',
      description: 'Waiting jobs are called again, in their order.',
      replies: { 200: okContent('The worker is enabled') },
      errors: ['worker-not-found'],
      handle: async ({ parameters }) => {
        await workers.enable(parameters.queue);
        return { line: 'Worker enabled by a client', reply: OK };
      },
    }),
    route({
      method: 'POST',
      path: '/workers/:queue/rotate-secret',
      access: 'configure',
      operationId: 'rotateSecret',
      needsFreshSession: true,
      action: 'worker.rotate-secret',
      tag: 'Workers',
      summary:
        'Add a new secret that signs the calls of a worker; the previous one signs too for a day',
      description:
        'The answer has the new secret, which is shown this once. Receivers that know either ' +
        'secret accept the calls.',
      replies: { 200: jsonContent(secretAnswer, 'The secret, which is shown only this once') },
      errors: ['worker-not-found', 'worker-unsigned', 'worker-unreadable', 'too-many-secrets'],
      handle: async ({ parameters }) => {
        const reply = json({ secret: await workers.rotateSecret(parameters.queue) });
        return { line: 'Secret of a worker rotated', reply };
      },
    }),
    route({
      method: 'DELETE',
      path: '/workers/:queue',
      access: 'configure',
      operationId: 'removeWorker',
      action: 'worker.remove',
      tag: 'Workers',
      summary: 'Remove the worker of a queue; running calls end',
      description:
        'The jobs of the queue stay, and wait for another worker or for clients that claim them.',
      replies: { 200: okContent('The worker is removed') },
      errors: ['worker-not-found'],
      handle: async ({ parameters }) => {
        await workers.remove(parameters.queue);
        return { line: 'Worker removed by a client', reply: OK };
      },
    }),
  ];
}
