import { setMaxListeners } from 'node:events';
import type { EndpointCallError } from '../../../application/ports/webhook-port.ts';
import { aborted, timedOut } from './call-failures.ts';

/** Ends a call that takes too long or is aborted: `stop` runs at most once, and never after `clear`. */
export class CallLimits {
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal;
  readonly #onAbort: () => void;

  /** @param timeout in milliseconds, for the whole call. */
  constructor(timeout: number, signal: AbortSignal, stop: (reason: EndpointCallError) => void) {
    this.#onAbort = () => {
      this.clear();
      stop(aborted());
    };
    this.#timer = setTimeout(() => {
      this.clear();
      stop(timedOut(timeout));
    }, timeout);
    this.#signal = signal;
    // Many calls may share one signal: that many listeners are no leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', this.#onAbort);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}
