import { expect } from 'chai';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { Json } from '../../src/domain/values/json.ts';
import type { QueueHarness } from './queue-harness.ts';
import { addOne, countsOf, FAILED, jobOf, process, uniqueQueue } from './queue-steps.ts';

/** Two queues whose jobs all failed. @returns the one with so many jobs, and another one with a single job. */
export async function manyEndedBesideOne(
  { queues, attempts, advance, expiry }: QueueHarness,
  count: number,
  data: Json = null,
): Promise<readonly [large: QueueName, small: QueueName]> {
  const [large, small] = [uniqueQueue(), uniqueQueue()];
  await queues.add(
    large,
    Array.from({ length: count }, () => jobOf({ ttl: 1 }, data)),
  );
  await advance(2);
  while (!(await expiry.expireDue()).isDone);
  expect(await countsOf(queues, large)).to.include({ failed: count });
  await addOne(queues, small);
  await process(attempts, small, FAILED);
  return [large, small];
}
