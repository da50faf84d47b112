import type { Redis } from 'ioredis';
import type { RedisClient } from './redis-client.ts';
import { WatchedConnection } from './watched-connection.ts';

/** Milliseconds between two checks of the commands in flight. */
const STEP = 50;

/** The most that one step counts, in milliseconds. A longer one was a pause of the event loop. */
const LONGEST_STEP = 2 * STEP;

/** Steps without a command in flight before the watch rests, so that not every command wakes it. */
const STEPS_TO_REST = 5;

/**
 * Waits for the answers of all commands in flight, by a clock that runs only while the event loop does: a pause of any
 * length counts as one step, and data that arrived during it is read before a command is given up. One timer serves all
 * connections, and a command that is answered before the next step costs nothing.
 */
export class AnswerWatch {
  readonly #connections = new Set<WatchedConnection>();
  readonly #since = new WeakMap<object, number>();
  /** Milliseconds that the event loop has run while commands were in flight. */
  #time = 0;
  #steppedAt = 0;
  #idleSteps = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param blocks whether commands wait for something to happen once the connection is ready. */
  watch(client: RedisClient, blocks: boolean): void {
    if (client.isCluster) client.on('+node', (node: Redis) => this.#add(node, blocks));
    else this.#add(client as Redis, blocks);
  }

  #add(redis: Redis, blocks: boolean): void {
    const connection = new WatchedConnection(redis, blocks, this.#since, () => {
      if (this.#timer === undefined) this.#begin();
    });
    this.#connections.add(connection);
    redis.once('end', () => this.#connections.delete(connection));
  }

  #begin(): void {
    this.#idleSteps = 0;
    this.#steppedAt = performance.now();
    this.#await();
  }

  #await(): void {
    // Immediates run after the event loop has read what arrived; timers run before.
    this.#timer = setTimeout(() => setImmediate(() => this.#step()), STEP).unref();
  }

  #step(): void {
    const now = performance.now();
    this.#time += Math.min(now - this.#steppedAt, LONGEST_STEP);
    this.#steppedAt = now;
    let busy = false;
    let overdue = false;
    for (const connection of this.#connections) {
      busy = connection.note(this.#time) || busy;
      overdue = connection.isOverdue(this.#time) || overdue;
    }
    // The turn that ends here may itself have been the pause.
    if (overdue) setImmediate(() => this.#giveUp());
    this.#idleSteps = busy ? 0 : this.#idleSteps + 1;
    if (this.#idleSteps < STEPS_TO_REST) this.#await();
    else this.#timer = undefined;
  }

  #giveUp(): void {
    for (const connection of this.#connections) connection.giveUp(this.#time);
  }
}
