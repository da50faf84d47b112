import type { Caller } from '../../domain/access/caller.ts';
import { entitled, shownTo, type Visible } from '../../domain/access/visible.ts';
import { shownOptions } from '../../domain/jobs/callback.ts';
import { addedJobJson } from '../../domain/jobs/job-json.ts';
import type { Scheduler, SchedulerInput } from '../../domain/schedulers/scheduler.ts';
import type { Page } from '../../domain/values/page.ts';
import type { AllSchedulersQuery, Schedulers } from '../schedulers/schedulers.ts';
import { callbackQueues, callbackRights } from './callback-queues.ts';
import type { InQueue, Ordered, Previewable } from './in-queue.ts';
import { operation } from './operation.ts';
import { seenPieces } from './seen-pieces.ts';

interface OfScheduler extends InQueue {
  readonly schedulerId: string;
}

interface SaveInput extends OfScheduler, Ordered<SchedulerInput>, Previewable {}

const callbacksOf = ({ order }: Ordered<SchedulerInput>) => [order.job.opts?.callback];

/** Schedulers, which add jobs repeatedly. */
export function schedulerOperations(schedulers: Schedulers, queuePrefix: string) {
  return {
    save: operation({
      id: 'saveScheduler',
      access: 'configure',
      action: 'scheduler.save',
      rightsOf: (input: SaveInput) => callbackRights(callbacksOf(input)),
      queuesOf: (input: SaveInput) => callbackQueues(callbacksOf(input)),
      // Its first slot may be now.
      jobsOf: ({ dryRun }: SaveInput) => (dryRun ? 0 : 1),
      perform: ({ queue, schedulerId, order, dryRun }: SaveInput, { caller }) =>
        dryRun
          ? schedulers.preview(queue, schedulerId, order, caller)
          : schedulers.save(queue, schedulerId, order, caller),
      report: { line: 'Scheduler stored', hasChanged: (_, { dryRun }) => !dryRun },
      view: (scheduler, caller) => schedulerShownTo(caller, scheduler),
    }),
    read: operation({
      id: 'readScheduler',
      access: 'read',
      perform: ({ queue, schedulerId }: OfScheduler) => schedulers.read(queue, schedulerId),
      view: (scheduler, caller) => schedulerShownTo(caller, scheduler),
    }),
    remove: operation({
      id: 'removeScheduler',
      access: 'configure',
      action: 'scheduler.remove',
      perform: ({ queue, schedulerId }: OfScheduler) => schedulers.remove(queue, schedulerId),
      report: { line: 'Scheduler removed' },
    }),
    pause: operation({
      id: 'pauseScheduler',
      access: 'operate',
      action: 'scheduler.pause',
      perform: ({ queue, schedulerId }: OfScheduler) => schedulers.pause(queue, schedulerId),
      report: { line: 'Scheduler paused' },
    }),
    resume: operation({
      id: 'resumeScheduler',
      access: 'operate',
      action: 'scheduler.resume',
      perform: ({ queue, schedulerId }: OfScheduler) => schedulers.resume(queue, schedulerId),
      report: { line: 'Scheduler resumed' },
    }),
    run: operation({
      id: 'runScheduler',
      access: 'operate',
      action: 'scheduler.run',
      jobsOf: () => 1,
      perform: ({ queue, schedulerId }: OfScheduler) => schedulers.run(queue, schedulerId),
      report: { line: 'Scheduler run by a client' },
      view: (job, caller) => shownTo(caller, addedJobJson(job, queuePrefix)),
    }),
    listAll: operation({
      id: 'listAllSchedulers',
      access: 'read',
      perform: (query: AllSchedulersQuery, { caller }) => schedulers.listAll(query, caller.mayUse),
      view: (page, caller) => ({
        ...page,
        schedulers: page.schedulers.map((each) => schedulerShownTo(caller, each)),
      }),
    }),
    list: operation({
      id: 'listSchedulers',
      access: 'read',
      perform: ({ queue, ...page }: InQueue & Page) => schedulers.list(queue, page),
      view: (pieces, caller) =>
        seenPieces(pieces, (scheduler) => schedulerShownTo(caller, scheduler)),
    }),
  };
}

export type SchedulerOperations = ReturnType<typeof schedulerOperations>;

/**
 * A scheduler as a caller may see it: its values are those of the jobs that it adds, and header values of their
 * callbacks often hold secrets.
 */
function schedulerShownTo<Shown extends Scheduler>(
  caller: Caller,
  scheduler: Shown,
): Visible<Omit<Shown, 'job'> & { readonly job: object }> {
  const { job: template } = scheduler;
  const job = 'opts' in template ? { ...template, opts: shownOptions(template.opts) } : template;
  return entitled({ ...scheduler, job: shownTo(caller, job) });
}
