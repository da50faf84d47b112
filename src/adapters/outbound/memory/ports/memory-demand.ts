import { setImmediate } from 'node:timers/promises';
import type { DemandPort, DemandQuery } from '../../../../application/ports/demand-port.ts';
import type { DemandFacts } from '../../../../domain/queues/demand.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { demandFacts } from '../../../../domain/transitions/demand.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** How many queues are looked at in one turn of the event loop, in two milliseconds or so. */
const QUEUES_OF_A_TURN = 200;

/** The demand of the queues in the memory of this process. */
export class MemoryDemand implements DemandPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async facts(queries: readonly DemandQuery[]): Promise<readonly (DemandFacts | undefined)[]> {
    const found: (DemandFacts | undefined)[] = [];
    for (const piece of piecesOf(queries, QUEUES_OF_A_TURN)) {
      if (found.length > 0) await setImmediate();
      found.push(...piece.map((query) => this.#factsOf(query)));
    }
    return found;
  }

  #factsOf({ queue, groups }: DemandQuery): DemandFacts | undefined {
    return this.#store.stepIfAny(queue, (state, now) =>
      state.record.isCreated ? demandFacts(state, groups, now) : undefined,
    );
  }
}
