import { randomUUID } from 'node:crypto';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { RedisClient, RedisConnections } from '../connection/redis-client.ts';

/** Milliseconds between two pulses. One that is not heard until the next one is missing. */
const PULSE_INTERVAL = 2000;

export interface SubscriptionListener {
  readonly heard: (message: string) => void;
  /** The subscription is new, and messages may have been missed before. */
  readonly begun: () => void;
}

/**
 * A subscription to one channel over a connection of its own. A subscriber only ever waits, so it cannot
 * tell a quiet channel from a connection that died without a word. So it also listens to a channel that
 * nobody else knows, where it sends itself a pulse by way of another connection: when the store took the
 * pulse and it did not arrive, the connection is given up for a new one.
 */
export class WatchedSubscription {
  readonly #connections: RedisConnections;
  readonly #channel: string;
  readonly #pulseChannel: string;
  readonly #listener: SubscriptionListener;
  readonly #logger: LoggerPort;
  readonly #timer: NodeJS.Timeout;
  #subscriber: RedisClient;
  /** Whether the subscription is there, as far as anybody knows. */
  #subscribed = false;
  /** The number of the last pulse that the store took, and of the last that arrived. */
  #taken = 0;
  #arrived = 0;
  #ended = false;

  /** @param channel the other channel has a name that begins with it, too. */
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
    // What arrived during a pause of the event loop is read before immediates run.
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
      if (channel === this.#channel) this.#listener.heard(message);
      else this.#arrived = Number(message);
    });
    // The subscription is made by us on each new connection, to know when it is there.
    subscriber.on('ready', () => {
      this.#subscribed = false;
      subscriber.subscribe(this.#channel, this.#pulseChannel).then(
        () => {
          if (this.#ended || subscriber !== this.#subscriber) return;
          this.#subscribed = true;
          this.#arrived = this.#taken;
          this.#listener.begun();
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
