import { expect } from 'chai';
import { runProgram, runWith } from '../../support/command-line.ts';
import { PostgresServer } from '../../support/postgres/postgres-server.ts';
import { testDatabase } from '../../support/postgres/test-database.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';

/** How long (ms) a server may take to be made. */
const START_TIMEOUT = 60_000;

describe('jobgate store migrate', () => {
  async function environment(): Promise<Record<string, string>> {
    const { uri, schema } = await freshSchema();
    return { STORE_URI: uri, STORE_SCHEMA: schema };
  }

  // holds: command-line.store-migrate
  it('prints with --dry-run what it does without', async () => {
    const variables = await environment();
    const printed = await runProgram(variables, ['store', 'migrate', '--dry-run']);
    expect(printed.errors).to.equal('');
    expect(printed.output).to.match(/^-- 0001 \S+\nBEGIN;\n\nCREATE SCHEMA /);

    const database = testDatabase(variables['STORE_URI'] ?? '');
    await database.session((session) => session.script(printed.output));
    await database.close();
    for (const options of [['--dry-run'], []]) {
      const after = await runWith(variables, ['store', 'migrate', ...options]);
      expect(after).to.include({ code: 0, output: 'No migration is due\n' });
    }
  });

  it('applies what is due, and names it', async () => {
    const variables = await environment();
    const { due } = await json<'due'>(variables, '--dry-run');
    const { applied } = await json<'applied'>(variables);
    expect(applied).to.have.lengthOf.at.least(1);
    expect(applied).to.deep.equal(due.map(({ number, name }) => ({ number, name })));
    expect(await json(variables)).to.deep.equal({ applied: [] });
  });

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

  async function json<Key extends string>(
    variables: Readonly<Record<string, string>>,
    ...options: readonly string[]
  ) {
    const { output } = await runWith(variables, ['store', 'migrate', ...options, '--json']);
    return JSON.parse(output) as Record<Key, readonly { number: number; name: string }[]>;
  }
});
