import { expect } from 'chai';
import type { Database, SqlRow } from '../../../src/adapters/outbound/postgres/driver/database.ts';
import type { PostgresReplica } from '../../../src/adapters/outbound/postgres/postgres-replica.ts';
import { BEHIND } from '../../../src/domain/system/system.ts';
import { addOne, countsOf, uniqueQueue } from '../../contracts/queue-steps.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { openReplica, replicaOn } from '../../support/postgres/open-replica.ts';
import { testDatabase } from '../../support/postgres/test-database.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';
import { rejection } from '../../support/rejection.ts';
import { RecordingLogger } from '../http/support/recording-logger.ts';

/** A database that answers no look at the log while it is held up. */
class HeldDatabase implements Database {
  readonly #database: Database;
  #held: Promise<void> = Promise.resolve();
  release: () => void = () => undefined;
  readonly session: Database['session'];
  readonly listen: Database['listen'];
  readonly close: Database['close'];

  constructor(database: Database) {
    this.#database = database;
    this.session = database.session.bind(database);
    this.listen = database.listen.bind(database);
    this.close = database.close.bind(database);
  }

  hold(): void {
    this.#held = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  async query<Row extends SqlRow>(...[text, values]: Parameters<Database['query']>) {
    const rows = await this.#database.query<Row>(text, values);
    if (/FROM "\w+"\.log WHERE round >=/.test(text)) await this.#held;
    return rows;
  }
}

describe('a replica that is behind the log', function () {
  this.timeout(60_000);

  const logger = new RecordingLogger();
  let database: HeldDatabase;
  let held: PostgresReplica;
  let other: PostgresReplica;

  before(async () => {
    const { uri, schema } = await freshSchema();
    database = new HeldDatabase(testDatabase(uri, 4));
    const clock = new FakeClock();
    held = replicaOn(database, { schema, clock, instance: 'host:1', logger });
    await held.store.start(new AbortController().signal);
    other = await openReplica({ uri, schema, clock, instance: 'host:2' });
  });

  after(async () => {
    database.release();
    await Promise.all([held, other].map(({ store }) => store.stop()));
  });

  const behind = async (replica: PostgresReplica): Promise<number> =>
    (await replica.system.store()).facts.database?.behindMs ?? NaN;

  const linesOf = (wanted: string): number =>
    logger.lines.filter(({ message }) => message === wanted).length;

  // holds: store.postgres-behind
  it('says so in its log, its health and its facts, once each, and others go on', async () => {
    const queue = uniqueQueue();
    database.hold();
    await addOne(other.queues, queue);
    const { level, fields } = await logger.line(
      ({ message }) => message === 'This replica is behind the log',
    );
    expect(level).to.equal('warn');
    expect(fields['lag']).to.be.at.least(BEHIND);
    expect(await behind(held)).to.be.at.least(BEHIND);
    expect(await behind(other)).to.be.below(BEHIND);
    const refusal = await rejection(held.storeHealth.check());
    expect((refusal.cause as Error).message).to.match(/^this replica is \d+ s behind its log$/);
    database.release();
    await logger.line(({ message }) => message === 'This replica has caught up with the log');
    expect((await countsOf(held.queues, queue))['waiting']).to.equal(1);
    await eventually('it is well again', () =>
      held.storeHealth.check().then(
        () => true,
        () => false,
      ),
    );
    // Who asks afterwards learns why it did not answer.
    expect(await behind(held)).to.be.at.least(BEHIND);
    expect(linesOf('This replica is behind the log')).to.equal(1);
    expect(linesOf('This replica has caught up with the log')).to.equal(1);
  });
});
