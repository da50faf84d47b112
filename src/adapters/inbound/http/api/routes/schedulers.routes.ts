import type { SchedulerOperations } from '../../../../../application/operations/scheduler-operations.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { jsonList } from '../../messages/json-list.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import {
  addedJobAnswer,
  allSchedulersAnswer,
  schedulerAnswer,
  schedulersAnswer,
} from '../schemas/answer-shapes.ts';
import { schedulerBody } from '../schemas/body-formats.ts';
import { allSchedulersQuery, dryRunQuery, schedulersPageQuery } from '../schemas/query-schemas.ts';

/** Schedulers, which add jobs repeatedly. */
export function schedulerRoutes(
  schedulers: SchedulerOperations,
  turns: EventLoopTurns,
): readonly Route[] {
  const one = {
    tag: 'Schedulers',
    path: '/queues/:queue/schedulers/:schedulerId',
  } as const;

  return [
    route({
      ...one,
      method: 'PUT',
      operation: schedulers.save,
      summary: 'Store a scheduler, which adds jobs repeatedly, in place of any other of its id',
      description:
        'Jobs come by a cron pattern in a time zone, or in an interval. With `dryRun` nothing is ' +
        'stored, and the answer has the next slots.',
      replies: { 200: jsonContent(schedulerAnswer, 'The scheduler') },
      errors: ['request-too-large', 'too-many-schedulers'],
      body: schedulerBody,
      query: dryRunQuery,
    }),
    route({
      ...one,
      method: 'GET',
      operation: schedulers.read,
      summary: 'Read a scheduler',
      description: 'With its template, its next slots and its latest job.',
      replies: { 200: jsonContent(schedulerAnswer, 'The scheduler') },
      errors: ['scheduler-not-found'],
    }),
    route({
      ...one,
      method: 'DELETE',
      operation: schedulers.remove,
      summary: 'Remove a scheduler and its next job',
      description: 'Jobs that it has added and that have started stay.',
      replies: { 200: okContent('The scheduler is removed') },
      errors: ['scheduler-not-found'],
    }),
    route({
      ...one,
      method: 'POST',
      path: '/queues/:queue/schedulers/:schedulerId/pause',
      operation: schedulers.pause,
      summary: 'Pause a scheduler: it adds no jobs until it is resumed',
      description: 'Slots that pass while it is paused are not made up for.',
      replies: { 200: okContent('The scheduler is paused') },
      errors: ['scheduler-not-found'],
    }),
    route({
      ...one,
      method: 'POST',
      path: '/queues/:queue/schedulers/:schedulerId/resume',
      operation: schedulers.resume,
      summary: 'Resume a scheduler with the next slot to come',
      description: 'Slots that passed while it was paused are not made up for.',
      replies: { 200: okContent('The scheduler is not paused') },
      errors: ['scheduler-not-found'],
    }),
    route({
      ...one,
      method: 'POST',
      path: '/queues/:queue/schedulers/:schedulerId/run',
      operation: schedulers.run,
      summary: 'Add a job like those of the scheduler now, outside its schedule',
      description: 'The answer has the job. The schedule does not change by it.',
      replies: { 200: jsonContent(addedJobAnswer, 'The job') },
      errors: ['scheduler-not-found', 'queue-full'],
    }),
    route({
      tag: 'Schedulers',
      method: 'GET',
      path: '/schedulers',
      operation: schedulers.listAll,
      summary: 'List the schedulers of all queues, the next to add a job first',
      description: 'Those of queues that the token may not use are left out.',
      replies: { 200: jsonContent(allSchedulersAnswer, 'A page of the schedulers') },
      query: allSchedulersQuery,
    }),
    route({
      ...one,
      method: 'GET',
      path: '/queues/:queue/schedulers',
      operation: schedulers.list,
      summary: 'List the schedulers of a queue',
      description: 'Each with its template, its next slots and its latest job.',
      replies: {
        200: jsonContent(schedulersAnswer, 'A page of the schedulers, the next to add a job first'),
      },
      errors: ['queue-not-found'],
      query: schedulersPageQuery,
      reply: (pieces) => jsonList(pieces, (page) => page, turns),
    }),
  ];
}
