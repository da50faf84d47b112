import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import type {
  ReplicaSignalsPort,
  Signal,
  SignalScope,
} from '../../../../application/ports/replica-signals-port.ts';

type Listener = (scope: SignalScope) => void;

/** Signals within one process, which has no other replicas. */
export class MemorySignals implements ReplicaSignalsPort {
  readonly #listeners = new Map<Signal, Set<Listener>>();

  send(signal: Signal, scope: SignalScope = {}): void {
    for (const listener of this.#listeners.get(signal) ?? []) listener(scope);
  }

  /** Wakes every listener of every signal, as anything may have changed. */
  sendAll(): void {
    for (const signal of this.#listeners.keys()) this.send(signal);
  }

  listen(signal: Signal, listener: Listener): () => void {
    // One entry for each call, so that ending one never ends another with the same listener.
    const entry: Listener = (scope) => {
      listener(scope);
    };
    const listeners = keptOrMade(this.#listeners, signal, () => new Set()).add(entry);
    return () => listeners.delete(entry);
  }
}
