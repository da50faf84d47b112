import { randomUUID } from 'node:crypto';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { RedisClient, RedisConnections } from '../connection/redis-client.ts';

/** How many milliseconds pass between two pulses. A pulse that has not arrived by the next one is missing. */
const PULSE_INTERVAL = 2000;

export interface SubscriptionListener {
  readonly received: (message: string) => void;
  /** A new subscription has started; earlier messages may be missing. */
  readonly started: () => void;
}

/**
 * A subscription to one channel over a connection of its own. A subscriber only waits, so it cannot distinguish a quiet
 * channel from a connection that died unnoticed. It therefore also subscribes to a private channel, to which it
 * publishes a pulse over another connection. If the store took the pulse but it did not arrive, the connection is
 * replaced.
 */
export class WatchedSubscription {
  readonly #connections: RedisConnections;
  readonly #channel: string;
  readonly #pulseChannel: string;
  readonly #listener: SubscriptionListener;
  readonly #logger: LoggerPort;
  readonly #timer: NodeJS.Timeout;
  #subscriber: RedisClient;
  /** Whether the store has confirmed the subscription on the current connection. */
  #subscribed = false;
  /** The numbers of the last pulse that the store took, and of the last that arrived. */
  #taken = 0;
  #arrived = 0;
  #ended = false;

  /** @param channel its name is also the prefix of the private channel. */
  constructor(
    connections: RedisConnections,
    channel: string,
    listener: SubscriptionListener,
    logger: LoggerPort,
  ) {
    this.#connections = connections;
    this.#channel = channel;
    this.#pulseChannel = `${channel}:${randomUUID()}`;
    this.#listener = listener;
    this.#logger = logger;
    this.#subscriber = this.#subscribe();
    // Immediates run after the event loop has read what arrived during a pause.
    const beat = (): void => void setImmediate(() => this.#beat());
    this.#timer = setInterval(beat, PULSE_INTERVAL).unref();
  }

  end(): void {
    this.#ended = true;
    clearInterval(this.#timer);
    this.#subscriber.disconnect();
  }

  #subscribe(): RedisClient {
    const subscriber = this.#connections.subscriber();
    subscriber.on('message', (channel: string, message: string) => {
      if (this.#ended || subscriber !== this.#subscriber) return;
      if (channel === this.#channel) this.#listener.received(message);
      else this.#arrived = Number(message);
    });
    // Subscribing again on each connection, instead of leaving that to the library, shows when it is confirmed.
    subscriber.on('ready', () => {
      this.#subscribed = false;
      subscriber.subscribe(this.#channel, this.#pulseChannel).then(
        () => {
          if (this.#ended || subscriber !== this.#subscriber) return;
          this.#subscribed = true;
          this.#arrived = this.#taken;
          this.#listener.started();
        },
        (error: unknown) => {
          if (this.#ended) return;
          this.#logger.warn('Subscribing to the signals of other replicas failed', { error });
        },
      );
    });
    return subscriber;
  }

  #beat(): void {
    if (this.#ended || !this.#subscribed) return;
    if (this.#arrived < this.#taken) {
      this.#renew();
      return;
    }
    const pulse = this.#taken + 1;
    this.#connections.commands.publish(this.#pulseChannel, String(pulse)).then(
      () => {
        this.#taken = pulse;
      },
      () => undefined,
    );
  }

  #renew(): void {
    this.#logger.warn('Signals of other replicas stopped arriving: reconnecting');
    this.#subscribed = false;
    this.#subscriber.disconnect();
    this.#subscriber = this.#subscribe();
  }
}
