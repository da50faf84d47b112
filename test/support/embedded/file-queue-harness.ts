import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChangedRecords } from '../../../src/adapters/outbound/memory/records/changed-records.ts';
import { EmbeddedStore } from '../../../src/adapters/outbound/embedded/embedded-store.ts';
import { EndedJobs } from '../../../src/adapters/outbound/memory/records/ended-jobs.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import type { QueueHarness } from '../../contracts/queue-harness.ts';
import { memoryQueueHarness } from '../memory-queue-harness.ts';
import { currentPorts } from '../reopened-queue-harness.ts';
import { silentLogger } from '../silent-logger.ts';

/**
 * Queues of an embedded store with a folder of its own. Every method returns once all that changed is on the disk, so
 * jobs that ended have left the memory by then.
 */
export async function fileQueueHarness(): Promise<QueueHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'jobgate-'));
  const [changed, endedJobs] = [new ChangedRecords(), new EndedJobs()];
  const records = new StoreRecords(changed, endedJobs);
  const harness = memoryQueueHarness('test', undefined, records);
  const parts = { queues: harness.store, records, changed, endedJobs };
  const store = new EmbeddedStore(folder, parts, silentLogger, (error) => {
    throw error;
  });
  await store.take();
  await store.start(new AbortController().signal);
  const replica = currentPorts(
    () => harness,
    () => store.written(),
  );
  return {
    ...replica,
    prefix: harness.prefix,
    now: () => harness.now(),
    advance: async (ms) => {
      await harness.advance(ms);
      await store.written();
    },
    entriesOfGroups: (queues) => harness.entriesOfGroups(queues),
    replica: () => Promise.resolve(replica),
    dispose: async () => {
      await store.stop();
      await store.release();
      await rm(folder, { recursive: true });
    },
  };
}
