import type { ContainerModuleLoadOptions } from 'inversify';
import { memoryPorts } from '../../adapters/outbound/memory/ports/memory-ports.ts';
import { MemorySignals } from '../../adapters/outbound/memory/ports/memory-signals.ts';
import { MemorySystem, type KeptIn } from '../../adapters/outbound/memory/ports/memory-system.ts';
import type { Steps } from '../../adapters/outbound/memory/ports/steps.ts';
import { StoreRecords } from '../../adapters/outbound/memory/records/store-records.ts';
import { growingPort } from '../../adapters/outbound/memory/room/growing-port.ts';
import type { MemoryRoom } from '../../adapters/outbound/memory/room/memory-room.ts';
import { MemoryStore } from '../../adapters/outbound/memory/state/memory-store.ts';
import { mapPorts, type StorePorts } from '../../application/store-ports.ts';
import { stalledGrace } from '../../domain/attempts/stalled.ts';
import type { Config } from '../config/config.ts';
import { instanceName } from '../instance-name.ts';
import { bindStorePorts } from './store-ports.ts';
import { token, tokens } from './tokens.ts';

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

export const memoryStore = token<MemoryStore>('memory store');

/** The ports of a store in memory: they are made before any record is read. */
export const portsInMemory = token<StorePorts>('ports in memory');

/** Binds a store in memory, which one process has. */
export function bindMemoryStore(
  bind: ContainerModuleLoadOptions['bind'],
  { queues, workers, audit }: Config,
  { records, room, steps, keptIn, written = (ports) => ports, scrub }: Keeping,
): void {
  const settings = {
    stalledGrace: stalledGrace(workers.stalledInterval),
    eventsKept: queues.eventsKept,
    prefix: queues.prefix,
    replica: instanceName(),
    skipsSlots: () => room.skipsSlots(),
  };
  bind(memoryStore).toResolvedValue(
    (clock, calendar, hooks) => {
      const hooksOf: typeof hooks.of = (queue) => hooks.of(queue);
      return new MemoryStore(clock, calendar, { ...settings, hooksOf }, records);
    },
    [tokens.clock, tokens.calendar, tokens.hooksOfQueues],
  );
  bind(portsInMemory).toResolvedValue(
    (store, clock) => {
      const system = new MemorySystem(store, room, keptIn);
      room.onChange(() => {
        void system.reportMemory(instanceName());
      });
      const shared = new StoreRecords();
      const auditEntries = audit.kept;
      const parts = { store, records, shared, system, clock, auditEntries, steps };
      const ports = memoryPorts({ ...parts, ...(scrub && { scrub }) });
      return mapPorts(written(ports, store), (port, natures) => growingPort(port, natures, room));
    },
    [memoryStore, tokens.clock],
  );
  bindStorePorts(bind, portsInMemory);
  bind(tokens.signals).toConstantValue(new MemorySignals());
}
