import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresDatabase } from '../../../../src/adapters/outbound/postgres/driver/postgres-database.ts';
import { addJobsBySql } from '../../../support/postgres/sql-client.ts';
import type { Ledger } from '../ledger.ts';

/** How many transactions are open at a time. */
const LANES = 4;

/** Of so many transactions one is rolled back. */
const ROLLED_BACK = 4;

/** Programs that add jobs by SQL, each in a transaction, and enter in the ledger what became of it. */
export class SqlTraffic {
  readonly #database: PostgresDatabase;
  readonly #queue: string;
  readonly #ledger: Ledger;
  readonly #ended = new AbortController();
  readonly #lanes: readonly Promise<void>[];

  constructor(uri: string, queue: string, ledger: Ledger) {
    this.#database = new PostgresDatabase({
      uri,
      directUri: uri,
      pool: LANES,
      applicationName: 'shop',
    });
    this.#queue = queue;
    this.#ledger = ledger;
    this.#lanes = Array.from({ length: LANES }, () => this.#run());
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#lanes);
    await this.#database.close();
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const number = this.#ledger.next();
      // Until the commit is answered, nobody knows; before it was sent, nothing is stored.
      let answer: 'refused' | 'unanswered' = 'refused';
      try {
        await this.#database.session(async (session) => {
          await session.query('BEGIN');
          await addJobsBySql(session, 'jobgate', this.#queue, [{ name: 'work', data: number }]);
          await sleep(number % 10);
          if (number % ROLLED_BACK === 0) throw new Error('The order was not paid');
          answer = 'unanswered';
          await session.query('COMMIT');
        });
        this.#ledger.answered(number, 'accepted');
      } catch {
        this.#ledger.answered(number, answer);
        await sleep(20);
      }
    }
  }
}
