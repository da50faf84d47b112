import { ContainerModule } from 'inversify';
import { MemoryStoreHealth } from '../../adapters/outbound/memory/ports/memory-store-health.ts';
import { MemorySystem } from '../../adapters/outbound/memory/ports/memory-system.ts';
import { Steps } from '../../adapters/outbound/memory/ports/steps.ts';
import { StoreRecords } from '../../adapters/outbound/memory/records/store-records.ts';
import type { Config } from '../config/config.ts';
import { bindMemoryPorts, memoryStore, type Keeping } from './memory-ports.ts';
import { tokens } from './tokens.ts';
import { Wiring } from './wiring.ts';

/** STORE=memory: everything lives in this process and ends with it. */
export function memoryStoreModule(config: Config): ContainerModule {
  const keeping: Keeping = {
    records: new StoreRecords(),
    written: (port) => port,
    steps: new Steps(),
    isStored: () => true,
    scrub: () => Promise.resolve(),
  };
  return new ContainerModule(({ bind }) => {
    bindMemoryPorts(bind, config, keeping);
    new Wiring(bind).inOrder(tokens.systemPort, MemorySystem, [memoryStore]);
    bind(tokens.storeHealthPort).toConstantValue(new MemoryStoreHealth());
    bind(tokens.storeBackupPort).toResolvedValue(() => undefined);
    bind(tokens.storeFolder).toResolvedValue(() => undefined);
    bind(tokens.store).toConstantValue({
      name: 'memory store',
      start: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    });
  });
}
