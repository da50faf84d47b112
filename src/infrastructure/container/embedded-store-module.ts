import { ContainerModule } from 'inversify';
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
import { Steps } from '../../adapters/outbound/memory/ports/steps.ts';
import { MemoryRoom } from '../../adapters/outbound/memory/room/memory-room.ts';
import { ProcessHeap } from '../../adapters/shared/process-heap.ts';
import { StoreRecords } from '../../adapters/outbound/memory/records/store-records.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { Config, EmbeddedStoreConfig } from '../config/config.ts';
import { endProcess } from './end-process.ts';
import { bindMemoryStore, memoryStore, portsInMemory } from './stores-in-memory.ts';
import { token, tokens } from './tokens.ts';

const FAILED = 'The store failed: what it was writing may or may not be stored';

const embeddedStore = token<EmbeddedStore>('embedded store');

/** STORE=embedded: the memory of this process, kept in a folder. */
export function embeddedStoreModule(
  config: Config,
  { path }: EmbeddedStoreConfig,
  logger: LoggerPort,
): ContainerModule {
  // It starts while the other parts of the service are loaded.
  const thread = ThreadCalls.start();
  const changed = new ChangedRecords();
  const keptValues = new KeptValues();
  const payloads = new RecentPayloads(RECENT_BYTES, (key) => changed.areValuesStored(key));
  const records = new StoreRecords(changed, keptValues, payloads);
  const room = new MemoryRoom(new ProcessHeap(), logger);
  let store: EmbeddedStore | undefined;
  const disk: Disk = {
    check: (grows) => store?.check(grows),
    written: () => store?.written() ?? Promise.resolve(),
    keptUp: () => store?.keptUp() ?? Promise.resolve(),
    shown: (queue, jobId) => store?.shown(queue, jobId),
  };
  return new ContainerModule(({ bind }) => {
    bindMemoryStore(bind, config, {
      records,
      room,
      steps: new Steps(writtenSteps(disk)),
      keptIn: { path, isFull: () => store?.isFull === true },
      written: (ports, queues) => writtenPorts(ports, queues, disk, changed),
      scrub: () => store?.scrub() ?? Promise.resolve(),
    });
    bind(embeddedStore).toDynamicValue((context) => {
      // All ports that keep records are there before any record is read.
      context.get(portsInMemory);
      const queues = context.get(memoryStore);
      const parts = { queues, records, changed, keptValues, room };
      store = new EmbeddedStore(path, parts, logger, endProcess(logger, FAILED), thread);
      return store;
    });
    bind(tokens.store).toResolvedValue((embedded) => embedded, [embeddedStore]);
    bind(tokens.storeBackup).toResolvedValue(
      (embedded) => new EmbeddedBackups(path, (file, ending) => embedded.backup(file, ending)),
      [embeddedStore],
    );
    bind(tokens.storeHealth).toResolvedValue(
      (embedded) => embeddedStoreHealth(embedded, room),
      [embeddedStore],
    );
    bind(tokens.storeFolder).toResolvedValue(
      (embedded) => ({
        name: 'folder of the store',
        start: () => embedded.take(),
        stop: () => embedded.release(),
      }),
      [embeddedStore],
    );
  });
}
