import type {
  ReplicaSignalsPort,
  Signal,
} from '../../../application/ports/replica-signals-port.ts';

/** Signals within one process, which has no other replicas. */
export class MemorySignals implements ReplicaSignalsPort {
  readonly #listeners = new Map<Signal, Set<() => void>>();

  send(signal: Signal): void {
    for (const listener of this.#listeners.get(signal) ?? []) listener();
  }

  listen(signal: Signal, listener: () => void): () => void {
    // One entry for each listening, so that ending one never ends another of the same listener.
    const entry = (): void => {
      listener();
    };
    const listeners = this.#listeners.get(signal) ?? new Set();
    this.#listeners.set(signal, listeners.add(entry));
    return () => listeners.delete(entry);
  }
}
