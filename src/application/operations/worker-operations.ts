import type { Caller } from '../../domain/access/caller.ts';
import { calledShownTo, urlShownTo } from '../../domain/access/shown-urls.ts';
import { entitled } from '../../domain/access/visible.ts';
import { endpointShape } from '../../domain/calls/endpoint.ts';
import { callsLength, KEPT_CALLS, latestCallShape } from '../../domain/calls/latest-calls.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { pageStart, pageLength } from '../../domain/values/page.ts';
import { secretShape } from '../../domain/values/secret-text.ts';
import {
  optional,
  oneOf,
  type Shape,
  mapOf,
  nullable,
  string,
  object,
  listOf,
  required,
} from '../../domain/values/shape.ts';
import { workerChangeShape } from '../../domain/workers/worker-change.ts';
import { disablingOrderShape } from '../../domain/workers/worker-disabling.ts';
import { WORKER_STATES, workerHealthFields } from '../../domain/workers/worker-health.ts';
import { workerOptionsShape } from '../../domain/workers/worker-options.ts';
import { workerTestShape } from '../../domain/workers/worker-test.ts';
import { type Worker, workerShape } from '../../domain/workers/worker.ts';
import { testCallReportShape } from '../calls/test-call.ts';
import type { WorkerCalls } from '../workers/worker-calls.ts';
import {
  type WorkerHealthReader,
  workersHealthPageShape,
} from '../workers/worker-health-reader.ts';
import type { WorkerTest } from '../workers/worker-test.ts';
import type { Workers } from '../workers/workers.ts';
import { anyOf } from './answers/any-of.ts';
import { ofQueue } from './in-queue.ts';
import { given, withOptionalOrder, withOrder } from './input.ts';
import { operation } from './operation.ts';
import { previewable, textOption, numberOption, wholeNumber } from './options.ts';
import { done, answers } from './out.ts';
import { refuseWithout } from './refuse-without.ts';
import { testShownTo } from './shown-test.ts';

/** The most workers on a page, unless a client asks for fewer. */
const WORKERS_PER_PAGE = 1000;

/** No endpoint takes headers longer than this, and every replica keeps workers and hooks in memory. */
const MAX_WORKER_BODY = 262_144;

const changedWorkerAnswer = object('ChangedWorker', {
  queue: required(string, 'The queue whose jobs it processes'),
  endpoint: required(endpointShape, 'Where and how jobs are delivered'),
  opts: optional(workerOptionsShape, 'How jobs are processed'),
  secret: optional(string, 'The new secret that signs its calls, which is shown only this once'),
});

export interface WorkerUseCases {
  readonly workers: Workers;
  readonly workerHealth: WorkerHealthReader;
  readonly workerCalls: WorkerCalls;
  readonly workerTest: WorkerTest;
}

/** A worker as a caller may see it. */
function workerShownTo<Shown extends Worker>(worker: Shown, caller: Caller) {
  return { ...worker, endpoint: entitled(calledShownTo(caller, worker.endpoint)) };
}

/** What operations on the worker of a queue have, unless they say more. */
const ofWorker = { isAboutWorker: true, in: ofQueue, errors: ['worker-not-found'] } as const;

/** The endpoints that process jobs (specification, "Worker endpoints"). */
export function workerOperations(
  { workers, workerHealth, workerCalls, workerTest }: WorkerUseCases,
  queueName: Shape<QueueName>,
) {
  const worker = workerShape(queueName);
  return {
    registerWorker: operation({
      access: 'configure',
      action: 'worker.register',
      isAboutWorker: true,
      summary: 'Register the worker of a queue, in place of any other',
      description:
        'Each replica calls the endpoint from then on, all together at most as often as ' +
        '`concurrency` says. Calls that run go on.',
      in: {
        queue: given<QueueName>(),
        ...previewable,
        ...withOrder(worker, 'a worker', { most: MAX_WORKER_BODY }),
      },
      out: done(
        'The worker is stored and runs; the secret if a new one was made; the worker of a dry run',
        anyOf(secretShape, worker),
      ),
      errors: ['too-many-workers'],
      queuesOf: ({ queue }) => [queue],
      perform: async ({ order, dryRun }) => {
        if (dryRun) return workers.preview(order);
        const secret = await workers.register(order);
        return secret === undefined ? undefined : { secret };
      },
      view: (answer, caller) =>
        answer !== undefined && 'endpoint' in answer ? workerShownTo(answer, caller) : answer,
      report: { line: 'Worker registered by a client' },
    }),
    changeWorker: operation({
      access: 'configure',
      action: 'worker.change',
      isAboutWorker: true,
      summary: 'Change some settings of a worker, by a JSON merge patch',
      description:
        'Fields that the body does not name stay, values of headers and secrets too; null removes a ' +
        'field. For a URL of another origin, headers must be given anew. Calls that run go on.',
      in: { ...ofQueue, ...withOrder(workerChangeShape, 'changes', { most: MAX_WORKER_BODY }) },
      out: answers(
        changedWorkerAnswer,
        'The worker, without the values of its headers; the secret if a new one was made',
      ),
      errors: ['worker-not-found', 'worker-unreadable'],
      perform: ({ queue, order }) => workers.change(queue, order),
      view: workerShownTo,
      report: { line: 'Worker changed by a client' },
    }),
    listWorkers: operation({
      access: 'read',
      isAboutWorker: true,
      summary: 'List the workers, on request with their health',
      description:
        'Without `view`, an object of queues and URLs; with `view=health` a page of them with ' +
        'states and latencies.',
      in: {
        view: textOption(
          optional(
            oneOf('health'),
            'With `health`, how each of the workers does; the rest needs it',
          ),
        ),
        start: numberOption(optional(pageStart, 'How many workers to skip')),
        length: numberOption(optional(pageLength, 'Most workers to return; 1000')),
        state: textOption(optional(oneOf(...WORKER_STATES), 'Only workers in that state')),
      },
      out: answers(
        anyOf(
          mapOf(string, nullable(string), 'be an object of queue names to URLs'),
          workersHealthPageShape,
        ),
        'Each queue with the URL of its endpoint, null without one, or a page of the workers with their health',
      ),
      perform: async ({ view, start, length, state }, { caller }) => {
        if (view === undefined) {
          refuseWithout('view=health', { start, length, state });
          const listed = [...(await workers.list())];
          return { urls: listed.filter(([queue]) => caller.mayUse(queue)) };
        }
        const page = { start: start ?? 0, length: length ?? WORKERS_PER_PAGE };
        return { page: await workerHealth.list({ ...page, state, mayUse: caller.onlyQueues }) };
      },
      view: ({ urls, page }, caller) =>
        page === undefined
          ? Object.fromEntries(urls.map(([queue, url]) => [queue, urlShownTo(caller, url)]))
          : {
              ...page,
              workers: page.workers.map((worker) => entitled(calledShownTo(caller, worker))),
            },
    }),
    readWorker: operation({
      ...ofWorker,
      access: 'read',
      summary: 'Read the worker of a queue',
      description: 'The values of its headers are not shown, nor its secrets.',
      out: answers(worker, 'The worker, without the values of its headers'),
      perform: ({ queue }) => workers.read(queue),
      view: workerShownTo,
    }),
    readWorkerHealth: operation({
      ...ofWorker,
      access: 'read',
      summary: 'Read the health of a worker and the figures of its calls in the last ten minutes',
      description: 'Figures of all replicas together, and why the endpoint is not called, if so.',
      out: answers(object('WorkerHealth', workerHealthFields), 'Its health, over all replicas'),
      perform: ({ queue }) => workerHealth.read(queue),
    }),
    listCalls: operation({
      ...ofWorker,
      access: 'read',
      summary: 'List the latest calls of a worker, over all replicas',
      description:
        'The newest first, each with its job, status, time and replica. They are kept for a while ' +
        'only.',
      in: { ...ofQueue, length: wholeNumber(callsLength, KEPT_CALLS, 'Most calls to return') },
      out: answers(listOf(latestCallShape), 'The calls, newest first'),
      perform: ({ queue, length }) => workerCalls.latest(queue, length),
    }),
    testWorker: operation({
      access: 'operate',
      action: 'worker.test',
      isAboutWorker: true,
      summary: 'Call the endpoint of a worker once, with a job that is in no queue',
      description:
        'The call is signed as others are, and the answer shows what was sent and what came back. ' +
        'Nothing is stored.',
      in: { ...ofQueue, ...withOptionalOrder(workerTestShape, 'the name and data of a job') },
      out: answers(testCallReportShape, 'How the call went'),
      errors: ['worker-not-found', 'worker-unreadable', 'worker-without-url'],
      perform: ({ queue, order }) => workerTest.run(queue, order),
      view: testShownTo,
      report: { line: 'Worker tested by a client' },
    }),
    disableWorker: operation({
      ...ofWorker,
      access: 'operate',
      action: 'worker.disable',
      summary: 'Disable a worker: no call starts, its jobs wait, and running calls continue',
      description:
        'Until it is enabled or registered anew. An endpoint may do so itself with the status ' +
        '410.',
      in: { ...ofQueue, ...withOptionalOrder(disablingOrderShape, 'a reason') },
      out: done('The worker is disabled'),
      perform: ({ queue, order }, { caller }) => workers.disable(queue, order, caller),
      report: { line: 'Worker disabled by a client' },
    }),
    enableWorker: operation({
      ...ofWorker,
      access: 'operate',
      action: 'worker.enable',
      summary: 'Enable a worker, so that its calls start again',
      description: 'Waiting jobs are called again, in their order.',
      out: done('The worker is enabled'),
      perform: ({ queue }) => workers.enable(queue),
      report: { line: 'Worker enabled by a client' },
    }),
    rotateSecret: operation({
      ...ofWorker,
      access: 'configure',
      action: 'worker.rotate-secret',
      needsFreshSession: true,
      summary:
        'Add a new secret that signs the calls of a worker; the previous one signs too for a day',
      description:
        'The answer has the new secret, which is shown this once. Receivers that know either ' +
        'secret accept the calls.',
      out: answers(secretShape, 'The secret, which is shown only this once'),
      errors: ['worker-not-found', 'worker-unsigned', 'worker-unreadable', 'too-many-secrets'],
      perform: async ({ queue }) => ({ secret: await workers.rotateSecret(queue) }),
      report: { line: 'Secret of a worker rotated' },
    }),
    removeWorker: operation({
      ...ofWorker,
      access: 'configure',
      action: 'worker.remove',
      summary: 'Remove the worker of a queue; running calls end',
      description:
        'The jobs of the queue stay, and wait for another worker or for clients that claim them.',
      out: done('The worker is removed'),
      perform: ({ queue }) => workers.remove(queue),
      report: { line: 'Worker removed by a client' },
    }),
  };
}
