import {
  OVERLAPS,
  repeatShape,
  type Scheduler,
  type SchedulerTemplate,
  lastScheduledFields,
  runByHandShape,
} from '../../../domain/schedulers/scheduler.ts';
import { skippedSlotShape } from '../../../domain/schedulers/slot.ts';
import {
  anyJson,
  boolean,
  integer,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  required,
  string,
  type Field,
  time,
} from '../../../domain/values/shape.ts';
import { stopFields } from '../../../domain/values/stop.ts';
import type { ListedScheduler, AllSchedulersPage } from '../../schedulers/schedulers.ts';
import { templateOptions } from './job-answers.ts';

const schedulerTemplate = object('ScheduledJob', {
  name: required(string, 'The kind of job'),
  data: optional(anyJson, 'The data for the endpoint'),
  opts: required(object('ScheduledJobOptions', templateOptions), 'How each job is processed'),
} as const satisfies Record<keyof SchedulerTemplate, Field>);

const lastScheduled = object('LastScheduled', lastScheduledFields);

const schedulerFields = {
  id: required(string, 'The id of the scheduler in its queue'),
  repeat: required(repeatShape, 'When it makes jobs'),
  job: required(schedulerTemplate, 'The template of its jobs'),
  overlap: required(
    oneOf(...OVERLAPS),
    'Whether a slot that comes while the previous job has not ended still makes a job, or none',
  ),
  paused: required(boolean, 'Whether it makes no jobs until it is resumed'),
  pause: stopFields.pause,
  next: required(
    listOf(time),
    'The next five slots, or as many as there are, in milliseconds since 1970; none while it is paused',
  ),
  last: required(
    nullable(lastScheduled),
    'The job of a slot that started last; null before the first one',
  ),
  lastRunByHand: required(
    nullable(runByHandShape),
    'The job that `run` made last, apart from the slots; null before the first one',
  ),
  skipped: optional(
    skippedSlotShape,
    'The latest slot that made no job since the memory of the store was full; absent before the first one',
  ),
} as const satisfies Record<keyof Scheduler, Field>;

export const schedulerAnswer = object('Scheduler', schedulerFields);

export const allSchedulersAnswer = object('AllSchedulers', {
  total: required(integer(0), 'The number of schedulers on all pages together'),
  schedulers: required(
    listOf(
      object('ListedScheduler', {
        queue: required(string, 'The queue of the scheduler'),
        ...schedulerFields,
      } as const satisfies Record<keyof ListedScheduler, Field>),
    ),
    'The schedulers of this page',
  ),
} as const satisfies Record<keyof AllSchedulersPage, Field>);
