import fc from 'fast-check';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueReplica } from '../../contracts/queue-harness.ts';
import { queue, replica } from '../choices.ts';
import { operation } from '../operation.ts';
import { LATER } from '../time.ts';
import { DEDUPLICATION } from './adding.ts';

/** The actions on whole queues. */
export const queues = {
  pause: ofQueue(1, {}, ({ queueControl }, name) => queueControl.pause(name)),
  resume: ofQueue(1, {}, ({ queueControl }, name) => queueControl.resume(name)),
  hold: ofQueue(1, {}, async ({ queueControl }, name) => {
    // Its end is by the clock of the store.
    await queueControl.hold(name, LATER);
  }),
  endHold: ofQueue(1, {}, ({ queueControl }, name) => queueControl.endHold(name)),
  closeBreaker: ofQueue(1, {}, ({ breakers }, name) => breakers.close(name)),
  endDeduplication: ofQueue(1, {}, ({ queueControl }, name) =>
    queueControl.endDeduplication(name, DEDUPLICATION),
  ),
  drain: ofQueue(1, { delayed: fc.boolean() }, ({ queueControl }, name, { delayed }) =>
    queueControl.drain(name, { delayed }),
  ),
  removeQueue: ofQueue(1, { isForced: fc.boolean() }, ({ queueControl }, name, { isForced }) =>
    queueControl.remove(name, isForced),
  ),
};

function ofQueue<Choice extends object>(
  weight: number,
  choices: { readonly [Name in keyof Choice]: fc.Arbitrary<Choice[Name]> },
  act: (ports: QueueReplica, queue: QueueName, choice: Choice) => Promise<unknown>,
) {
  const all = fc.record({ queue, replica, ...choices }) as fc.Arbitrary<
    { queue: number; replica: number } & Choice
  >;
  return operation(weight, all, (stage, choice) =>
    act(stage.replica(choice.replica), stage.queue(choice.queue), choice),
  );
}
