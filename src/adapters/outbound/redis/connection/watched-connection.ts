import type { Command, Redis } from 'ioredis';
import { patience, PATIENCE } from './patience.ts';
import { GatheredWrites } from './gathered-writes.ts';
import { Handshake } from './handshake.ts';

type Queue = Redis['commandQueue'];
type Item = NonNullable<ReturnType<Queue['peekAt']>>;

const NO_ANSWER = 'The store did not answer in time';

/** The error of commands without an answer. */
export class Unanswered extends Error {
  /** @param wasSent whether the store may have run it. */
  constructor(
    message: string,
    readonly wasSent: boolean,
  ) {
    super(message);
  }
}

/** The error of commands on a lost connection. It is never the cause of the loss. */
export class ConnectionLost extends Unanswered {
  constructor(wasSent: boolean) {
    super('The connection was lost before the store answered', wasSent);
  }
}

/** The commands that wait until the connection is ready; a private part of the library. */
interface Offline {
  readonly offlineQueue: Queue;
}

/**
 * One connection, seen from the commands that wait for an answer on it. Times are those of AnswerWatch.
 *
 * A connection that delivered nothing for the whole patience of a command is silent. The store may still run the
 * commands in flight, so each of them is waited for until its own time is up, and no new ones are sent in the meantime.
 * Then the connection is replaced. A byte that arrives earlier ends the silence for all. No command is ever sent twice.
 */
export class WatchedConnection {
  readonly #redis: Redis;
  readonly #blocks: boolean;
  readonly #handshake = new Handshake();
  /** When a command was first seen; in a cluster it may have been on another connection. */
  readonly #since: WeakMap<object, number>;
  readonly #noted = new WeakSet<Item>();
  readonly #givenUp = new WeakSet();
  #stream: Redis['stream'] | undefined;
  #gathered = new GatheredWrites(undefined);
  #silent = false;
  #bytesRead = 0;
  #readAt = 0;

  /**
   * @param blocks whether commands wait for something to happen once the connection is ready.
   * @param onSend is called before each command that is sent.
   */
  constructor(redis: Redis, blocks: boolean, since: WeakMap<object, number>, onSend: () => void) {
    this.#redis = redis;
    this.#blocks = blocks;
    this.#since = since;
    const send = redis.sendCommand.bind(redis);
    redis.sendCommand = (command, stream) => {
      if (redis.stream !== this.#stream) this.#begin(redis.stream);
      const refusal = this.#refusal(command);
      if (refusal !== undefined) {
        command.reject(refusal);
        return command.promise;
      }
      onSend();
      this.#gathered.begin();
      const answer = send(command, stream);
      this.#gathered.noteWrite();
      return answer;
    };
  }

  /** Records which commands wait. @returns false when none does. */
  note(now: number): boolean {
    this.#noteRead(now);
    const queues = this.#queues();
    for (const queue of queues) {
      for (let index = queue.length - 1; index >= 0; index -= 1) {
        const item = queue.peekAt(index) as Item;
        if (this.#noted.has(item)) break;
        this.#noted.add(item);
        if (!this.#since.has(item.command)) this.#since.set(item.command, now);
      }
    }
    return queues.some(({ length }) => length > 0);
  }

  /** Whether a command may have waited too long. */
  isOverdue(now: number): boolean {
    return this.#queues().some((queue) => {
      const oldest = queue.peekFront();
      return oldest !== undefined && this.#waited(oldest.command, now) >= PATIENCE;
    });
  }

  /** Ends the commands that have waited too long, and a silent connection with the last of them. */
  giveUp(now: number): void {
    this.#noteRead(now);
    for (const queue of this.#queues()) {
      for (const item of queue.toArray()) {
        const waited = this.#waited(item.command, now);
        if (waited < PATIENCE) break;
        if (waited < patience(item.command.args)) continue;
        this.#giveUpOne(item, now - waited, queue === this.#redis.commandQueue);
      }
    }
    this.#dropUnsent();
    if (this.#silent && this.#isAllGivenUp()) this.#redis.stream.destroy(new Error(NO_ANSWER));
  }

  #giveUpOne({ command }: Item, since: number, wasSent: boolean): void {
    if (this.#givenUp.has(command)) return;
    this.#givenUp.add(command);
    if (this.#readAt <= since) this.#silent = true;
    command.reject(new Unanswered(NO_ANSWER, wasSent));
    // Otherwise a cluster would send it again after a late redirection.
    command.reject = () => undefined;
  }

  /** Removes commands that were given up before they were sent, so that they are not sent later. */
  #dropUnsent(): void {
    const { offlineQueue } = this.#redis as unknown as Offline;
    for (let index = offlineQueue.length - 1; index >= 0; index -= 1) {
      const { command } = offlineQueue.peekAt(index) as Item;
      if (this.#givenUp.has(command)) offlineQueue.removeOne(index);
    }
  }

  #begin(stream: Redis['stream'] | undefined): void {
    this.#stream = stream;
    this.#gathered = new GatheredWrites(stream);
    this.#silent = false;
    this.#bytesRead = 0;
    this.#handshake.begin();
    // Runs before the library's own listener, which in a cluster sends the commands in flight again.
    stream?.prependListener('close', () => {
      const { commandQueue } = this.#redis;
      for (let item = commandQueue.shift(); item !== undefined; item = commandQueue.shift()) {
        item.command.reject(new ConnectionLost(true));
      }
    });
  }

  #refusal(command: Command): Error | undefined {
    if (this.#silent && !this.#hasRead) return new Error(NO_ANSWER);
    const { status, options } = this.#redis;
    if (options.enableOfflineQueue === false && !this.#stream?.writable)
      return new ConnectionLost(false);
    if (status !== 'connect' || this.#handshake.take(command)) return undefined;
    return options.enableOfflineQueue === false
      ? new Error('The connection to the store is not ready')
      : undefined;
  }

  /** Whether anything arrived since the last check, which means that a silent store is back. */
  get #hasRead(): boolean {
    return (this.#stream?.bytesRead ?? 0) !== this.#bytesRead;
  }

  #noteRead(now: number): void {
    if (!this.#hasRead) return;
    this.#bytesRead = this.#stream?.bytesRead ?? 0;
    this.#readAt = now;
    this.#silent = false;
  }

  #queues(): readonly Queue[] {
    const { commandQueue, status } = this.#redis;
    if (!this.#blocks) return [commandQueue, (this.#redis as unknown as Offline).offlineQueue];
    return status === 'ready' ? [] : [commandQueue];
  }

  #waited(command: object, now: number): number {
    return now - (this.#since.get(command) ?? now);
  }

  #isAllGivenUp(): boolean {
    return this.#redis.commandQueue.toArray().every(({ command }) => this.#givenUp.has(command));
  }
}
