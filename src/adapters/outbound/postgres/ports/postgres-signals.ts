import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type {
  ReplicaSignalsPort,
  Signal,
  SignalScope,
} from '../../../../application/ports/replica-signals-port.ts';
import { MemorySignals } from '../../memory/ports/memory-signals.ts';

/** A signal as replicas send it to each other. */
interface Message {
  readonly signal: Signal;
  readonly scope: SignalScope;
}

const SIGNALS: readonly Signal[] = ['workers', 'policies', 'cancelled', 'opened'];

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
    const text = JSON.stringify({ signal, scope } satisfies Message);
    const fits = Buffer.byteLength(text) <= MOST_BYTES;
    const payload = fits ? text : JSON.stringify({ signal, scope: {} } satisfies Message);
    this.#notify(payload).catch((error: unknown) => {
      this.#logger.debug('Other replicas could not be woken', { signal, error });
    });
  }

  listen(signal: Signal, listener: (scope: SignalScope) => void): () => void {
    return this.#local.listen(signal, listener);
  }

  /** To be called with each notice. */
  received(payload: string): void {
    const { signal, scope } = JSON.parse(payload) as Message;
    this.#local.send(signal, scope);
  }

  /** To be called when notices may have been missed. */
  missed(): void {
    for (const signal of SIGNALS) this.#local.send(signal);
  }
}
