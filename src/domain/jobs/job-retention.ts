import { boolean, either, integer, object, optional, type Shaped } from '../values/shape.ts';

const fields = {
  count: optional(integer(0), 'Most jobs to keep'),
  age: optional(integer(0), 'How long to keep a job, in seconds'),
};

/** How many finished jobs to keep, and for how long. Both, either or none may be set. */
export const retentionShape = object('Retention', fields, 'be an object of count and age');

export type Retention = Shaped<typeof retentionShape>;

/** The retention option of a job: whether to remove it, or how many ended jobs to keep. */
export const jobRetentionShape = either(
  'boolean',
  boolean,
  either(
    'number',
    integer(0),
    object('Retention', fields, 'be true, false, a number of jobs, or an object of count and age'),
  ),
);

export type JobRetention = Shaped<typeof jobRetentionShape>;
