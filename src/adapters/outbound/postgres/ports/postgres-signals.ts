import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type {
  ReplicaSignalsPort,
  Signal,
  SignalScope,
} from '../../../../application/ports/replica-signals-port.ts';
import { readSignal, writtenSignal } from '../../../shared/signal-message.ts';
import { MemorySignals } from '../../memory/ports/memory-signals.ts';

/** Sends a text to all replicas, this one included. */
export type Notify = (payload: string) => Promise<void>;

/** The longest payload that a notice of PostgreSQL has, in bytes. */
const MOST_BYTES = 7900;

/** Signals as notices of PostgreSQL. */
export class PostgresSignals implements ReplicaSignalsPort {
  readonly #local = new MemorySignals();
  readonly #notify: Notify;
  readonly #logger: LoggerPort;

  constructor(notify: Notify, logger: LoggerPort) {
    this.#notify = notify;
    this.#logger = logger;
  }

  send(signal: Signal, scope: SignalScope = {}): void {
    const text = writtenSignal({ signal, scope });
    const payload =
      Buffer.byteLength(text) <= MOST_BYTES ? text : writtenSignal({ signal, scope: {} });
    this.#notify(payload).catch((error: unknown) => {
      this.#logger.debug('Other replicas could not be woken', { signal, error });
    });
  }

  listen(signal: Signal, listener: (scope: SignalScope) => void): () => void {
    return this.#local.listen(signal, listener);
  }

  /** To be called with each notice. */
  received(payload: string): void {
    const received = readSignal(payload);
    // Replicas of other versions may send other messages.
    if (received === undefined) this.#local.sendAll();
    else this.#local.send(received.signal, received.scope);
  }

  /** To be called when notices may have been missed. */
  missed(): void {
    this.#local.sendAll();
  }
}
