import { expect } from 'chai';
import { dropSchemas } from '../../support/postgres/drop-schemas.ts';
import { PostgresServer } from '../../support/postgres/postgres-server.ts';
import { testDatabase } from '../../support/postgres/test-database.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';

/** How long (ms) a server may take to be made. */
const START_TIMEOUT = 60_000;

describe('the PostgreSQL of the tests', () => {
  it('answers, and gives each harness a schema of its own', async () => {
    const [one, other] = [await freshSchema(), await freshSchema()];
    expect(one.schema).not.to.equal(other.schema);
    expect(one.uri).to.equal(other.uri);
    const database = testDatabase(one.uri);
    try {
      for (const { schema } of [one, other]) {
        await database.query(`CREATE SCHEMA ${schema}`);
        await database.query(`CREATE TABLE ${schema}.jobs AS SELECT 1 AS id`);
      }
      await dropSchemas(one.uri, one.schema);
      expect(await database.query(`SELECT id FROM ${other.schema}.jobs`)).to.deep.equal([
        { id: 1 },
      ]);
    } finally {
      await database.close();
    }
  });
});

describe('a PostgreSQL of a test of its own', function () {
  this.timeout(START_TIMEOUT);

  it('is there again after a kill, with what was committed', async () => {
    const server = await PostgresServer.start();
    const database = testDatabase(server.uri);
    try {
      await database.query('CREATE TABLE jobs AS SELECT 1 AS id');
      await server.kill();
      await server.restart();
      const again = testDatabase(server.uri);
      expect(await again.query('SELECT id FROM jobs')).to.deep.equal([{ id: 1 }]);
      await again.close();
    } finally {
      await database.close();
      await server.stop();
    }
  });
});
