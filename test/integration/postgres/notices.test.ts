import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { openReplica } from '../../support/postgres/open-replica.ts';
import { findPgBouncer, PgBouncer } from '../../support/postgres/pg-bouncer.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';

describe('the notices of PostgreSQL', () => {
  it('are known to arrive, once one came back to its sender', async () => {
    const { uri, schema } = await freshSchema();
    const { store } = await openReplica({ uri, schema, clock: new FakeClock() });
    try {
      await eventually('the replica listens', () => Promise.resolve(store.isListening));
    } finally {
      await store.stop();
    }
  });

  it('are known not to arrive through a pooler that accepts LISTEN', async () => {
    const { uri, schema } = await freshSchema();
    const bouncer = await PgBouncer.start(await findPgBouncer(), Number(new URL(uri).port));
    try {
      const replica = await openReplica({ uri: bouncer.uri, schema, clock: new FakeClock() });
      for (let change = 0; change < 20; change += 1) {
        await replica.keyChecks.put(`key ${change}`, () => ({ value: 'value' }));
      }
      expect(replica.store.isListening).to.equal(false);
      await replica.store.stop();
    } finally {
      await bouncer.stop();
    }
  });
});
