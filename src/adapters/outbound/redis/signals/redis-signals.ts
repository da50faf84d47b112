import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type {
  ReplicaSignalsPort,
  Signal,
} from '../../../../application/ports/replica-signals-port.ts';
import type { RedisConnections } from '../connection/redis-client.ts';
import { WatchedSubscription } from './watched-subscription.ts';

/** Signals as messages of one channel. One connection serves all that listen on this replica. */
export class RedisSignals implements ReplicaSignalsPort {
  readonly #connections: RedisConnections;
  readonly #channel: string;
  readonly #logger: LoggerPort;
  readonly #listeners = new Map<Signal, Set<() => void>>();
  #subscription: WatchedSubscription | undefined;

  constructor(connections: RedisConnections, channel: string, logger: LoggerPort) {
    this.#connections = connections;
    this.#channel = channel;
    this.#logger = logger;
  }

  send(signal: Signal): void {
    this.#connections.commands.publish(this.#channel, signal).catch((error: unknown) => {
      this.#logger.debug('Other replicas could not be woken', { signal, error });
    });
  }

  listen(signal: Signal, listener: () => void): () => void {
    // One entry for each listening, so that ending one never ends another of the same listener.
    const entry = (): void => {
      listener();
    };
    const listeners = this.#listeners.get(signal) ?? new Set();
    this.#listeners.set(signal, listeners.add(entry));
    this.#subscription ??= this.#subscribe();
    return () => {
      listeners.delete(entry);
      if ([...this.#listeners.values()].some(({ size }) => size > 0)) return;
      this.#subscription?.end();
      this.#subscription = undefined;
    };
  }

  #subscribe(): WatchedSubscription {
    const listener = {
      heard: (message: string): void => {
        const listeners = this.#listeners.get(message as Signal);
        // Older replicas send the name of a queue when its worker changed.
        if (listeners === undefined) this.#wakeAll();
        else for (const wake of listeners) wake();
      },
      begun: (): void => {
        this.#wakeAll();
      },
    };
    return new WatchedSubscription(this.#connections, this.#channel, listener, this.#logger);
  }

  #wakeAll(): void {
    for (const listeners of this.#listeners.values()) for (const wake of listeners) wake();
  }
}
