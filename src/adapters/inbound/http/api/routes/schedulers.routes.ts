import type { Schedulers } from '../../../../../application/schedulers/schedulers.ts';
import { addedJobJson } from '../../../../../domain/jobs/job-json.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { jsonList } from '../../messages/json-list.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { json, OK } from '../../messages/reply.ts';
import { requireCallbackQueues } from '../callback-queues.ts';
import { route, type Route } from '../route.ts';
import { schedulerShownTo, shownTo } from '../shown-values.ts';
import {
  addedJobAnswer,
  allSchedulersAnswer,
  schedulerAnswer,
  schedulersAnswer,
} from '../schemas/answer-shapes.ts';
import { schedulerBody } from '../schemas/body-formats.ts';
import {
  allSchedulersQuery,
  schedulerPreviewQuery,
  schedulersPageQuery,
} from '../schemas/query-schemas.ts';

/** Schedulers, which add jobs repeatedly. */
export function schedulerRoutes(
  schedulers: Schedulers,
  turns: EventLoopTurns,
  queuePrefix: string,
): readonly Route[] {
  const one = {
    tag: 'Schedulers',
    path: '/queues/:queue/schedulers/:schedulerId',
  } as const;

  return [
    route({
      ...one,
      method: 'PUT',
      access: 'configure',
      operationId: 'saveScheduler',
      action: 'scheduler.save',
      summary: 'Store a scheduler, which adds jobs repeatedly, in place of any other of its id',
      description:
        'Jobs come by a cron pattern in a time zone, or in an interval. With `dryRun` nothing is ' +
        'stored, and the answer has the next slots.',
      replies: { 200: jsonContent(schedulerAnswer, 'The scheduler') },
      errors: ['request-too-large', 'too-many-schedulers'],
      body: schedulerBody,
      query: schedulerPreviewQuery,
      handle: async ({ parameters: { queue, schedulerId }, body, query: { dryRun }, caller }) => {
        requireCallbackQueues(caller, [body.job.opts?.callback]);
        const scheduler = dryRun
          ? await schedulers.preview(queue, schedulerId, body)
          : await schedulers.save(queue, schedulerId, body);
        const reply = json(schedulerShownTo(caller, scheduler));
        return dryRun ? reply : { line: 'Scheduler stored', reply };
      },
    }),
    route({
      ...one,
      method: 'GET',
      access: 'read',
      operationId: 'readScheduler',
      summary: 'Read a scheduler',
      description: 'With its template, its next slots and its latest job.',
      replies: { 200: jsonContent(schedulerAnswer, 'The scheduler') },
      errors: ['scheduler-not-found'],
      handle: async ({ parameters: { queue, schedulerId }, caller }) =>
        json(schedulerShownTo(caller, await schedulers.read(queue, schedulerId))),
    }),
    route({
      ...one,
      method: 'DELETE',
      access: 'configure',
      operationId: 'removeScheduler',
      action: 'scheduler.remove',
      summary: 'Remove a scheduler and its next job',
      description: 'Jobs that it has added and that have started stay.',
      replies: { 200: okContent('The scheduler is removed') },
      errors: ['scheduler-not-found'],
      handle: async ({ parameters: { queue, schedulerId } }) => {
        await schedulers.remove(queue, schedulerId);
        return { line: 'Scheduler removed', reply: OK };
      },
    }),
    route({
      ...one,
      method: 'POST',
      path: '/queues/:queue/schedulers/:schedulerId/pause',
      access: 'operate',
      operationId: 'pauseScheduler',
      action: 'scheduler.pause',
      summary: 'Pause a scheduler: it adds no jobs until it is resumed',
      description: 'Slots that pass while it is paused are not made up for.',
      replies: { 200: okContent('The scheduler is paused') },
      errors: ['scheduler-not-found'],
      handle: async ({ parameters: { queue, schedulerId } }) => {
        await schedulers.pause(queue, schedulerId);
        return { line: 'Scheduler paused', reply: OK };
      },
    }),
    route({
      ...one,
      method: 'POST',
      path: '/queues/:queue/schedulers/:schedulerId/resume',
      access: 'operate',
      operationId: 'resumeScheduler',
      action: 'scheduler.resume',
      summary: 'Resume a scheduler with the next slot to come',
      description: 'Slots that passed while it was paused are not made up for.',
      replies: { 200: okContent('The scheduler is not paused') },
      errors: ['scheduler-not-found'],
      handle: async ({ parameters: { queue, schedulerId } }) => {
        await schedulers.resume(queue, schedulerId);
        return { line: 'Scheduler resumed', reply: OK };
      },
    }),
    route({
      ...one,
      method: 'POST',
      path: '/queues/:queue/schedulers/:schedulerId/run',
      access: 'operate',
      operationId: 'runScheduler',
      action: 'scheduler.run',
      summary: 'Add a job like those of the scheduler now, outside its schedule',
      description: 'The answer has the job. The schedule does not change by it.',
      replies: { 200: jsonContent(addedJobAnswer, 'The job') },
      errors: ['scheduler-not-found', 'queue-full'],
      jobsOf: () => 1,
      handle: async ({ parameters: { queue, schedulerId }, caller }) => {
        const job = await schedulers.run(queue, schedulerId);
        const reply = json(shownTo(caller, addedJobJson(job, queuePrefix)));
        return { line: 'Scheduler run by a client', reply };
      },
    }),
    route({
      access: 'read',
      tag: 'Schedulers',
      method: 'GET',
      path: '/schedulers',
      operationId: 'listAllSchedulers',
      summary: 'List the schedulers of all queues, the next to add a job first',
      description: 'Those of queues that the token may not use are left out.',
      replies: { 200: jsonContent(allSchedulersAnswer, 'A page of the schedulers') },
      query: allSchedulersQuery,
      handle: async ({ query, caller }) => {
        const page = await schedulers.listAll(query, caller.mayUse);
        const shown = page.schedulers.map((each) => schedulerShownTo(caller, each));
        return json({ ...page, schedulers: shown });
      },
    }),
    route({
      ...one,
      method: 'GET',
      path: '/queues/:queue/schedulers',
      access: 'read',
      operationId: 'listSchedulers',
      summary: 'List the schedulers of a queue',
      description: 'Each with its template, its next slots and its latest job.',
      replies: {
        200: jsonContent(schedulersAnswer, 'A page of the schedulers, the next to add a job first'),
      },
      errors: ['queue-not-found'],
      query: schedulersPageQuery,
      handle: async ({ parameters: { queue }, query, caller }) => {
        const pieces = await schedulers.list(queue, query);
        return jsonList(
          pieces,
          (scheduler) => schedulerShownTo(caller, scheduler),
          (page) => page,
          turns,
        );
      },
    }),
  ];
}
