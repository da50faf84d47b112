import { keyRefused, type AddIdentity } from '../../domain/jobs/add-identity.ts';
import { notFound } from '../../domain/errors.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { signalKeyShape } from '../../domain/steps/suspend-answer.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import type { Json } from '../../domain/values/json.ts';
import type { Page } from '../../domain/values/page.ts';
import type { JobSignalPort, SentSignal, SignalsPage } from '../ports/job-signal-port.ts';
import { UnsettledAdds } from '../running/unsettled-adds.ts';

/** Signals that wake suspended jobs (further contract, section 22, "Signals"). */
export class Signals {
  readonly #signals: JobSignalPort;
  readonly #unsettled = new UnsettledAdds();

  constructor(signals: JobSignalPort) {
    this.#signals = signals;
  }

  /**
   * Wakes the jobs that wait for a signal. @param keep for how long (ms) later waits find it.
   *
   * @throws DomainError `invalid-request` or `limit-reached`.
   */
  send(
    queue: QueueName,
    key: string,
    body: Json,
    keep: number,
    identity?: AddIdentity,
  ): Promise<SentSignal> {
    checkShape(signalKeyShape, key, 'key');
    const send = async (): Promise<SentSignal> => {
      const sent = await this.#signals.send(queue, key, JSON.stringify(body), keep, identity);
      if (sent === 'other') throw keyRefused('other');
      return sent;
    };
    return identity === undefined ? send() : this.#unsettled.run(identity, send);
  }

  list(queue: QueueName, page: Page): Promise<SignalsPage> {
    return this.#signals.list(queue, page);
  }

  /** @throws DomainError `signal-not-found`. */
  async forget(queue: QueueName, key: string): Promise<void> {
    if (!(await this.#signals.forget(queue, key))) throw notFound('signal');
  }
}
