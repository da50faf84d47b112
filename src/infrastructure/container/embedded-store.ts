import { ChangedRecords } from '../../adapters/outbound/memory/records/changed-records.ts';
import { EmbeddedBackups } from '../../adapters/outbound/embedded/embedded-backups.ts';
import { embeddedStoreHealth } from '../../adapters/outbound/embedded/embedded-store-health.ts';
import { KeptValues } from '../../adapters/outbound/memory/records/kept-values.ts';
import {
  RECENT_BYTES,
  RecentPayloads,
} from '../../adapters/outbound/memory/state/recent-payloads.ts';
import { EmbeddedStore } from '../../adapters/outbound/embedded/embedded-store.ts';
import { writtenSteps } from '../../adapters/outbound/embedded/written-steps.ts';
import { ThreadCalls } from '../../adapters/outbound/embedded/file/thread-calls.ts';
import type { Disk } from '../../adapters/outbound/embedded/written-port.ts';
import { writtenPorts } from '../../adapters/outbound/embedded/written-ports.ts';
import { MemorySignals } from '../../adapters/outbound/memory/ports/memory-signals.ts';
import { Steps } from '../../adapters/outbound/memory/ports/steps.ts';
import { MemoryRoom } from '../../adapters/outbound/memory/room/memory-room.ts';
import { ProcessHeap } from '../../adapters/shared/process-heap.ts';
import { StoreRecords } from '../../adapters/outbound/memory/records/store-records.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { Config, EmbeddedStoreConfig } from '../config/config.ts';
import { endProcess } from './end-process.ts';
import type { MakeStore } from './store-module.ts';
import { storeInMemory } from './stores-in-memory.ts';

const FAILED = 'The store failed: what it was writing may or may not be stored';

/** STORE=embedded: the memory of this process, kept in a folder. */
export function embeddedStore(
  config: Config,
  { path }: EmbeddedStoreConfig,
  logger: LoggerPort,
): MakeStore {
  // It starts while the other parts of the service are loaded.
  const thread = ThreadCalls.start();
  return (...surroundings) => {
    const changed = new ChangedRecords();
    const keptValues = new KeptValues();
    const payloads = new RecentPayloads(RECENT_BYTES, (key) => changed.areValuesStored(key));
    const records = new StoreRecords(changed, keptValues, payloads);
    const room = new MemoryRoom(new ProcessHeap(), logger);
    const disk: Disk = {
      check: (grows) => embedded.check(grows),
      written: () => embedded.written(),
      keptUp: () => embedded.keptUp(),
      shown: (queue, jobId) => embedded.shown(queue, jobId),
    };
    const { store: queues, ports } = storeInMemory(config, surroundings, {
      records,
      room,
      steps: new Steps(writtenSteps(disk)),
      keptIn: { path, isFull: () => embedded.isFull },
      written: (all, store) => writtenPorts(all, store, disk, changed),
      scrub: () => embedded.scrub(),
    });
    const parts = { queues, records, changed, keptValues, room };
    const failed = endProcess(logger, FAILED);
    const embedded: EmbeddedStore = new EmbeddedStore(path, parts, logger, failed, thread);
    return {
      ...ports,
      signals: new MemorySignals(),
      store: embedded,
      storeBackup: new EmbeddedBackups(path, (file, ending) => embedded.backup(file, ending)),
      storeHealth: embeddedStoreHealth(embedded, room),
      storeFolder: {
        name: 'folder of the store',
        start: () => embedded.take(),
        stop: () => embedded.release(),
      },
    };
  };
}
