import type { Connection } from './connection.ts';

/** Lends connections, each to one user at a time, in the order in which they ask. */
export class ConnectionPool {
  readonly #open: () => Connection;
  readonly #idle: Connection[] = [];
  readonly #lent = new Set<Connection>();
  readonly #waiting: (() => void)[] = [];
  #free: number;
  #isClosed = false;

  /** @param size how many connections there are at most. */
  constructor(size: number, open: () => Connection) {
    this.#free = size;
    this.#open = open;
  }

  async use<Answer>(run: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    await this.#turn();
    const connection = this.#take();
    try {
      return await run(connection);
    } finally {
      this.#lent.delete(connection);
      if (connection.isUsable && !this.#isClosed) this.#idle.push(connection);
      else discard(connection);
      this.#endTurn();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#idle.splice(0), ...this.#lent].map((each) => each.end()));
  }

  async #turn(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #endTurn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  /** The one that was used last, so that what is not needed grows old. */
  #take(): Connection {
    let connection = this.#idle.pop();
    while (connection?.isUsable === false) {
      discard(connection);
      connection = this.#idle.pop();
    }
    connection ??= this.#open();
    // After the end, what it is used for is refused.
    if (this.#isClosed) discard(connection);
    this.#lent.add(connection);
    return connection;
  }
}

/** Ends a connection without waiting for it. */
function discard(connection: Connection): void {
  void connection.end().catch(() => undefined);
}
