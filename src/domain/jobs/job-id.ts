import { text } from '../values/shape.ts';
import { hasLength, INVISIBLE_CHARACTERS, isPrintable, isUnmistakable } from '../values/text.ts';

/**
 * Names that the store uses for a queue's own keys. A job with such an id would overwrite the queue itself. Every store
 * refuses them, so that jobs can move from one store to another.
 */
const RESERVED_IDS: ReadonlySet<string> = new Set([
  'active',
  'completed',
  'de',
  'delayed',
  'dn',
  'events',
  'failed',
  'id',
  'limiter',
  'marker',
  'meta',
  'metrics',
  'paused',
  'pc',
  'prioritized',
  'priority',
  'repeat',
  'stalled',
  'stalled-check',
  'wait',
  'waiting-children',
]);

export function isReservedJobId(id: string): boolean {
  return RESERVED_IDS.has(id);
}

/** In a URL these mean something other than a job: the parent path, or an action on jobs. */
const UNADDRESSABLE_IDS: ReadonlySet<string> = new Set(['.', '..', 'search', 'claim']);

const MAX_LENGTH = 255;

/** A custom id must look neither like an automatic one (digits) nor like another key of the queue. */
export const customJobId = text(
  `be a string of 1 to ${MAX_LENGTH} characters that is not a number, has no ":", control or ` +
    'invisible characters and is not a reserved name',
  (id) =>
    hasLength(id, 1, MAX_LENGTH) &&
    isPrintable(id) &&
    isUnmistakable(id) &&
    !/^-?\d+$/.test(id) &&
    !id.includes(':') &&
    !UNADDRESSABLE_IDS.has(id) &&
    !isReservedJobId(id),
  {
    minLength: 1,
    maxLength: MAX_LENGTH,
    pattern: `^(?!-?[0-9]+$)[^:\\u0000-\\u001f\\u007f-\\u009f${INVISIBLE_CHARACTERS}]*$`,
    not: { enum: [...UNADDRESSABLE_IDS, ...RESERVED_IDS] },
  },
);
