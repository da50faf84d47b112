import type { RIGHTS } from '../values/rights.ts';

export type Right = (typeof RIGHTS)[number];
