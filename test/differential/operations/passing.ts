import fc from 'fast-check';
import { operation } from '../operation.ts';
import { PERIOD } from '../time.ts';

export const passing = {
  pass: operation(
    6,
    fc.record({ periods: fc.constantFrom(1, 1, 1, 1, 2, 2, 61) }),
    (stage, { periods }) => stage.harness.advance(periods * PERIOD),
  ),
  expireDue: operation(2, fc.record({}), async ({ harness }) => {
    const { expired, isDone } = await harness.expiry.expireDue();
    return {
      isDone,
      expired: Object.fromEntries(
        expired.map(({ queue, jobs }) => [
          queue,
          jobs.map(({ id, reason }) => `${id}: ${reason}`).toSorted(),
        ]),
      ),
    };
  }),
};
