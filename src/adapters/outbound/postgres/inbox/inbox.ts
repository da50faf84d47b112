import { addPromised, type PromisedJob } from '../../../../domain/transitions/add.ts';
import type { NewJob } from '../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { MemoryStore } from '../../memory/state/memory-store.ts';
import type { Database, Session } from '../driver/database.ts';
import type { Rounds } from '../rounds/rounds.ts';

/** How many adds a round takes at most, and how many bytes before the last of them: others wait for it. */
const MOST_TAKEN = { adds: 500, bytes: 8_388_608 };

/** An add of the function `add_jobs`. */
interface InboxRow {
  readonly [column: string]: unknown;
  readonly number: string;
  readonly queue: string;
  readonly added: string;
  readonly bytes: number;
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
    while (this.#isBehind || this.#heard.size > 0) {
      const transactions = this.#isBehind ? null : [...this.#heard];
      this.#heard.clear();
      this.#isBehind = false;
      try {
        const isAll = await this.#rounds.change((session) => this.#take(session, transactions));
        if (!isAll) this.#isBehind = true;
      } catch {
        // The next look finds them once the server takes changes again.
      }
    }
    this.#isTaking = false;
  }

  /** @returns false when a part was left for the next round. */
  async #take(session: Session, transactions: readonly string[] | null): Promise<boolean> {
    const rows = await session.query<InboxRow>(
      `DELETE FROM ${this.#table} WHERE number = ANY (ARRAY(
         SELECT number FROM (
           SELECT number, sum(bytes) OVER (ORDER BY number) - bytes AS before
           FROM (
             SELECT number, bytes FROM ${this.#table}
             WHERE $1::xid8[] IS NULL OR transaction = ANY ($1::xid8[])
             ORDER BY number LIMIT ${MOST_TAKEN.adds}
           ) AS first
         ) AS summed WHERE before < ${MOST_TAKEN.bytes}
       )) RETURNING number, queue, added, bytes, jobs`,
      [transactions],
    );
    const inOrder = rows.toSorted((one, other) => Number(one.number) - Number(other.number));
    for (const row of inOrder) {
      this.#queues.step(row.queue as QueueName, (queue, now) => {
        addPromised(queue, promisedBy(row), now);
      });
    }
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    return rows.length < MOST_TAKEN.adds && bytes < MOST_TAKEN.bytes;
  }
}

function promisedBy({ added, jobs }: InboxRow): readonly PromisedJob[] {
  const timestamp = Number(added);
  return (JSON.parse(jobs) as readonly InboxJob[]).map(({ id, ...job }) => {
    return { id, timestamp, job };
  });
}
