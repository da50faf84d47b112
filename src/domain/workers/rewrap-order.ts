import { boolean, object, optional, type Shaped } from '../values/shape.ts';

export const rewrapOrderShape = object('RewrapOrder', {
  dryRun: optional(boolean, 'Whether only to count'),
});

/** That all secrets be encrypted with the current key. */
export type RewrapOrder = Shaped<typeof rewrapOrderShape>;
