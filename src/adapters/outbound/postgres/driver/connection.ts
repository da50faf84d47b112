import postgres from 'postgres';
import { DatabaseError } from './database.ts';

/** How long (s) a connection may take to be made. */
const CONNECT_TIMEOUT = 5;

/** The pause (s) before a lost connection that listens is made again: what is sent meanwhile is missed. */
const RECONNECT_PAUSE = 0.5;

/** How long (ms) a connection is used: a balancer behind the address may move to another server. */
const MAX_LIFETIME = 1_800_000;

/** How long (s) statements that run may take to end when the pool is closed. */
const CLOSE_TIMEOUT = 2;

/**
 * How long (ms) the driver may take to answer what waits on a lost connection. It never answers a statement that it kept
 * back behind a large one which the server did not take.
 */
const LAST_ANSWERS = 1000 * (CLOSE_TIMEOUT + 1);

/** `json` as its text: numbers would be rounded, and bodies are parsed by who knows what they are. */
const AS_TEXT = {
  json: {
    to: 114,
    from: [114],
    serialize: (value: string) => value,
    parse: (text: string) => text,
  },
};

/** A client of the driver that holds one connection. */
export class Connection {
  readonly sql: postgres.Sql;
  readonly #born = performance.now();
  #isMade = false;
  #isLost = false;
  /** Those that wait for an answer of the server. */
  readonly #unanswered = new Set<(error: Error) => void>();

  constructor(uri: string, applicationName: string) {
    this.sql = postgres(uri, {
      max: 1,
      // A pooler that shares connections by the transaction does not keep statements for one client.
      prepare: false,
      connect_timeout: CONNECT_TIMEOUT,
      backoff: () => RECONNECT_PAUSE,
      max_lifetime: null,
      connection: { application_name: applicationName },
      types: AS_TEXT,
      // It would ask for them in a promise of which nobody catches the failure, which ends the process.
      fetch_types: false,
      onnotice: () => undefined,
      onclose: () => this.lose(),
    });
  }

  /** Whether it may be used by somebody else. */
  get isUsable(): boolean {
    return !this.#isLost && performance.now() - this.#born < MAX_LIFETIME;
  }

  /**
   * Runs one statement. What is sent on a connection that is gone would end the process, since the driver writes to it
   * all the same, or would never be answered.
   *
   * @throws DatabaseError
   */
  async run<Answer>(statement: () => PromiseLike<Answer>): Promise<Answer> {
    if (this.#isLost) throw new DatabaseError('The connection was lost', undefined, undefined);
    try {
      return await this.#answered(statement);
    } catch (error) {
      const { message, code, severity } = error as Error & {
        readonly code?: unknown;
        readonly severity?: unknown;
      };
      // The codes of the driver itself are words such as CONNECTION_CLOSED; those of the server have five characters.
      const state = typeof code === 'string' && code.length === 5 ? code : undefined;
      if (state === undefined) this.lose();
      const isOver = state === undefined || severity !== 'ERROR';
      // The error of several addresses at once has no message.
      throw new DatabaseError(message || String(code), state, error, isOver);
    }
  }

  /** Takes it for several statements. @throws DatabaseError */
  async reserve(): Promise<postgres.ReservedSql> {
    // A connection that is lost while the driver makes it for a reservation leaves that unanswered.
    if (!this.#isMade) await this.run(() => this.sql.unsafe('SELECT 1'));
    this.#isMade = true;
    return this.run(() => this.sql.reserve());
  }

  /**
   * Runs what uses it. After a time the connection is ended, and what waits for an answer of the server fails.
   *
   * @param patience in milliseconds.
   */
  async within<Answer>(patience: number, run: () => Promise<Answer>): Promise<Answer> {
    const timer = setTimeout(() => {
      this.lose();
      void this.sql.end({ timeout: 0 }).catch(() => undefined);
    }, patience);
    try {
      return await run();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Makes it one that nobody uses again. */
  lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    setTimeout(() => {
      for (const fail of this.#unanswered) fail(new Error('The connection was lost'));
    }, LAST_ANSWERS).unref();
  }

  end(): Promise<void> {
    this.lose();
    return this.sql.end({ timeout: CLOSE_TIMEOUT });
  }

  async #answered<Answer>(statement: () => PromiseLike<Answer>): Promise<Answer> {
    let fail: (error: Error) => void = () => undefined;
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.#unanswered.add((fail = reject));
        statement().then(resolve, reject);
      });
    } finally {
      this.#unanswered.delete(fail);
    }
  }
}
