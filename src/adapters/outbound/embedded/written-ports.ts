import { mapPorts, STORE_NATURES, type StorePorts } from '../../../application/store-ports.ts';
import type { ChangedRecords } from '../memory/records/changed-records.ts';
import type { MemoryStore } from '../memory/state/memory-store.ts';
import { attemptWaits } from './attempt-waits.ts';
import { writtenPort, type Disk } from './written-port.ts';

/** The ports of the memory store, whose answers wait for the disk where the natures of their methods have it so. */
export function writtenPorts(
  ports: StorePorts,
  store: MemoryStore,
  disk: Disk,
  changed: Pick<ChangedRecords, 'isAddStored'>,
): StorePorts {
  const waits = attemptWaits(store, (queue, jobId) => changed.isAddStored(queue, jobId));
  return {
    ...mapPorts(ports, (port, natures) => writtenPort(port, natures, disk)),
    attempts: writtenPort(ports.attempts, STORE_NATURES.attempts, disk, waits),
  };
}
