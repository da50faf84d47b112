import { expect } from 'chai';
import { FakeClock } from '../../support/fake-clock.ts';
import { openReplica } from '../../support/postgres/open-replica.ts';
import { testDatabase } from '../../support/postgres/test-database.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';
import { rejection } from '../../support/rejection.ts';

describe('a replica on PostgreSQL that cannot follow the log', () => {
  for (const [name, statement] of [
    ['the rounds after its last one are deleted', 'UPDATE log SET round = round + 1000'],
    ['the database was set back to earlier rounds', 'DELETE FROM log'],
  ] as const) {
    it(`refuses everything and ends the process, when ${name}`, async () => {
      const { uri, schema } = await freshSchema();
      const database = testDatabase(uri);
      const failures: Error[] = [];
      const failed = (error: Error): void => void failures.push(error);
      const replica = await openReplica({ uri, schema, clock: new FakeClock(), failed });
      try {
        await replica.keyChecks.put('key', () => ({ value: 'value' }));
        await database.session((session) =>
          session.script(`SET search_path = "${schema}"; ${statement}; RESET search_path`),
        );
        for (const call of [
          () => replica.keyChecks.find('key'),
          () => replica.keyChecks.put('other', () => ({ value: 'value' })),
        ]) {
          expect(await rejection(call())).to.include({ code: 'store-unavailable' });
        }
        expect(failures.map(({ name }) => name)).to.deep.equal(['LogLostError']);
      } finally {
        await replica.store.stop();
        await database.close();
      }
    });
  }
});
