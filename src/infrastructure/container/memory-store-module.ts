import { ContainerModule } from 'inversify';
import { memoryStoreHealth } from '../../adapters/outbound/memory/ports/memory-store-health.ts';
import { Steps } from '../../adapters/outbound/memory/ports/steps.ts';
import { StoreRecords } from '../../adapters/outbound/memory/records/store-records.ts';
import { MemoryRoom } from '../../adapters/outbound/memory/room/memory-room.ts';
import { ProcessHeap } from '../../adapters/shared/process-heap.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { Config } from '../config/config.ts';
import { bindMemoryStore } from './stores-in-memory.ts';
import { tokens } from './tokens.ts';

/** STORE=memory: everything lives in this process and ends with it. */
export function memoryStoreModule(config: Config, logger: LoggerPort): ContainerModule {
  const room = new MemoryRoom(new ProcessHeap(), logger);
  return new ContainerModule(({ bind }) => {
    bindMemoryStore(bind, config, { records: new StoreRecords(), room, steps: new Steps() });
    bind(tokens.storeHealth).toConstantValue(memoryStoreHealth(room));
    bind(tokens.storeBackup).toResolvedValue(() => undefined);
    bind(tokens.storeFolder).toResolvedValue(() => undefined);
    bind(tokens.store).toConstantValue({
      name: 'memory store',
      start: () => {
        room.start();
        return Promise.resolve();
      },
      stop: () => {
        room.stop();
        return Promise.resolve();
      },
    });
  });
}
