import { mapPorts, type StorePorts } from '../../../application/store-ports.ts';
import { memoryFull } from '../../../domain/errors.ts';
import { memoryPorts, type MemoryParts } from '../memory/ports/memory-ports.ts';
import { Steps } from '../memory/ports/steps.ts';
import { growingPort, type RoomCheck } from '../memory/room/growing-port.ts';
import type { MemoryRoom } from '../memory/room/memory-room.ts';
import type { PostgresSystem } from './ports/postgres-system.ts';
import type { Rounds } from './rounds/rounds.ts';
import { sharedPort } from './rounds/shared-port.ts';

/** What the ports of a replica stand on. */
export interface ReplicaParts extends Pick<
  MemoryParts,
  'store' | 'records' | 'clock' | 'auditEntries'
> {
  readonly system: PostgresSystem;
  readonly room: MemoryRoom;
}

/** The ports of one replica: those of its memory, in rounds. All are made before any record is read. */
export function replicaPorts(parts: ReplicaParts, rounds: Rounds): StorePorts {
  const { records: shared, system, room } = parts;
  const steps = new Steps({
    stagesRecords: true,
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
  const ports = memoryPorts({ ...parts, shared, steps });
  return mapPorts(ports, (port, natures) =>
    growingPort(sharedPort(port, natures, rounds), natures, gate),
  );
}
