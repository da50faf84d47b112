import type { DemandPort } from '../../../../application/ports/demand-port.ts';
import { demandFacts } from '../../../../domain/transitions/demand.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { mapInTurns } from './map-in-turns.ts';

/** The demand of the queues in the memory of this process. */
export function memoryDemand(store: MemoryStore): DemandPort {
  return {
    facts: (queries) =>
      mapInTurns(queries, ({ queue, groups }) =>
        store.stepIfAny(queue, (state, now) =>
          state.record.isCreated ? demandFacts(state, groups, now) : undefined,
        ),
      ),
  };
}
