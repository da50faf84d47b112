import { integer, object, optional, required, type Shaped } from '../values/shape.ts';
import { groupIdShape } from './group-id.ts';

export const DEFAULT_COST = 1;

/** The group of a job (platform contract, section 13). */
export const jobGroupShape = object('JobGroup', {
  id: required(groupIdShape, 'The group that the job belongs to'),
  cost: optional(
    integer(1, 1000),
    `How much of the turns of its group the job takes; ${DEFAULT_COST} unless given`,
  ),
});

export type JobGroup = Shaped<typeof jobGroupShape>;
