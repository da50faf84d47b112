import type { QueueHarness } from '../contracts/queue-harness.ts';
import { currentPorts } from './current-ports.ts';

/** How often the clock is advanced before the replicas change places: the other one has several rounds to take by then. */
const TURN = 3;

/** A store of two replicas, which change places as the clock is advanced. */
export async function alternatingHarness(harness: QueueHarness): Promise<QueueHarness> {
  const other = await harness.replica();
  let advanced = 0;
  const isOther = (): boolean => Math.floor(advanced / TURN) % 2 === 1;
  const second = currentPorts(() => (isOther() ? harness : other));
  return {
    ...currentPorts(() => (isOther() ? other : harness)),
    prefix: harness.prefix,
    now: () => harness.now(),
    advance: async (ms) => {
      await harness.advance(ms);
      advanced += 1;
    },
    entriesOfGroups: (queues) => harness.entriesOfGroups(queues),
    replica: () => Promise.resolve(second),
    dispose: () => harness.dispose(),
  };
}
