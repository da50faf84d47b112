import type { GroupDefaults } from '../../domain/groups/group-settings.ts';
import type { DemandFacts } from '../../domain/queues/demand.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';

/** A queue whose demand is wanted, and the settings in force for its groups without their own. */
export interface DemandQuery {
  readonly queue: QueueName;
  readonly groups?: GroupDefaults | undefined;
}

/**
 * Reads what the demand of queues follows from (reach contract, section 19). Methods throw DomainError
 * `store-unavailable` when the store cannot be reached, within STORE_PATIENCE for each of their steps.
 */
export interface DemandPort {
  /**
   * What is known of each of the queues; undefined for one that does not exist. The cost does not depend on how many jobs
   * and groups they have: counts are read as the store keeps them, and of the groups only those are examined that changed
   * since the last look. The first look at a queue whose groups have limits examines its groups in bounded steps; jobs
   * of groups that no step has reached yet count as able to start, until a later look.
   */
  facts(queries: readonly DemandQuery[]): Promise<readonly (DemandFacts | undefined)[]>;
}

export const DEMAND_NATURES: Natures<DemandPort> = { facts: 'reads store' };
