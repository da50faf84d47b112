/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { DemandPort, DemandQuery } from '../../../../application/ports/demand-port.ts';
import type { DemandFacts } from '../../../../domain/queues/demand.ts';
import { demandFacts } from '../../../../domain/transitions/demand.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The demand of the queues in the memory of this process. */
export class MemoryDemand implements DemandPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async facts(queries: readonly DemandQuery[]): Promise<readonly (DemandFacts | undefined)[]> {
    return queries.map(({ queue, groups }) =>
      this.#store.stepIfAny(queue, (state, now) =>
        state.record.isCreated ? demandFacts(state, groups, now) : undefined,
      ),
    );
  }
}
