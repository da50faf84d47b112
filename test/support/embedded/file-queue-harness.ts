import { embeddedStoreHealth } from '../../../src/adapters/outbound/embedded/embedded-store-health.ts';
import type { QueueHarness } from '../../contracts/queue-harness.ts';
import { ampleRoom } from '../ample-room.ts';
import { currentPorts } from '../current-ports.ts';
import { memoryQueueHarness } from '../memory-queue-harness.ts';

import { StoreOnDisk } from './store-on-disk.ts';

/**
 * Queues of an embedded store with a folder of its own. Every method returns once all that changed is on the disk, so
 * jobs that ended have left the memory by then.
 */
export async function fileQueueHarness(): Promise<QueueHarness> {
  const disk = new StoreOnDisk();
  const harness = memoryQueueHarness('test', undefined, disk.records);
  await disk.open(harness.store);
  const replica = {
    ...currentPorts(
      () => harness,
      () => disk.written(),
    ),
    storeHealth: embeddedStoreHealth({ loaded: 1, hasFailed: false }, ampleRoom),
  };
  return {
    ...replica,
    prefix: harness.prefix,
    now: () => harness.now(),
    advance: async (ms) => {
      await harness.advance(ms);
      await disk.written();
    },
    entriesOfGroups: (queues) => harness.entriesOfGroups(queues),
    replica: () => Promise.resolve(replica),
    dump: () => disk.dump(),
    dispose: () => disk.close(),
  };
}
