import type { Caller } from '../../domain/access/caller.ts';
import { entitled, shownTo, type Visible } from '../../domain/access/visible.ts';
import { shownOptions } from '../../domain/jobs/shown-options.ts';
import { addedJobJson } from '../../domain/jobs/job-json.ts';
import {
  type Scheduler,
  type SchedulerInput,
  SCHEDULER_SORTS,
  schedulerInputShape,
  templateTooLarge,
  MAX_LISTED_SCHEDULERS,
} from '../../domain/schedulers/scheduler.ts';
import { oneOf, integer, listOf } from '../../domain/values/shape.ts';
import { stopOrderShape } from '../../domain/values/stop.ts';
import type { AllSchedulersQuery, Schedulers } from '../schedulers/schedulers.ts';
import { addedJobAnswer } from './answers/job-answers.ts';
import { schedulerAnswer, allSchedulersAnswer } from './answers/scheduler-answers.ts';
import { callbackQueues, callbackRights } from './callback-queues.ts';
import { ofQueue } from './in-queue.ts';
import { type Option, place, withOptionalOrder, withOrder } from './input.ts';
import { operation } from './operation.ts';
import { previewable, patternList, pageOf } from './options.ts';
import { answers, done } from './out.ts';
import { seenPieces } from './seen-pieces.ts';

/** Nothing that may be stored takes more, even if the JSON text writes each character as an escape of six. */
const MAX_SCHEDULER_BODY = 1_048_576;

const schedulerSort = oneOf(...SCHEDULER_SORTS);

const sortOption: Option<AllSchedulersQuery['sort']> = {
  kind: 'option',
  description: 'The order of the schedulers: by their next job, or by their queue',
  schema: { ...schedulerSort.schema, default: 'next' },
  parse: (text = 'next', refuse) => {
    if (schedulerSort.accepts(text)) return text;
    refuse(`must ${schedulerSort.must}`);
    return 'next';
  },
};

const page = pageOf('schedulers', MAX_LISTED_SCHEDULERS, integer(0, MAX_LISTED_SCHEDULERS));

const ofScheduler = { ...ofQueue, schedulerId: place() };

const callbacksOf = ({ job }: SchedulerInput) => [job.opts?.callback];

/** Schedulers, which add jobs repeatedly. */
export function schedulerOperations(schedulers: Schedulers, queuePrefix: string) {
  return {
    saveScheduler: operation({
      access: 'configure',
      action: 'scheduler.save',
      summary: 'Store a scheduler, which adds jobs repeatedly, in place of any other of its id',
      description:
        'Jobs come by a cron pattern in a time zone, or in an interval. With `dryRun` nothing is ' +
        'stored, and the answer has the next slots.',
      in: {
        ...ofScheduler,
        ...previewable,
        ...withOrder(schedulerInputShape, 'a scheduler', {
          most: MAX_SCHEDULER_BODY,
          tooLarge: () => templateTooLarge('data'),
        }),
      },
      out: answers(schedulerAnswer, 'The scheduler'),
      errors: ['request-too-large', 'too-many-schedulers'],
      rightsOf: ({ order }) => callbackRights(callbacksOf(order)),
      queuesOf: ({ order }) => callbackQueues(callbacksOf(order)),
      // Its first slot may be now.
      jobsOf: ({ dryRun }) => (dryRun ? 0 : 1),
      perform: ({ queue, schedulerId, order, dryRun }, { caller }) =>
        dryRun
          ? schedulers.preview(queue, schedulerId, order, caller)
          : schedulers.save(queue, schedulerId, order, caller),
      view: (scheduler, caller) => schedulerShownTo(caller, scheduler),
      report: { line: 'Scheduler stored' },
    }),
    readScheduler: operation({
      access: 'read',
      summary: 'Read a scheduler',
      description: 'With its template, its next slots and its latest job.',
      in: ofScheduler,
      out: answers(schedulerAnswer, 'The scheduler'),
      errors: ['scheduler-not-found'],
      perform: ({ queue, schedulerId }) => schedulers.read(queue, schedulerId),
      view: (scheduler, caller) => schedulerShownTo(caller, scheduler),
    }),
    removeScheduler: operation({
      access: 'configure',
      action: 'scheduler.remove',
      summary: 'Remove a scheduler and its next job',
      description: 'Jobs that it has added and that have started stay.',
      in: ofScheduler,
      out: done('The scheduler is removed'),
      errors: ['scheduler-not-found'],
      perform: ({ queue, schedulerId }) => schedulers.remove(queue, schedulerId),
      report: { line: 'Scheduler removed' },
    }),
    pauseScheduler: operation({
      access: 'operate',
      action: 'scheduler.pause',
      summary: 'Pause a scheduler: it adds no jobs until it is resumed',
      description: 'Slots that pass while it is paused are not made up for.',
      in: { ...ofScheduler, ...withOptionalOrder(stopOrderShape, 'a reason') },
      out: done('The scheduler is paused'),
      errors: ['scheduler-not-found'],
      perform: ({ queue, schedulerId, order }, { caller }) =>
        schedulers.pause(queue, schedulerId, order, caller),
      report: { line: 'Scheduler paused' },
    }),
    resumeScheduler: operation({
      access: 'operate',
      action: 'scheduler.resume',
      summary: 'Resume a scheduler with the next slot to come',
      description: 'Slots that passed while it was paused are not made up for.',
      in: ofScheduler,
      out: done('The scheduler is not paused'),
      errors: ['scheduler-not-found'],
      perform: ({ queue, schedulerId }) => schedulers.resume(queue, schedulerId),
      report: { line: 'Scheduler resumed' },
    }),
    runScheduler: operation({
      access: 'operate',
      action: 'scheduler.run',
      summary: 'Add a job like those of the scheduler now, outside its schedule',
      description: 'The answer has the job. The schedule does not change by it.',
      in: ofScheduler,
      out: answers(addedJobAnswer, 'The job'),
      errors: ['scheduler-not-found', 'queue-full'],
      jobsOf: () => 1,
      perform: ({ queue, schedulerId }) => schedulers.run(queue, schedulerId),
      view: (job, caller) => shownTo(caller, addedJobJson(job, queuePrefix)),
      report: { line: 'Scheduler run by a client' },
    }),
    listAllSchedulers: operation({
      access: 'read',
      summary: 'List the schedulers of all queues, the next to add a job first',
      description: 'Those of queues that the token may not use are left out.',
      in: {
        ...page,
        queues: patternList(),
        sort: sortOption,
      },
      out: answers(allSchedulersAnswer, 'A page of the schedulers'),
      perform: (query, { caller }) => schedulers.listAll(query, caller.mayUse),
      view: (page, caller) => ({
        ...page,
        schedulers: page.schedulers.map((each) => schedulerShownTo(caller, each)),
      }),
    }),
    listSchedulers: operation({
      access: 'read',
      summary: 'List the schedulers of a queue',
      description: 'Each with its template, its next slots and its latest job.',
      in: {
        ...ofQueue,
        ...page,
      },
      out: answers(
        listOf(schedulerAnswer),
        'A page of the schedulers, the next to add a job first',
      ),
      errors: ['queue-not-found'],
      perform: ({ queue, ...page }) => schedulers.list(queue, page),
      view: (pieces, caller) =>
        seenPieces(pieces, (scheduler) => schedulerShownTo(caller, scheduler)),
    }),
  };
}

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
