import { memoryPorts } from '../../src/adapters/outbound/memory/ports/memory-ports.ts';
import { MemorySignals } from '../../src/adapters/outbound/memory/ports/memory-signals.ts';
import { MemorySystem } from '../../src/adapters/outbound/memory/ports/memory-system.ts';
import { Steps } from '../../src/adapters/outbound/memory/ports/steps.ts';
import { StoreRecords } from '../../src/adapters/outbound/memory/records/store-records.ts';
import type { MemoryStore } from '../../src/adapters/outbound/memory/state/memory-store.ts';
import type { ClockPort } from '../../src/application/ports/clock-port.ts';
import type { StorePorts } from '../../src/application/store-ports.ts';
import { ampleRoom } from './ample-room.ts';
import { memoryStore } from './memory-store.ts';

/** The memory store, whole, for tests of what stands above it. */
export interface MemoryStores extends StorePorts {
  readonly signals: MemorySignals;
}

export function memoryStores(clock: ClockPort): MemoryStores {
  return { ...portsOf(memoryStore(clock), clock), signals: new MemorySignals() };
}

/** The ports of a store in memory that nothing limits. */
export function portsOf(
  store: MemoryStore,
  clock: ClockPort,
  records = new StoreRecords(),
  auditEntries = 10_000,
): StorePorts {
  return memoryPorts({
    store,
    records,
    shared: new StoreRecords(),
    system: new MemorySystem(store, ampleRoom),
    clock,
    auditEntries,
    steps: new Steps(),
  });
}
