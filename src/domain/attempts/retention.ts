import { boolean, either, integer, object, optional, type Shaped } from '../values/shape.ts';

const fields = {
  count: optional(integer(0), 'Most jobs to keep'),
  age: optional(integer(0), 'How long to keep a job, in seconds'),
};

/** How many finished jobs stay, and for how long. Both, either or none may be set. */
export const retentionShape = object('Retention', fields, 'be an object of count and age');

export type Retention = Shaped<typeof retentionShape>;

/** What a job says of itself and those that ended before it: whether it goes, or how many stay. */
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

/** Most jobs that go for their age when another one ends: more of them go with those that end next. */
export const MOST_REMOVED_FOR_AGE = 1000;

/** The rule for a job that ends: what it says itself goes before what its worker says. */
export function retentionFor(
  own: JobRetention | undefined,
  ofWorker: Retention | undefined,
): Retention {
  if (own === undefined) return ofWorker ?? {};
  if (typeof own === 'boolean') return own ? { count: 0 } : {};
  return typeof own === 'number' ? { count: own } : own;
}

/** Whether a job that ends under the rule goes itself. It then says nothing of those that ended before, as in BullMQ. */
export function removesItself({ count }: Retention): boolean {
  return count === 0;
}
