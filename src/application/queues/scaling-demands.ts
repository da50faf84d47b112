import { existing } from '../../domain/errors.ts';
import { demandFields, totalDemand, workersWanted } from '../../domain/queues/demand.ts';
import { namePatterns } from '../../domain/queues/name-pattern.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { required, type Members, integer, object, type Shaped } from '../../domain/values/shape.ts';
import type { DemandsOfQueues } from './queue-demands.ts';
import type { DemandView } from './demand-view.ts';

const count = integer(0);

/** The demand of a queue, and how many processes of workers it wants. */
export const wantedFields = {
  ...demandFields,
  wanted: required(count, 'How many workers that is, at `perWorker` jobs each, rounded up'),
};
export type WantedWorkers = Members<typeof wantedFields>;

/** The same of several queues together. */
export const totalWantedShape = object('TotalDemand', {
  ...wantedFields,
  queues: required(count, 'How many queues these are'),
});

export type TotalWanted = Shaped<typeof totalWantedShape>;

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
    const demand = existing((await this.#demands.of([queue]))[0], 'queue');
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
    const isWanted = namePatterns(patterns);
    const viewed = await this.#view.queues();
    const chosen = viewed.filter(({ queue }) => isWanted(queue) && mayUse(queue));
    const demand = totalDemand(chosen.map((each) => each.demand));
    return { ...demand, wanted: workersWanted(demand, perWorker), queues: chosen.length };
  }
}
