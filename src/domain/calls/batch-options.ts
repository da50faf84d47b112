import {
  boolean,
  integer,
  object,
  oneOf,
  optional,
  required,
  type Shaped,
} from '../values/shape.ts';

/** Maximum size (bytes) of the body of a call for several jobs, unless the worker sets another. */
export const DEFAULT_MAX_BYTES = 1_000_000;

/** How a worker receives several jobs in one call (platform contract, section 14). */
export const batchShape = object('Batch', {
  size: required(integer(2, 1000), 'Most jobs of a call'),
  wait: optional(
    integer(0, 60_000),
    'Milliseconds that a call waits for more jobs after its first was ready; 0 unless given',
  ),
  maxBytes: optional(
    integer(1),
    `Most bytes of the body, unless one job alone is larger; ${DEFAULT_MAX_BYTES} unless given`,
  ),
  by: optional(
    oneOf('queue', 'group', 'name'),
    'Which jobs share a call: those of the queue unless given, of one group, or of one name',
  ),
  split: optional(
    boolean,
    'Whether the jobs of a call that failed come again in halves until each is alone; not unless given',
  ),
});

export type BatchOptions = Shaped<typeof batchShape>;
