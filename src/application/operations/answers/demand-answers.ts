import type { TotalWanted, WantedWorkers } from '../../queues/scaling-demands.ts';
import { integer, object, required, type Field } from '../../../domain/values/shape.ts';

const count = integer(0);

const demandFields = {
  demand: required(count, 'How many jobs want workers: `waiting`, `due` and `active` together'),
  waiting: required(count, 'How many of the waiting jobs could start now'),
  due: required(count, 'How many delayed jobs are due and could start now'),
  active: required(count, 'How many jobs run'),
  oldest: required(
    count,
    'For how many milliseconds the oldest job that could start could have; 0 without one',
  ),
  wanted: required(count, 'How many workers that is, at `perWorker` jobs each, rounded up'),
} as const satisfies Record<keyof WantedWorkers, Field>;

export const demandAnswer = object('Demand', demandFields);

export const totalDemandAnswer = object('TotalDemand', {
  ...demandFields,
  queues: required(count, 'How many queues these are'),
} as const satisfies Record<keyof TotalWanted, Field>);
