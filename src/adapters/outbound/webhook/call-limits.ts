import type { Cancellation } from '../../../application/ports/cancellation.ts';
import type { EndpointCallError } from '../../../application/ports/webhook-port.ts';
import { aborted, timedOut } from './call-failures.ts';

/** Ends a call that takes too long or is cancelled: `stop` runs at most once, and never after `clear`. */
export class CallLimits {
  readonly #timer: NodeJS.Timeout;
  readonly #cancellation: Cancellation;

  /** @param timeout in milliseconds, for the whole call. */
  constructor(
    timeout: number,
    cancellation: Cancellation,
    stop: (reason: EndpointCallError) => void,
  ) {
    this.#timer = setTimeout(() => {
      this.clear();
      stop(timedOut(timeout));
    }, timeout);
    this.#cancellation = cancellation;
    cancellation.listen(() => {
      this.clear();
      stop(aborted());
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#cancellation.listen(undefined);
  }
}
