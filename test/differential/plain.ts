import { batchIdOf } from '../../src/domain/attempts/batch.ts';
import { HOUR } from '../contracts/queue-steps.ts';

/** Options by which a store plans the next job of a scheduler: each has its own. */
const LAYOUT = {
  repeat: undefined,
  repeatJobKey: undefined,
  prevMillis: undefined,
  timestamp: undefined,
};

/** The value as JSON, with times as they passed since the play began, and without what is of one store alone. */
export function plain(value: object, began: number): unknown {
  const text = JSON.stringify(value, (key, each: unknown) => {
    if (key === 'opts') return { ...(each as object), ...LAYOUT };
    // It is left to the store which token of a call with several jobs a job gets.
    if (key === 'token' && typeof each === 'string') return batchIdOf(each);
    if (typeof each === 'number' && each > began - HOUR) return each - began;
    return each;
  });
  return JSON.parse(text);
}
