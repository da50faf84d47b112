import { MemorySignals } from '../../adapters/outbound/memory/ports/memory-signals.ts';
import { memoryStoreHealth } from '../../adapters/outbound/memory/ports/memory-store-health.ts';
import { Steps } from '../../adapters/outbound/memory/ports/steps.ts';
import { StoreRecords } from '../../adapters/outbound/memory/records/store-records.ts';
import { MemoryRoom } from '../../adapters/outbound/memory/room/memory-room.ts';
import { ProcessHeap } from '../../adapters/shared/process-heap.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { Config } from '../config/config.ts';
import type { MakeStore } from './store-module.ts';
import { storeInMemory } from './stores-in-memory.ts';

/** STORE=memory: everything lives in this process and ends with it. */
export function memoryStore(config: Config, logger: LoggerPort): MakeStore {
  return (...surroundings) => {
    const room = new MemoryRoom(new ProcessHeap(), logger);
    const keeping = { records: new StoreRecords(), room, steps: new Steps() };
    return {
      ...storeInMemory(config, surroundings, keeping).ports,
      signals: new MemorySignals(),
      storeHealth: memoryStoreHealth(room),
      store: {
        name: 'memory store',
        start: () => {
          room.start();
          return Promise.resolve();
        },
        stop: () => {
          room.stop();
          return Promise.resolve();
        },
      },
    };
  };
}
