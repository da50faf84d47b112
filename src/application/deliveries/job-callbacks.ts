import { callbackIdOf } from '../../domain/deliveries/end-messages.ts';
import { notFound } from '../../domain/errors.ts';
import type { HookDelivery } from '../../domain/hooks/delivery.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { DeliveryQueues } from './delivery-queues.ts';

/** What became of the callback of a job (reach contract, section 18). */
export type JobCallback = Pick<HookDelivery, 'state' | 'attempts' | 'lastStatus'>;

/** A job that a callback adds is added in the step that ends the job. */
const ADDED: JobCallback = { state: 'delivered', attempts: 1, lastStatus: null };

/** Shows and repeats the callbacks of jobs. */
export class JobCallbacks {
  readonly #deliveries: Pick<DeliveryQueues, 'findCallback' | 'resendCallback'>;

  constructor(deliveries: Pick<DeliveryQueues, 'findCallback' | 'resendCallback'>) {
    this.#deliveries = deliveries;
  }

  /**
   * The callback that followed the latest end of a job; undefined before there is one, and when it is kept no longer.
   *
   * @throws DomainError `store-unavailable`.
   */
  async of(job: Job): Promise<JobCallback | undefined> {
    const id = deliveryOf(job);
    if (id === undefined) return job.calledBack && ADDED;
    const delivery = await this.#deliveries.findCallback(id);
    if (delivery === undefined) return undefined;
    const { state, attempts, lastStatus } = delivery;
    return { state, attempts, lastStatus };
  }

  /** Sends the callback again. @throws DomainError `callback-not-found`, `store-unavailable`. */
  async resend(job: Job): Promise<void> {
    const id = deliveryOf(job);
    if (id !== undefined && (await this.#deliveries.resendCallback(id))) return;
    throw notFound('callback');
  }
}

/** The id of the delivery to a URL. */
function deliveryOf({ queue, id, opts, calledBack }: Job): string | undefined {
  if (calledBack === undefined || opts.callback === undefined || 'queue' in opts.callback) {
    return undefined;
  }
  return callbackIdOf({ queue, id, at: calledBack.at }, calledBack.run);
}
