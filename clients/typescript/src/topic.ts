import type {
  JobInput,
  JobOptionsInput,
  Published,
  Subscription,
  SubscriptionInput,
  Topic as TopicState,
} from './api.ts';
import type { PublishOptions } from './options.ts';
import { at, Routes } from './routes.ts';
import type { CallOptions } from './transport.ts';

/** A topic, whose messages become jobs of all subscriptions that they match. */
export class Topic extends Routes {
  /** Publishes a message; repeating the request does not publish it again. */
  publish(
    name: string,
    data: unknown,
    opts?: JobOptionsInput,
    options?: PublishOptions,
  ): Promise<Published> {
    return this.#publish<Published>({ name, data, opts }, options);
  }

  /** Publishes all messages with one request; repeating the request does not publish them again. */
  publishAll(messages: readonly JobInput[], options?: PublishOptions): Promise<Published[]> {
    return this.#publish<Published[]>(messages, options);
  }

  get(options?: CallOptions) {
    return this.read<TopicState>('', options);
  }

  /** Replaces any other subscription of the id. */
  subscribe(id: string, body: SubscriptionInput, options?: CallOptions) {
    return this.ask<Subscription>('PUT', `/subscriptions${at(id)}`, { ...options, body });
  }

  unsubscribe(id: string, options?: CallOptions) {
    return this.delete(`/subscriptions${at(id)}`, options);
  }

  /** Removes the topic with all its subscriptions. */
  remove(options?: CallOptions) {
    return this.delete('', options);
  }

  #publish<Result>(
    body: unknown,
    { dryRun, idempotencyKey, ...options }: PublishOptions = {},
  ): Promise<Result> {
    return this.once<Result>('', body, idempotencyKey, { ...options, query: { dryRun } });
  }
}
