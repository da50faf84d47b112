import { bounded, text } from '../values/shape.ts';
import { isPrintable } from '../values/text.ts';

/** The longest name of a queue that a record refers to. */
const MOST_QUEUE_NAME = 1000;

/** The name of a queue that a stored record refers to: the limits of names may be others when it is read. */
export const queueReferenceShape = bounded(
  MOST_QUEUE_NAME,
  text('be the name of a queue', (name) => name !== '' && !name.includes(':') && isPrintable(name)),
);
