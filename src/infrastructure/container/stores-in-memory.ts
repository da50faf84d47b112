import { memoryPorts } from '../../adapters/outbound/memory/ports/memory-ports.ts';
import { MemorySystem, type KeptIn } from '../../adapters/outbound/memory/ports/memory-system.ts';
import type { Steps } from '../../adapters/outbound/memory/ports/steps.ts';
import { StoreRecords } from '../../adapters/outbound/memory/records/store-records.ts';
import { growingPort } from '../../adapters/outbound/memory/room/growing-port.ts';
import type { MemoryRoom } from '../../adapters/outbound/memory/room/memory-room.ts';
import { MemoryStore } from '../../adapters/outbound/memory/state/memory-store.ts';
import type { HooksOfQueues } from '../../application/ports/hooks-of-queues.ts';
import { mapPorts, type StorePorts } from '../../application/store-ports.ts';
import { stalledGrace } from '../../domain/attempts/stalled.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Config } from '../config/config.ts';
import { instanceName } from '../instance-name.ts';
import type { MakeStore } from './store-module.ts';

/** How the memory of a process is kept: not at all, or in a file. */
export interface Keeping {
  readonly records: StoreRecords;
  readonly room: MemoryRoom;
  /** Runs the steps of large requests, and has them stored. */
  readonly steps: Steps;
  readonly keptIn?: KeptIn;
  /** Has the answers of the ports wait until what they changed, or show, is on the disk. */
  readonly written?: (ports: StorePorts, store: MemoryStore) => StorePorts;
  /** Overwrites what was removed, once it is on the disk. */
  readonly scrub?: () => Promise<void>;
}

/** What the queues of a store have in memory. */
export function queueSettings({ queues, workers }: Config, hooks: HooksOfQueues) {
  const { eventsKept, prefix } = queues;
  const hooksOf = (queue: QueueName) => hooks.of(queue);
  const replica = instanceName();
  return {
    eventsKept,
    prefix,
    hooksOf,
    replica,
    stalledGrace: stalledGrace(workers.stalledInterval),
  };
}

/** The ports of a store in memory, which one process has. They are made before any record is read. */
export function storeInMemory(
  config: Config,
  [clock, calendar, hooks]: Parameters<MakeStore>,
  { records, room, steps, keptIn, written = (ports) => ports, scrub }: Keeping,
) {
  const settings = { ...queueSettings(config, hooks), skipsSlots: () => room.skipsSlots() };
  const shared = new StoreRecords();
  const store = new MemoryStore(clock, calendar, settings, records, shared);
  const system = new MemorySystem(store, room, keptIn);
  room.onChange(() => {
    void system.reportMemory(settings.replica);
  });
  const parts = { store, records, shared, system, clock, auditEntries: config.audit.kept, steps };
  const ports = written(memoryPorts({ ...parts, ...(scrub && { scrub }) }), store);
  return { store, ports: mapPorts(ports, (port, natures) => growingPort(port, natures, room)) };
}
