import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type {
  ReplicaSignalsPort,
  Signal,
  SignalScope,
} from '../../../../application/ports/replica-signals-port.ts';
import type { RedisConnections } from '../connection/redis-client.ts';
import { readSignal, writtenSignal } from './signal-message.ts';
import { WatchedSubscription } from './watched-subscription.ts';

type Listener = (scope: SignalScope) => void;

/** Signals as messages of one channel. One connection serves all that listen on this replica. */
export class RedisSignals implements ReplicaSignalsPort {
  readonly #connections: RedisConnections;
  readonly #channel: string;
  readonly #logger: LoggerPort;
  readonly #listeners = new Map<Signal, Set<Listener>>();
  #subscription: WatchedSubscription | undefined;

  constructor(connections: RedisConnections, channel: string, logger: LoggerPort) {
    this.#connections = connections;
    this.#channel = channel;
    this.#logger = logger;
  }

  send(signal: Signal, scope: SignalScope = {}): void {
    const message = writtenSignal({ signal, scope });
    this.#connections.commands.publish(this.#channel, message).catch((error: unknown) => {
      this.#logger.debug('Other replicas could not be woken', { signal, error });
    });
  }

  listen(signal: Signal, listener: Listener): () => void {
    // One entry for each listening, so that ending one never ends another of the same listener.
    const entry: Listener = (scope) => {
      listener(scope);
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
        const heard = readSignal(message);
        // Replicas of other versions send other words, such as the name of a queue whose worker changed.
        if (heard === undefined) this.#wakeAll();
        else for (const wake of this.#listeners.get(heard.signal) ?? []) wake(heard.scope);
      },
      begun: (): void => {
        this.#wakeAll();
      },
    };
    return new WatchedSubscription(this.#connections, this.#channel, listener, this.#logger);
  }

  #wakeAll(): void {
    for (const listeners of this.#listeners.values()) for (const wake of listeners) wake({});
  }
}
