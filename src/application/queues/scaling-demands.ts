import { totalDemand, workersWanted, type Demand } from '../../domain/queues/demand.ts';
import { namePattern } from '../../domain/queues/name-pattern.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { DemandsOfQueues } from '../ports/demands-of-queues.ts';
import type { DemandView } from './demand-view.ts';
import { queueNotFound } from './queue-not-found.ts';

/** The demand of a queue, and how many processes of workers it wants. */
export interface WantedWorkers extends Demand {
  readonly wanted: number;
}

/** The same of several queues together. */
export interface TotalWanted extends WantedWorkers {
  /** How many queues they are. */
  readonly queues: number;
}

/** What scales workers reads (reach contract, section 19). */
export class ScalingDemands {
  readonly #demands: DemandsOfQueues;
  readonly #view: Pick<DemandView, 'queues'>;

  constructor(demands: DemandsOfQueues, view: Pick<DemandView, 'queues'>) {
    this.#demands = demands;
    this.#view = view;
  }

  /**
   * The demand of a queue now.
   *
   * @param perWorker how many jobs one process of a worker runs.
   * @throws DomainError `queue-not-found` when it was never created, and has neither a job nor a worker.
   */
  async ofQueue(queue: QueueName, perWorker: number): Promise<WantedWorkers> {
    const [demand] = await this.#demands.of([queue]);
    if (demand === undefined) throw queueNotFound();
    return { ...demand, wanted: workersWanted(demand, perWorker) };
  }

  /**
   * The demand of all queues that match a list of patterns together, from a shared view.
   *
   * @param patterns of names; all queues without.
   * @param mayUse which queues the caller may see; all by default.
   */
  async ofQueues(
    patterns: readonly string[] | undefined,
    perWorker: number,
    mayUse: (queue: string) => boolean = () => true,
  ): Promise<TotalWanted> {
    const matches = patterns?.map(namePattern) ?? [() => true];
    const viewed = await this.#view.queues();
    const chosen = viewed.filter(({ queue }) => {
      return matches.some((each) => each(queue)) && mayUse(queue);
    });
    const demand = totalDemand(chosen.map((each) => each.demand));
    return { ...demand, wanted: workersWanted(demand, perWorker), queues: chosen.length };
  }
}
