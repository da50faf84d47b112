/** A value of a statement: text, a number, or nothing. */
export type SqlValue = string | number | boolean | null | readonly (string | null)[];

export type SqlRow = Readonly<Record<string, unknown>>;

/** How long (ms) a statement outside of a session may take. */
export const STATEMENT_PATIENCE = 5000;

/** How long (ms) a session may take unless it is said. */
export const SESSION_PATIENCE = 600_000;

/** A PostgreSQL database, as the store uses it. Nothing here depends on the driver. */
export interface Database {
  /**
   * Runs one statement on any connection. It fails after STATEMENT_PATIENCE.
   *
   * @param values those of `$1`, `$2`, …
   * @returns the rows. `bigint` comes as a string, `json` as its text.
   * @throws DatabaseError
   */
  query<Row extends SqlRow>(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;

  /**
   * Runs what it is given on one connection, which nobody else uses meanwhile. An open transaction is rolled back when
   * it rejects.
   *
   * @param patience after which (ms) its connection is ended, so that its statements fail.
   * @throws DatabaseError
   */
  session<Answer>(run: (session: Session) => Promise<Answer>, patience?: number): Promise<Answer>;

  /**
   * Listens on a channel until the database is closed; listens again after a lost connection.
   *
   * @param listening is called each time it begins to listen: what was sent before may be missed.
   */
  listen(
    channel: string,
    notified: (payload: string) => void,
    listening: () => void,
  ): Promise<void>;

  /** Ends all connections, within some seconds. */
  close(): Promise<void>;
}

/** One connection. */
export interface Session {
  query<Row extends SqlRow>(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;

  /**
   * Runs several statements in one message, without values. Outside of a transaction they are one together.
   *
   * @returns the rows of the last one.
   */
  script<Row extends SqlRow>(text: string): Promise<readonly Row[]>;
}

/** An error of the database or of the way to it. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** The SQLSTATE; undefined when the server did not answer. */
  readonly state: string | undefined;
  /** Whether the session ended before the server answered the statement, which may therefore have had its effect. */
  readonly isUnanswered: boolean;

  constructor(message: string, state: string | undefined, cause: unknown, isUnanswered = false) {
    super(message, { cause });
    this.state = state;
    this.isUnanswered = isUnanswered;
  }
}
