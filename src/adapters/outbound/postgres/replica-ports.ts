import type { ClockPort } from '../../../application/ports/clock-port.ts';
import { mapPorts, type StorePorts } from '../../../application/store-ports.ts';
import { memoryFull } from '../../../domain/errors.ts';
import { memoryPorts } from '../memory/ports/memory-ports.ts';
import { Steps } from '../memory/ports/steps.ts';
import type { StoreRecords } from '../memory/records/store-records.ts';
import { growingPort, type RoomCheck } from '../memory/room/growing-port.ts';
import type { MemoryRoom } from '../memory/room/memory-room.ts';
import type { MemoryStore } from '../memory/state/memory-store.ts';
import type { PostgresSystem } from './ports/postgres-system.ts';
import type { Rounds } from './rounds/rounds.ts';
import { sharedPort } from './rounds/shared-port.ts';

/** What the ports of a replica stand on. */
export interface ReplicaParts {
  readonly queues: MemoryStore;
  readonly records: StoreRecords;
  readonly clock: ClockPort;
  readonly system: PostgresSystem;
  readonly auditEntries: number;
  readonly room: MemoryRoom;
}

/** The ports of one replica: those of its memory, in rounds. All are made before any record is read. */
export function replicaPorts(
  { queues: store, records, clock, system, auditEntries, room }: ReplicaParts,
  rounds: Rounds,
): StorePorts {
  const steps = new Steps({
    small: (step) => rounds.change(step),
    piece: (step) => rounds.changePiece(step),
  });
  const gate: RoomCheck = {
    check: () => {
      room.check();
      const full = system.fullMemory();
      if (full !== undefined) throw memoryFull(full);
    },
    checkLarge: () => {
      room.checkLarge();
    },
  };
  const parts = { store, records, system, clock, auditEntries, steps };
  const ports = memoryPorts({ ...parts, shared: records });
  return mapPorts(ports, (port, natures) =>
    growingPort(sharedPort(port, natures, rounds), natures, gate),
  );
}
