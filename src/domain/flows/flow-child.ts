import { JOB_STATES } from '../jobs/job-status.ts';
import {
  anyJson,
  nullable,
  oneOf,
  optional,
  required,
  string,
  type Members,
} from '../values/shape.ts';

/** A child of a job, as its parent sees it. */
export const flowChildFields = {
  queue: required(string, 'The queue of the job'),
  id: required(string, 'The id in its queue'),
  name: required(nullable(string), 'The kind of job; null when it is gone'),
  state: required(
    nullable(oneOf(...JOB_STATES)),
    'Where it is, or how it ended for its parent; null when it is gone and did not end before',
  ),
  returnvalue: optional(anyJson, 'The answer of the endpoint; null until it completes'),
};

export type FlowChild = Members<typeof flowChildFields>;
