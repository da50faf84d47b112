import { demandOf, NO_DEMAND, type Demand } from '../../domain/queues/demand.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { groupDefaults } from '../policies/group-defaults.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { DemandPort } from '../ports/demand-port.ts';
import type { KnownWorkers } from '../kept/known-workers.ts';

/** Reads the demand of queues (reach contract, section 19). */
export class QueueDemands {
  readonly #store: DemandPort;
  readonly #workers: Pick<KnownWorkers, 'workersOf'>;
  readonly #policies: Pick<PoliciesInForce, 'known' | 'of' | 'windowOf'>;

  constructor(
    store: DemandPort,
    workers: Pick<KnownWorkers, 'workersOf'>,
    policies: Pick<PoliciesInForce, 'known' | 'of' | 'windowOf'>,
  ) {
    this.#store = store;
    this.#workers = workers;
    this.#policies = policies;
  }

  async of(queues: readonly QueueName[]): Promise<readonly (Demand | undefined)[]> {
    const policies = this.#policies;
    const [workers] = await Promise.all([this.#workers.workersOf(queues), policies.known()]);
    const queries = queues.map((queue) => {
      return { queue, groups: groupDefaults(queue, workers.get(queue), policies) };
    });
    const facts = await this.#store.facts(queries);
    return queues.map((queue, index) => {
      const [known, worker] = [facts[index], workers.get(queue)];
      if (known === undefined) return worker === undefined ? undefined : NO_DEMAND;
      const hasBreaker = worker?.opts?.breaker !== undefined;
      return demandOf(known, { hasBreaker, window: policies.windowOf(queue) });
    });
  }
}

export type DemandsOfQueues = Pick<QueueDemands, 'of'>;
