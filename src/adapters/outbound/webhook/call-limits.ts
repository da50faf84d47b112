import type { Cancellation } from '../../../domain/calls/cancellation.ts';
import type { EndpointCallError } from '../../../application/ports/webhook-port.ts';
import { aborted, timedOut } from './call-failures.ts';

/**
 * Ends a call that takes too long or is cancelled: `stop` runs at most once, and never after `clear`. When its time is
 * up, the event loop takes one more turn before the call ends: after a pause of the process, the answer may have
 * arrived in time and just not have been read.
 */
export class CallLimits {
  readonly #timer: NodeJS.Timeout;
  readonly #cancellation: Cancellation;
  readonly #end: number;
  #lastTurn: NodeJS.Immediate | undefined;

  /** @param timeout in milliseconds, for the whole call. */
  constructor(
    timeout: number,
    cancellation: Cancellation,
    stop: (reason: EndpointCallError) => void,
  ) {
    this.#end = performance.now() + timeout;
    this.#timer = setTimeout(() => {
      this.#lastTurn = setImmediate(() => {
        this.clear();
        stop(timedOut(timeout));
      });
    }, timeout);
    this.#cancellation = cancellation;
    cancellation.listen(() => {
      this.clear();
      stop(aborted());
    });
  }

  /** How much time the call has left, in milliseconds; zero when its time is up. */
  get left(): number {
    return Math.max(0, Math.floor(this.#end - performance.now()));
  }

  clear(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#lastTurn);
    this.#cancellation.listen(undefined);
  }
}
