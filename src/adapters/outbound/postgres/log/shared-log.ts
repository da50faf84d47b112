import { DatabaseError, type Database, type Session } from '../driver/database.ts';
import type {
  FoundValues,
  RecordGroups,
  RecordKey,
  StoredRecord,
  Values,
} from '../../memory/records/record.ts';
import { RECORD_KINDS } from '../../memory/records/record-changes.ts';
import { KINDS_OF_VALUES } from '../../memory/records/value-key.ts';
import { writtenId } from '../../memory/records/record-ids.ts';
import { END_OF_NAMES, type LogEntry } from './log-entry.ts';
import { CommitLostError } from './commit-lost-error.ts';
import { LogLostError } from './log-lost-error.ts';
import { ROUND_PATIENCE } from './round-patience.ts';

/**
 * How long (ms) the server keeps a transaction of ours in which nothing happens, since the replica is stopped or gone:
 * so long no other replica can change anything.
 */
const IDLE_IN_ROUND = 3000;

/** How many rounds are folded in one transaction. */
const ROUNDS_PER_FOLD = 500;

/** How long (s) folded rounds stay: a replica that was away for less needs not read all records again. */
const KEPT_SECONDS = 60;

/** How many records of the start come in one answer, at most. */
const RECORDS_PER_PAGE = 5000;

/** The bytes of such records as the server stores them, compressed, after which an answer has no further one. */
const BYTES_PER_PAGE = 524_288;

type EntryRow = { readonly round: string; readonly replica: string; readonly changes: string };

/** The log that the replicas share, and the records that are folded from it. `schema` is quoted. */
export class SharedLog {
  readonly #database: Database;
  readonly #schema: string;
  /** What replicas of the version before take instead of the row. */
  readonly #formerLock: string;

  constructor(database: Database, schema: string) {
    this.#database = database;
    this.#schema = `"${schema}"`;
    this.#formerLock = `hashtext(${literal(`jobgate ${schema}`)})`;
  }

  /** The rounds after one, the oldest first. @throws DatabaseError @throws LogLostError */
  async after(round: number): Promise<readonly LogEntry[]> {
    const rows = await this.#database.query<EntryRow>(this.#selectFrom(round));
    return following(round, entriesOf(rows));
  }

  /**
   * Begins the transaction of a round, once no other round runs.
   *
   * @returns the rounds after one, the oldest first. No other follows before the transaction ends.
   * @throws LogLostError
   */
  async begin(session: Session, round: number): Promise<readonly LogEntry[]> {
    const rows = await session.script<EntryRow>(
      `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
       SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_ROUND};
       SELECT FROM ${this.#schema}.turn FOR NO KEY UPDATE;
       SELECT CASE WHEN NOT pg_try_advisory_xact_lock(${this.#formerLock}, 1)
         THEN ${this.#schema}.take_former_lock(${this.#formerLock}) END;
       ${this.#selectFrom(round)}`,
    );
    return following(round, entriesOf(rows));
  }

  /**
   * Ends the transaction of a round that changed something.
   *
   * @throws CommitLostError when it may be stored. After any other error it is not stored, and never will be.
   */
  async commit(session: Session, entry: LogEntry): Promise<void> {
    const appended = session.query(
      `INSERT INTO ${this.#schema}.log (round, replica, changes) VALUES ($1, $2, $3)`,
      [entry.round, entry.replica, entry.changes],
    );
    // After an insert that failed, the commit is a rollback without an error; and when the connection breaks behind the
    // insert, the driver may send the commit on a new one, where it succeeds without a transaction.
    const stored = session
      .script(
        `COMMIT; SELECT FROM ${this.#schema}.log
         WHERE round = ${entry.round} AND replica = ${literal(entry.replica)}`,
      )
      .catch((error: unknown) => {
        throw new CommitLostError(error);
      });
    // After a broken connection, the driver may leave the later one without an answer.
    const [, rows] = await Promise.all([appended, stored]).catch((error: unknown) => {
      const isRefused = error instanceof DatabaseError && !error.isUnanswered;
      throw isRefused || error instanceof CommitLostError ? error : new CommitLostError(error);
    });
    if (rows.length === 0)
      throw new DatabaseError('The round was not stored', undefined, undefined);
  }

  /**
   * Ends the transaction of a round that appends nothing.
   *
   * @param isUsed whether its steps may have written otherwise. Without that nothing is to be synced: the lock of the row
   *   alone would have a commit wait for the disk.
   */
  async end(session: Session, isUsed: boolean): Promise<void> {
    await session.query(isUsed ? 'COMMIT' : 'ROLLBACK');
  }

  /**
   * Ends rounds that are older than the patience of their replicas. A replica that stops in the middle of a statement
   * would hold its round forever: the driver sends the values only after the server has returned their types, and the
   * server does not count a transaction as idle while it waits for values.
   *
   * @throws DatabaseError
   */
  async endAbandoned(): Promise<void> {
    await this.#database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE usename = current_user AND xact_start < clock_timestamp() - interval '${ROUND_PATIENCE} ms'
         AND pid IN (
           SELECT pid FROM pg_locks JOIN pg_database d ON d.oid = database
           WHERE d.datname = current_database() AND mode = 'RowShareLock'
             AND relation = ${literal(`${this.#schema}.turn`)}::regclass
         )`,
    );
  }

  /**
   * The records as they are within a round, of those that exist.
   *
   * @param rounds those that changed them since they were folded; all that are not folded unless given.
   */
  async current(
    session: Session,
    keys: readonly RecordKey[],
    rounds?: readonly number[],
  ): Promise<readonly StoredRecord[]> {
    const changed =
      rounds === undefined
        ? `round > (SELECT round FROM ${this.#schema}.folded)`
        : 'round = ANY($4::bigint[])';
    return session.query<StoredRecord & Record<string, unknown>>(
      `WITH wanted AS (
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS w (kind, queue, id)
       ), found AS (
         SELECT kind, queue, id, value::text, 0 AS round
         FROM ${this.#schema}.records JOIN wanted USING (kind, queue, id)
         UNION ALL
         SELECT kind, queue, id, value, round
         FROM ${this.#recordsOf(changed)}
         JOIN wanted USING (kind, queue, id)
       )
       SELECT * FROM (
         SELECT DISTINCT ON (kind, queue, id) kind, queue, id, value
         FROM found ORDER BY kind, queue, id, round DESC
       ) AS latest WHERE value IS NOT NULL`,
      [...columnsOf(keys), ...(rounds === undefined ? [] : [rounds.map(String)])],
    );
  }

  /** The records as they are now, of those that exist. @param rounds as for `current`. */
  async latest(
    keys: readonly RecordKey[],
    rounds?: readonly number[],
  ): Promise<readonly StoredRecord[]> {
    return this.#database.session((session) => this.current(session, keys, rounds));
  }

  /**
   * Reads the folded values of records. See `FindsRecords`. The server counts their bytes as it stores them, compressed,
   * so that it need not read the values that it does not send.
   */
  async find(groups: RecordGroups, most: number): Promise<FoundValues> {
    const keys = groups.flatMap((group) => group.map(written));
    const found = `FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS w (kind, queue, id, n)
      LEFT JOIN ${this.#schema}.records USING (kind, queue, id)`;
    const first = `SELECT value FROM (
        SELECT n, value, size, sum(size) OVER (ORDER BY n ROWS UNBOUNDED PRECEDING) AS total
        ${found}, LATERAL (SELECT coalesce(pg_column_size(value), 0)) AS sized (size)
      ) AS found WHERE total - size < $4 OR n <= $5 ORDER BY n`;
    const isOne = groups.length === 1;
    const rows = await this.#database.query<{ readonly value: string | null }>(
      isOne ? `SELECT value ${found} ORDER BY n` : first,
      [...columnsOf(keys), ...(isOne ? [] : [most, groups[0]?.length ?? 0])],
    );
    const values = rows.map(({ value }) => value ?? undefined);
    const read: Values[] = [];
    let characters = 0;
    for (const { length } of groups) {
      if (values.length < length) break;
      const group = values.splice(0, length);
      read.push(group);
      characters += group.reduce((sum, value = '') => sum + value.length, 0);
      if (characters >= most) break;
    }
    return read;
  }

  /**
   * Reads the folded records but those with values, in the order of their keys, and the rounds since.
   *
   * @param piece receives some records at a time.
   * @param stopping ends the reading early.
   * @returns the folded round and the later ones.
   */
  async readAll(
    piece: (records: readonly StoredRecord[]) => void,
    stopping: AbortSignal,
  ): Promise<{ readonly folded: number; readonly entries: readonly LogEntry[] }> {
    return this.#database.session(async (session) => {
      const [row] = await session.script<{ readonly round: string }>(
        `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT round FROM ${this.#schema}.folded`,
      );
      const folded = Number(row?.round);
      for (const kind of RECORD_KINDS.filter((each) => !KINDS_OF_VALUES.has(each))) {
        await this.#readKind(session, kind, piece, stopping);
      }
      const entries = entriesOf(await session.script<EntryRow>(this.#selectFrom(folded)));
      await session.query('COMMIT');
      return { folded, entries: following(folded, entries) };
    });
  }

  async #readKind(
    session: Session,
    kind: string,
    piece: (records: readonly StoredRecord[]) => void,
    stopping: AbortSignal,
  ): Promise<void> {
    let last = { queue: '', id: '' };
    // The policy of all queues has no queue and no id.
    let isAfter = '>=';
    for (let isEnd = false; !isEnd && !stopping.aborted;) {
      const records = await session.query<StoredRecord & Record<string, unknown>>(
        `SELECT kind, queue, id, value FROM (
           SELECT *, sum(pg_column_size(value)) OVER (ORDER BY queue, id) - pg_column_size(value) AS before
           FROM (
             SELECT * FROM ${this.#schema}.records
             WHERE kind = $1 AND (queue, id) ${isAfter} ($2, $3) ORDER BY queue, id LIMIT ${RECORDS_PER_PAGE}
           ) AS page
         ) AS sized WHERE before < ${BYTES_PER_PAGE} ORDER BY queue, id`,
        [kind, last.queue, last.id],
      );
      piece(records);
      last = records.at(-1) ?? last;
      isAfter = '>';
      isEnd = records.length === 0;
    }
  }

  /** How many records are folded, as the server estimates. */
  async count(): Promise<number> {
    const [row] = await this.#database.query<{ readonly count: string }>(
      `SELECT greatest(0, reltuples)::bigint AS count FROM pg_class WHERE oid = $1::regclass`,
      [`${this.#schema}.records`],
    );
    return Number(row?.count ?? 0);
  }

  /**
   * Folds the oldest rounds into the records, unless another replica does so now, and deletes rounds that nobody needs.
   *
   * @returns the folded round.
   */
  async fold(): Promise<number> {
    return this.#database.session(async (session) => {
      const [row] = await session.script<{ readonly round: string; readonly last: string | null }>(
        `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
         SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_ROUND};
         SELECT round, (SELECT max(round) FROM ${this.#schema}.log) AS last
         FROM ${this.#schema}.folded FOR UPDATE SKIP LOCKED`,
      );
      const folded = Number(row?.round ?? 0);
      const last = Math.min(Number(row?.last ?? 0), folded + ROUNDS_PER_FOLD);
      const isOver = last <= folded;
      await session.script(
        `${row === undefined ? '' : this.#deleteBefore(folded)} ${isOver ? '' : this.#foldInto(folded, last)} COMMIT`,
      );
      return isOver ? folded : last;
    });
  }

  /** Also where nothing changes any more: what was removed from the records must not stay in the log. */
  #deleteBefore(folded: number): string {
    return `DELETE FROM ${this.#schema}.log
      WHERE round < ${folded} AND written < clock_timestamp() - interval '${KEPT_SECONDS} seconds';`;
  }

  #foldInto(folded: number, last: number): string {
    return `WITH latest AS (
        SELECT DISTINCT ON (kind, queue, id) kind, queue, id, value
        FROM ${this.#recordsOf(`round > ${folded} AND round <= ${last}`)}
        ORDER BY kind, queue, id, round DESC
      ), gone AS (
        DELETE FROM ${this.#schema}.records r USING latest
        WHERE latest.value IS NULL
          AND (r.kind, r.queue, r.id) = (latest.kind, latest.queue, latest.id)
      )
      INSERT INTO ${this.#schema}.records
      SELECT kind, queue, id, value::json FROM latest WHERE value IS NOT NULL
      ON CONFLICT (kind, queue, id) DO UPDATE SET value = excluded.value;
      UPDATE ${this.#schema}.folded SET round = ${last};`;
  }

  /**
   * The records of some rounds; `value` is text, and null when a record is gone. Whatever a value has, it must not be
   * parsed: the functions of PostgreSQL refuse an escaped NUL or half of a surrogate pair anywhere in the text that they
   * look into. Elements of a list are returned as they stand, and the names before a value have nothing of that kind.
   */
  #recordsOf(rounds: string): string {
    return `(
      SELECT round, kind, queue, id, nullif(left(substr(change, names + ${END_OF_NAMES.length}), -1), 'null') AS value
      FROM (
        SELECT round, item::text AS change, strpos(item::text, '${END_OF_NAMES}') AS names
        FROM ${this.#schema}.log, json_array_elements(changes) AS item WHERE ${rounds}
        OFFSET 0
      ) AS cut, json_to_record((left(change, names) || '}')::json) AS c (kind text, queue text, id text)
    ) AS found`;
  }

  /** That round itself without its changes, and those after it. */
  #selectFrom(round: number): string {
    const first = Math.floor(round);
    return `SELECT round, replica, CASE WHEN round > ${first} THEN changes ELSE '[]' END AS changes
      FROM ${this.#schema}.log WHERE round >= ${first} ORDER BY round`;
  }
}

/** A text as a statement has it. */
function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Keys as the first three values of a statement. */
function columnsOf(keys: readonly RecordKey[]): readonly (readonly string[])[] {
  return [keys.map(({ kind }) => kind), keys.map(({ queue }) => queue), keys.map(({ id }) => id)];
}

function written({ kind, queue, id }: RecordKey): RecordKey {
  return { kind, queue: writtenId(queue), id };
}

/** The entries after a round, of those from it on. The log keeps at least the last round that is folded. */
function following(round: number, entries: readonly LogEntry[]): readonly LogEntry[] {
  const [first, ...others] = entries;
  if (round === 0 && (first === undefined || first.round === 1)) return entries;
  if (first?.round === round) return others;
  throw new LogLostError(
    `The log has no round ${round} any more, up to which this replica followed it`,
  );
}

function entriesOf(rows: readonly EntryRow[]): readonly LogEntry[] {
  return rows.map(({ round, replica, changes }) => ({ round: Number(round), replica, changes }));
}
