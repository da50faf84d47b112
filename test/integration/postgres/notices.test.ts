import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { openReplica } from '../../support/postgres/open-replica.ts';
import { findPgBouncer, PgBouncer } from '../../support/postgres/pg-bouncer.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';
import { silentLogger } from '../../support/silent-logger.ts';

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
      const warnings: string[] = [];
      const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
      const { store } = await openReplica({
        uri: bouncer.uri,
        schema,
        clock: new FakeClock(),
        logger,
      });
      try {
        // PgBouncer hands on what a connection hears while it has a client, so some of the first notices may come back.
        await eventually('the replica warns that it hears nothing', () =>
          Promise.resolve(
            warnings.some((warning) => warning.includes('cannot notify this replica')),
          ),
        );
        expect(store.isListening).to.equal(false);
      } finally {
        await store.stop();
      }
    } finally {
      await bouncer.stop();
    }
  });
});
