import type { Caller } from '../../domain/access/caller.ts';
import { calledShownTo, urlShownTo } from '../../domain/access/shown-urls.ts';
import { entitled } from '../../domain/access/visible.ts';
import type { DisablingOrder } from '../../domain/workers/worker-disabling.ts';
import type { WorkerCondition } from '../../domain/workers/worker-health.ts';
import type { WorkerTestInput } from '../../domain/workers/worker-test.ts';
import type { WorkerChangeInput } from '../../domain/workers/worker-change.ts';
import type { Worker, WorkerInput } from '../../domain/workers/worker.ts';
import type { WorkerCalls } from '../workers/worker-calls.ts';
import type { WorkerHealthReader } from '../workers/worker-health-reader.ts';
import type { WorkerTest } from '../workers/worker-test.ts';
import type { Workers } from '../workers/workers.ts';
import type { InQueue, Ordered, Previewable } from './in-queue.ts';
import { operation } from './operation.ts';
import { refuseWithout } from './refuse-without.ts';
import { testShownTo } from './shown-test.ts';

/** The most workers on a page, unless a client asks for fewer. */
const WORKERS_PER_PAGE = 1000;

export interface WorkerListInput {
  readonly view: 'health' | undefined;
  readonly start: number | undefined;
  readonly length: number | undefined;
  readonly state: WorkerCondition['state'] | undefined;
}

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

/** The endpoints that process jobs (specification, "Worker endpoints"). */
export function workerOperations({
  workers,
  workerHealth,
  workerCalls,
  workerTest,
}: WorkerUseCases) {
  return {
    register: operation({
      id: 'registerWorker',
      access: 'configure',
      action: 'worker.register',
      isAboutWorker: true,
      perform: async ({ order, dryRun }: InQueue & Ordered<WorkerInput> & Previewable) => {
        if (dryRun) return workers.preview(order);
        const secret = await workers.register(order);
        return secret === undefined ? undefined : { secret };
      },
      report: { line: 'Worker registered by a client', hasChanged: (_, { dryRun }) => !dryRun },
      view: (answer, caller) =>
        answer !== undefined && 'endpoint' in answer ? workerShownTo(answer, caller) : answer,
    }),
    change: operation({
      id: 'changeWorker',
      access: 'configure',
      action: 'worker.change',
      isAboutWorker: true,
      perform: ({ queue, order }: InQueue & Ordered<WorkerChangeInput>) =>
        workers.change(queue, order),
      report: { line: 'Worker changed by a client' },
      view: workerShownTo,
    }),
    list: operation({
      id: 'listWorkers',
      access: 'read',
      isAboutWorker: true,
      perform: async ({ view, start, length, state }: WorkerListInput, { caller }) => {
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
    read: operation({
      id: 'readWorker',
      access: 'read',
      isAboutWorker: true,
      perform: ({ queue }: InQueue) => workers.read(queue),
      view: workerShownTo,
    }),
    readHealth: operation({
      id: 'readWorkerHealth',
      access: 'read',
      isAboutWorker: true,
      perform: ({ queue }: InQueue) => workerHealth.read(queue),
    }),
    listCalls: operation({
      id: 'listCalls',
      access: 'read',
      isAboutWorker: true,
      perform: ({ queue, length }: InQueue & { readonly length: number }) =>
        workerCalls.latest(queue, length),
    }),
    test: operation({
      id: 'testWorker',
      access: 'operate',
      action: 'worker.test',
      isAboutWorker: true,
      perform: ({ queue, order }: InQueue & Ordered<WorkerTestInput>) =>
        workerTest.run(queue, order),
      report: { line: 'Worker tested by a client' },
      view: testShownTo,
    }),
    disable: operation({
      id: 'disableWorker',
      access: 'operate',
      action: 'worker.disable',
      isAboutWorker: true,
      perform: ({ queue, order }: InQueue & Ordered<DisablingOrder>) =>
        workers.disable(queue, order),
      report: { line: 'Worker disabled by a client' },
    }),
    enable: operation({
      id: 'enableWorker',
      access: 'operate',
      action: 'worker.enable',
      isAboutWorker: true,
      perform: ({ queue }: InQueue) => workers.enable(queue),
      report: { line: 'Worker enabled by a client' },
    }),
    rotateSecret: operation({
      id: 'rotateSecret',
      access: 'configure',
      action: 'worker.rotate-secret',
      isAboutWorker: true,
      needsFreshSession: true,
      perform: async ({ queue }: InQueue) => ({ secret: await workers.rotateSecret(queue) }),
      report: { line: 'Secret of a worker rotated' },
    }),
    remove: operation({
      id: 'removeWorker',
      access: 'configure',
      action: 'worker.remove',
      isAboutWorker: true,
      perform: ({ queue }: InQueue) => workers.remove(queue),
      report: { line: 'Worker removed by a client' },
    }),
  };
}

export type WorkerOperations = ReturnType<typeof workerOperations>;
