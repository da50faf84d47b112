import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type {
  ReplicaSignalsPort,
  Signal,
  SignalScope,
} from '../../../../application/ports/replica-signals-port.ts';
import type { RedisConnections } from '../connection/redis-client.ts';
import { readSignal, writtenSignal } from '../../../shared/signal-message.ts';
import { WatchedSubscription } from './watched-subscription.ts';

type SignalListener = (scope: SignalScope) => void;

/** Signals as messages of one channel. One connection serves all listeners of this replica. */
export class RedisSignals implements ReplicaSignalsPort {
  readonly #connections: RedisConnections;
  readonly #channel: string;
  readonly #logger: LoggerPort;
  readonly #listeners = new Map<Signal, Set<SignalListener>>();
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

  listen(signal: Signal, listener: SignalListener): () => void {
    // One entry for each call, so that ending one never ends another with the same listener.
    const entry: SignalListener = (scope) => {
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
      received: (message: string): void => {
        const received = readSignal(message);
        // Replicas of other versions send other messages, such as the name of a queue with a changed worker.
        if (received === undefined) this.#wakeAll();
        else for (const wake of this.#listeners.get(received.signal) ?? []) wake(received.scope);
      },
      started: (): void => {
        this.#wakeAll();
      },
    };
    return new WatchedSubscription(this.#connections, this.#channel, listener, this.#logger);
  }

  #wakeAll(): void {
    for (const listeners of this.#listeners.values()) for (const wake of listeners) wake({});
  }
}
