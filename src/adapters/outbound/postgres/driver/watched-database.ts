import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import {
  DatabaseError,
  type Database,
  type Session,
  type SqlRow,
  type SqlValue,
} from './database.ts';

/** The pause (ms) between two questions whether a lost server is back. */
const PAUSE = 500;

/** The SQLSTATEs of a server to which there is no way: starting, stopping, or without a connection left. */
const AWAY = /^(?:08|57P|53300$)/;

/** Whether an error says that the server cannot be reached, and not only that it refused a statement. */
export function isAway(error: unknown): boolean {
  return error instanceof DatabaseError && (error.state === undefined || AWAY.test(error.state));
}

/**
 * A database whose log has one line when its server is lost and one when it is back. A connection that breaks alone is
 * none: the next one, which is made at once, decides.
 */
export class WatchedDatabase implements Database {
  readonly #database: Database;
  readonly #address: string;
  readonly #logger: LoggerPort;
  /** Until the server has answered once, nothing can be lost. */
  #hasAnswered = false;
  #isAsking = false;
  #isClosed = false;

  /** @param address host and port, for the log. */
  constructor(database: Database, address: string, logger: LoggerPort) {
    this.#database = database;
    this.#address = address;
    this.#logger = logger;
  }

  query<Row extends SqlRow>(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.#watch(this.#database.query<Row>(text, values));
  }

  session<Answer>(run: (session: Session) => Promise<Answer>, patience?: number): Promise<Answer> {
    return this.#watch(this.#database.session(run, patience));
  }

  listen(
    channel: string,
    notified: (payload: string) => void,
    listening: () => void,
  ): Promise<void> {
    return this.#watch(this.#database.listen(channel, notified, listening));
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#database.close();
  }

  async #watch<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      const answered = await answer;
      this.#hasAnswered = true;
      return answered;
    } catch (error) {
      if (this.#hasAnswered && !this.#isAsking && isAway(error)) void this.#ask(error as Error);
      throw error;
    }
  }

  /** Asks the server until it answers. */
  async #ask(cause: Error): Promise<void> {
    this.#isAsking = true;
    let isLost = false;
    for (;;) {
      const answers = await this.#answers();
      if (answers || this.#isClosed) break;
      if (!isLost) {
        const fields = { address: this.#address, error: { message: cause.message } };
        this.#logger.warn('The connection to the store is lost', fields);
        isLost = true;
      }
      await sleep(PAUSE);
    }
    if (isLost && !this.#isClosed)
      this.#logger.info('The connection to the store is back', { address: this.#address });
    this.#isAsking = false;
  }

  async #answers(): Promise<boolean> {
    try {
      await this.#database.query('SELECT 1');
      return true;
    } catch (error) {
      return !isAway(error);
    }
  }
}

/** Host and port of an address of PostgreSQL, without what is secret in it. */
export function hostOf(uri: string): string {
  const afterUser = uri.slice(Math.max(uri.lastIndexOf('@') + 1, uri.indexOf('://') + 3));
  return afterUser.split(/[/?]/, 1)[0] ?? '';
}
