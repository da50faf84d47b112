import { integer } from '../values/shape.ts';

/** How many jobs one call of a search may return. */
export const searchLength = integer(1, 100);
