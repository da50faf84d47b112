import type { Caller } from '../../domain/access/caller.ts';
import { shownTo } from '../../domain/access/visible.ts';
import { attemptJson } from '../../domain/attempts/attempt-record.ts';
import type { Callback } from '../../domain/jobs/callback.ts';
import { readJobJson } from '../../domain/jobs/job-json.ts';
import type { JobInput } from '../../domain/jobs/job.ts';
import type { Json } from '../../domain/values/json.ts';
import type { Page } from '../../domain/values/page.ts';
import type { JobCallbacks } from '../deliveries/job-callbacks.ts';
import type { JobSearch } from '../jobs/job-search.ts';
import type { JobWaits } from '../jobs/job-waits.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { LetterOrigins } from '../jobs/letter-origins.ts';
import type { JobsQuery } from '../ports/queue-port.ts';
import { callbackQueues } from './callback-queues.ts';
import type { ByHolder, InQueue, OnJob, Ordered } from './in-queue.ts';
import { operation } from './operation.ts';
import { seenPieces } from './seen-pieces.ts';
import { shownAdds, type Added, type AddedJobs } from './shown-adds.ts';
import type { Way } from './way.ts';

interface AddInput extends InQueue, Ordered<readonly JobInput[]> {
  /** How long (ms) an add of a single job waits for its end; undefined for not at all. */
  readonly wait: number | undefined;
}

interface ListInput extends InQueue, JobsQuery {
  readonly view: 'summary' | undefined;
  /** Empty for the jobs without a group. */
  readonly group: string | undefined;
}

interface ReadInput extends OnJob {
  readonly view: 'summary' | undefined;
}

/** Jobs of queues, and what becomes of them. */
export function jobOperations(
  jobs: Jobs,
  search: JobSearch,
  waits: JobWaits,
  callbacks: JobCallbacks,
  origins: LetterOrigins,
  queuePrefix: string,
) {
  const add = async ({ queue, order, wait }: AddInput, way: Way): Promise<Added> => {
    const { identity, trace } = way;
    const [first] = order;
    if (wait !== undefined && first !== undefined && order.length === 1) {
      const request = { identity, context: trace, wait, signal: way.ending() };
      const { job, hasEnded, isRepeated } = await waits.add(queue, first, request);
      return { jobs: [job], isRepeated, awaited: { wait, hasEnded }, sent: order };
    }
    if (identity === undefined) {
      const added = await jobs.add(queue, order, trace);
      return { jobs: added, isRepeated: false, awaited: undefined, sent: order };
    }
    const added = await jobs.addOnce(queue, order, identity, trace);
    return { jobs: added.jobs, isRepeated: added.isRepeated, awaited: undefined, sent: order };
  };

  const adding = {
    access: 'add',
    jobsOf: ({ order }: AddInput) => order.length,
    queuesOf: ({ order }: AddInput) => callbackQueues(callbacksIn(order)),
    perform: add,
    view: (added: Added, caller: Caller): AddedJobs => ({
      jobs: shownAdds(added, caller, queuePrefix),
      isRepeated: added.isRepeated,
      awaited: added.awaited,
    }),
  } as const;

  return {
    add: operation({ id: 'addJobs', ...adding }),
    addToQueue: operation({ id: 'addJobsToQueue', ...adding }),
    list: operation({
      id: 'listJobs',
      access: 'read',
      perform: async ({ queue, view, group, ...page }: ListInput, { caller }) => {
        if (view === 'summary') {
          const summaries = await (group === undefined
            ? jobs.listSummaries(queue, page)
            : search.summariesOfGroup(queue, group, page));
          return { summaries };
        }
        const listed = await (group === undefined
          ? jobs.list(queue, page)
          : search.listOfGroup(queue, group, page));
        const jobsOfPage = await origins.ofPieces(listed.jobs, caller.mayUse);
        return { listed: { ...listed, jobs: jobsOfPage } };
      },
      view: ({ summaries, listed }, caller) =>
        summaries === undefined
          ? {
              ...listed,
              jobs: seenPieces(listed.jobs, ({ job, origin }) =>
                shownTo(caller, readJobJson(job, origin, queuePrefix)),
              ),
            }
          : { ...summaries, jobs: seenPieces(summaries.jobs, (job) => shownTo(caller, job)) },
    }),
    read: operation({
      id: 'readJob',
      access: 'read',
      perform: async ({ queue, jobId, view }: ReadInput, { caller }) => {
        if (view === 'summary') return { summary: await jobs.readSummary(queue, jobId) };
        const job = await jobs.read(queue, jobId);
        const [callback, [found]] = await Promise.all([
          callbacks.of(job),
          origins.of([job], caller.mayUse),
        ]);
        return { job, callback, origin: found?.origin };
      },
      view: ({ summary, job, callback, origin }, caller) => {
        if (summary !== undefined) return shownTo(caller, summary);
        const shown = shownTo(caller, readJobJson(job, origin, queuePrefix));
        return callback === undefined ? shown : { ...shown, callback };
      },
    }),
    readData: operation({
      id: 'readJobData',
      access: 'data',
      perform: ({ queue, jobId }: OnJob) => jobs.readValue(queue, jobId, 'data'),
    }),
    readReturnValue: operation({
      id: 'readReturnValue',
      access: 'data',
      perform: ({ queue, jobId }: OnJob) => jobs.readValue(queue, jobId, 'returnvalue'),
    }),
    updateProgress: operation({
      id: 'updateProgress',
      access: 'job-token',
      perform: ({ queue, jobId, token, order }: ByHolder & Ordered<Json>) =>
        jobs.updateProgress(queue, jobId, token, order),
    }),
    addLog: operation({
      id: 'addLog',
      access: 'job-token',
      perform: ({ queue, jobId, token, order }: ByHolder & Ordered<string>) =>
        jobs.addLog(queue, jobId, token, order),
    }),
    readLogs: operation({
      id: 'readLogs',
      access: 'data',
      perform: ({ queue, jobId, start, length }: OnJob & Page) =>
        jobs.logs(queue, jobId, start, length),
    }),
    readAttempts: operation({
      id: 'readAttempts',
      access: 'read',
      perform: ({ queue, jobId }: OnJob) => jobs.attempts(queue, jobId),
      view: ({ count, attempts, group }, caller) => ({
        count,
        attempts: attempts.map((each) => shownTo(caller, attemptJson(each, group))),
      }),
    }),
    resendCallback: operation({
      id: 'resendCallback',
      access: 'operate',
      action: 'callback.resend',
      report: { line: 'Callback sent again by a client' },
      perform: async ({ queue, jobId }: OnJob) => callbacks.resend(await jobs.read(queue, jobId)),
    }),
  };
}

export type JobOperations = ReturnType<typeof jobOperations>;

function* callbacksIn(jobs: readonly JobInput[]): Generator<Callback | undefined> {
  for (const { opts } of jobs) yield opts?.callback;
}
