import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Database } from '../../../src/adapters/outbound/postgres/driver/database.ts';
import type { PostgresDatabase } from '../../../src/adapters/outbound/postgres/driver/postgres-database.ts';
import { SharedLog } from '../../../src/adapters/outbound/postgres/log/shared-log.ts';
import { migrate } from '../../../src/adapters/outbound/postgres/schema/migrate.ts';
import { testDatabase } from '../../support/postgres/test-database.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';

const MANY = 40;
const SIZE = 100_000;
const MOST = 450_000;

describe('a read of many records on PostgreSQL', () => {
  let database: PostgresDatabase;
  let schema: string;

  before(async () => {
    const fresh = await freshSchema();
    ({ schema } = fresh);
    database = testDatabase(fresh.uri);
    await migrate(database, schema);
  });
  after(() => database.close());

  // holds: store.fair-steps
  it('gets no more large values than fit, but all of the first job', async () => {
    const ids = Array.from({ length: MANY }, (_, index) => String(index));
    const value = JSON.stringify(randomBytes(SIZE / 2).toString('hex'));
    for (const kind of ['payload', 'job']) {
      await database.query(
        `INSERT INTO ${schema}.records SELECT $1, 'mail', id, $2::json FROM unnest($3::text[]) AS ids (id)`,
        [kind, value, ids],
      );
    }
    let characters = 0;
    const counting: Database = {
      query: async (text, values) => {
        const rows = await database.query<never>(text, values);
        characters += JSON.stringify(rows).length;
        return rows;
      },
      session: (run) => database.session(run),
      listen: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const log = new SharedLog(counting, schema);
    const groups = [...ids, 'gone'].map((id) =>
      ['payload', 'job', 'logs'].map((kind) => ({ kind, queue: 'mail', id })),
    );
    const found = await log.find(groups, MOST);
    expect(found).to.deep.equal([
      [value, value, undefined],
      [value, value, undefined],
    ]);
    expect(characters).to.be.lessThan(10 * SIZE);
    expect(await log.find(groups, 1)).to.deep.equal([[value, value, undefined]]);
    const all = await log.find(groups.slice(1), 1_000_000_000);
    expect(all).to.have.lengthOf(MANY);
    expect(all.at(-1)).to.deep.equal([undefined, undefined, undefined]);
  });
});
