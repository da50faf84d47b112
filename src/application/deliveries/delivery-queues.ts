import { DELIVERY_OPTIONS } from '../../domain/deliveries/delivery-options.ts';
import { deliveryOf } from '../../domain/deliveries/delivery.ts';
import type { HookDelivery } from '../../domain/hooks/delivery.ts';
import { messageType } from '../../domain/hooks/hook-message.ts';
import type { OutgoingMessage } from '../../domain/hooks/hook-state.ts';
import { JOB_STATUSES } from '../../domain/jobs/job-status.ts';
import type { JobSummary } from '../../domain/jobs/job-summary.ts';
import type { NewJob } from '../../domain/jobs/job.ts';
import { queueOfCallback } from '../../domain/deliveries/end-messages.ts';
import { CALLBACK_QUEUE, queueOfHeld, queueOfHook } from '../../domain/queues/own-queue.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { JsonText } from '../../domain/values/json.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { JobControlPort } from '../ports/job-control-port.ts';
import type { JobPartPort } from '../ports/job-part-port.ts';
import type { QueueControlPort } from '../ports/queue-control-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import { severalAtOnce } from '../running/several-at-once.ts';

/** How many deliveries are read at a time. */
const READ_AT_ONCE = 20;

export interface DeliveryPorts extends Pick<CommonPorts, 'queues' | 'parts' | 'control'> {
  readonly queueControl: QueueControlPort;
}

/** The messages that wait to be sent or were sent: jobs of the service's own queues (reach contract, section 17). */
export class DeliveryQueues {
  readonly #queues: QueuePort;
  readonly #parts: JobPartPort;
  readonly #control: JobControlPort;
  readonly #queueControl: QueueControlPort;

  constructor({ queues, parts, control, queueControl }: DeliveryPorts) {
    this.#queues = queues;
    this.#parts = parts;
    this.#control = control;
    this.#queueControl = queueControl;
  }

  /**
   * Adds all of them or none. A delivery whose id exists is not added again.
   *
   * @throws DomainError `store-unavailable`; it may be repeated.
   */
  async add(hook: string, deliveries: readonly OutgoingMessage[]): Promise<void> {
    if (deliveries.length === 0) return;
    const jobs = deliveries.map(({ id, message }): NewJob => {
      return {
        name: messageType(message),
        data: new JsonText(JSON.stringify({ message })),
        opts: { ...DELIVERY_OPTIONS, jobId: id },
      };
    });
    await this.#queues.add(queueOfHook(hook), jobs);
  }

  /**
   * The latest deliveries of a hook, newest first.
   *
   * @throws DomainError `store-unavailable`.
   */
  async list(hook: string, length: number): Promise<readonly HookDelivery[]> {
    const queue = queueOfHook(hook);
    const found: JobSummary[] = [];
    for (const status of JOB_STATUSES) {
      const { jobs } = await this.#parts.list(queue, { statuses: [status], start: 0, length });
      for await (const piece of jobs) found.push(...piece);
    }
    found.sort((one, other) => other.timestamp - one.timestamp);
    const latest = found.slice(0, length);
    return severalAtOnce(latest, READ_AT_ONCE, (summary) => this.#shown(queue, summary));
  }

  /** How many messages of a hook wait, those being sent included. @throws DomainError `store-unavailable`. */
  async unsent(hook: string): Promise<number> {
    const { counts } = await this.#queues.summary(queueOfHook(hook));
    return counts.waiting + counts.delayed + counts.active;
  }

  /**
   * Sends a delivery of a hook again, with all its attempts, or at once if it waits for its next one.
   *
   * @returns false when there is no such delivery.
   * @throws DomainError `store-unavailable`.
   */
  resend(hook: string, id: string): Promise<boolean> {
    return this.#resend(queueOfHook(hook), id);
  }

  /**
   * The delivery of a callback as it is now; undefined when it is kept no longer.
   *
   * @throws DomainError `store-unavailable`.
   */
  async findCallback(id: string): Promise<HookDelivery | undefined> {
    for (const queue of [CALLBACK_QUEUE, queueOfHeld(queueOfCallback(id))]) {
      for await (const [summary] of this.#parts.summaries(queue, [id])) {
        if (summary !== undefined) return this.#shown(queue, summary);
      }
    }
    return undefined;
  }

  /** Sends the delivery of a callback again, like {@link resend}; one that is held back keeps its place. */
  async resendCallback(id: string): Promise<boolean> {
    return (await this.#resend(CALLBACK_QUEUE, id)) || (await this.findCallback(id)) !== undefined;
  }

  /** Removes all deliveries of a hook. @throws DomainError `store-unavailable`; it may be repeated. */
  async remove(hook: string): Promise<void> {
    await this.#queueControl.remove(queueOfHook(hook), true);
  }

  async #resend(queue: QueueName, id: string): Promise<boolean> {
    const retried = await this.#control.retry(queue, id, {});
    if (retried.kind !== 'refused') return retried.kind === 'done';
    // A delivery that waits already, or is being sent, is left alone.
    await this.#control.promote(queue, id);
    return true;
  }

  async #shown(queue: QueueName, summary: JobSummary): Promise<HookDelivery> {
    const recorded = await this.#queues.attempts(queue, summary.id);
    return deliveryOf(summary, recorded?.attempts.at(-1));
  }
}
