import { expect } from 'chai';
import { runWith } from '../../support/command-line.ts';
import { PostgresServer } from '../../support/postgres/postgres-server.ts';

/** How long (ms) a server may take to be made. */
const START_TIMEOUT = 60_000;

describe('jobgate store migrate', () => {
  it('says in one line what is wrong with the variables', async () => {
    for (const [variables, problem] of [
      [{}, 'STORE_URI must be given with STORE=postgres'],
      [{ STORE_URI: 'redis://host' }, 'STORE_URI must begin with postgres://'],
      [{ STORE_URI: 'postgres://host', STORE_SCHEMA: 'X' }, 'STORE_SCHEMA must be the name'],
    ] as const) {
      const { code, errors } = await runWith(variables, ['store', 'migrate']);
      expect(code).to.equal(1);
      expect(errors).to.contain(problem);
    }
  });

  it('says that nothing answers, and keeps the password for itself', async function () {
    this.timeout(START_TIMEOUT);
    const server = await PostgresServer.start();
    await server.stop();
    const variables = { STORE_URI: server.uri.replace('postgres@', 'postgres:top-secret@') };
    const { code, errors } = await runWith(variables, ['store', 'migrate']);
    expect(code).to.equal(1);
    expect(errors).to.contain('ECONNREFUSED').and.not.to.contain('top-secret');
  });
});
