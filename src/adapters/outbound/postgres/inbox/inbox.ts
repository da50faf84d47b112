import { addPromised, type PromisedJob } from '../../../../domain/transitions/add.ts';
import type { NewJob } from '../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { MOST_IN_PIECE } from '../../memory/ports/steps.ts';
import type { MemoryStore } from '../../memory/state/memory-store.ts';
import type { Database, Session } from '../driver/database.ts';
import type { Rounds } from '../rounds/rounds.ts';

/** How many adds and jobs a round takes at most, and how many bytes before the last add: others wait for it. */
const MOST_TAKEN = { adds: 500, jobs: MOST_IN_PIECE.jobs, bytes: MOST_IN_PIECE.characters };

/** An add of the function `add_jobs`. */
interface InboxRow {
  readonly [column: string]: unknown;
  readonly number: string;
  readonly queue: string;
  readonly added: string;
  readonly jobs: string;
}

type InboxJob = NewJob & { readonly id: string };

/**
 * The jobs that clients added by SQL. A replica takes them in the transaction of a round, so each is taken once. Of two
 * adds, the one that was committed before the other began is taken first.
 */
export class Inbox {
  readonly #database: Database;
  readonly #table: string;
  readonly #rounds: Rounds;
  readonly #queues: MemoryStore;
  /** The transactions that were committed, as far as this replica was notified. */
  readonly #heard = new Set<string>();
  /** Whether it may have missed a notice, so that it takes whatever is there. */
  #isBehind = false;
  #isTaking = false;

  constructor(database: Database, schema: string, rounds: Rounds, queues: MemoryStore) {
    this.#database = database;
    this.#table = `"${schema}".inbox`;
    this.#rounds = rounds;
    this.#queues = queues;
  }

  /** Takes what a transaction added. */
  heard(transaction: string): void {
    this.#heard.add(transaction);
    if (!this.#isTaking) void this.#takeAll();
  }

  /** Takes whatever is there: notices may have been missed. @throws DatabaseError */
  async look(): Promise<void> {
    const found = await this.#database.query(`SELECT FROM ${this.#table} LIMIT 1`);
    if (found.length === 0) return;
    this.#isBehind = true;
    if (!this.#isTaking) await this.#takeAll();
  }

  async #takeAll(): Promise<void> {
    this.#isTaking = true;
    let isRest = false;
    while (this.#isBehind || this.#heard.size > 0) {
      const transactions = this.#isBehind ? null : [...this.#heard];
      this.#heard.clear();
      this.#isBehind = false;
      try {
        const take = (session: Session) => this.#take(session, transactions);
        // Others have their turn before the rest.
        const isAll: boolean = await (isRest
          ? this.#rounds.changePiece(take)
          : this.#rounds.change(take));
        isRest = !isAll;
        if (isRest) this.#isBehind = true;
      } catch {
        // The next look finds them once the server takes changes again.
      }
    }
    this.#isTaking = false;
  }

  /** @returns false when a part was left for the next round. */
  async #take(session: Session, transactions: readonly string[] | null): Promise<boolean> {
    const rows = await session.query<InboxRow & { readonly found: number }>(
      `WITH first AS (
         ${this.#first('number, bytes', MOST_TAKEN.adds)}
       ), sized AS (
         SELECT number, sum(bytes) OVER (ORDER BY number) - bytes AS before FROM first
       ), counted AS (
         SELECT number, sum(json_array_length(jobs)) OVER (ORDER BY number) AS through
         FROM sized JOIN ${this.#table} USING (number) WHERE before < ${MOST_TAKEN.bytes}
       )
       DELETE FROM ${this.#table}
       WHERE number = ANY (ARRAY(SELECT number FROM counted WHERE through <= ${MOST_TAKEN.jobs}))
       RETURNING number, queue, added, jobs, (SELECT count(*)::integer FROM first) AS found`,
      [transactions],
    );
    const inOrder = rows.toSorted((one, other) => Number(one.number) - Number(other.number));
    for (const row of inOrder) this.#add(row, jobsIn(row));
    const [{ found } = { found: 0 }] = rows;
    return found === 0
      ? this.#takePart(session, transactions)
      : rows.length === found && found < MOST_TAKEN.adds;
  }

  /** Takes the first jobs of an add that is too large for one round. @returns false when there was one. */
  async #takePart(session: Session, transactions: readonly string[] | null): Promise<boolean> {
    const [row] = await session.query<InboxRow>(this.#first('number, queue, added, jobs', 1), [
      transactions,
    ]);
    if (row === undefined) return true;
    const jobs = jobsIn(row);
    this.#add(row, jobs.slice(0, MOST_TAKEN.jobs));
    const rest = jobs.slice(MOST_TAKEN.jobs);
    const text = JSON.stringify(rest);
    const waiting = rest.filter(({ opts }) => opts.delay === 0).length;
    await session.query(
      `UPDATE ${this.#table} SET jobs = $2::text::json, bytes = $3, waiting = $4 WHERE number = $1`,
      [row.number, text, Buffer.byteLength(text), waiting],
    );
    return false;
  }

  #first(columns: string, most: number): string {
    return `SELECT ${columns} FROM ${this.#table}
      WHERE $1::xid8[] IS NULL OR transaction = ANY ($1::xid8[]) ORDER BY number LIMIT ${most}`;
  }

  #add({ queue: name, added }: InboxRow, jobs: readonly InboxJob[]): void {
    const timestamp = Number(added);
    this.#queues.step(name as QueueName, (queue, now) => {
      const promised = jobs.map(({ id, ...job }): PromisedJob => ({ id, timestamp, job }));
      addPromised(queue, promised, now);
    });
  }
}

function jobsIn({ jobs }: InboxRow): readonly InboxJob[] {
  return JSON.parse(jobs) as readonly InboxJob[];
}
