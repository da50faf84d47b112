import { expect } from 'chai';
import fc from 'fast-check';
import { jobsBody } from '../../../src/adapters/inbound/http/api/schemas/body-formats.ts';
import { EventLoopTurns } from '../../../src/adapters/inbound/http/messages/event-loop-turns.ts';
import type { PostgresDatabase } from '../../../src/adapters/outbound/postgres/driver/postgres-database.ts';
import type { PostgresReplica } from '../../../src/adapters/outbound/postgres/postgres-replica.ts';
import { DomainError } from '../../../src/domain/errors.ts';
import { uniqueQueue } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { openReplica } from '../../support/postgres/open-replica.ts';
import { addJobsBySql, refusalOf } from '../../support/postgres/sql-client.ts';
import { testDatabase } from '../../support/postgres/test-database.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';

const SEED = 48;
const RUNS = 400;

const turns = new EventLoopTurns();

/** The database refuses a NUL in a JSON text itself. */
const someText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.constantFrom(
      '',
      'a',
      '12',
      '-5',
      '1a',
      'a:b',
      'wait',
      'search',
      '.',
      'fixed',
      'linear',
      'exponential',
    ),
    fc.constantFrom(
      'a\u00adb',
      'a\u200bb',
      'a\u200db',
      '\u{e0041}',
      '\u{13430}',
      'é\u0301',
      '😀',
      '\u0085',
      '\n',
    ),
    fc.constantFrom('x'.repeat(128), 'x'.repeat(129), 'x'.repeat(255), 'x'.repeat(256)),
    fc.constantFrom(
      '😀'.repeat(255),
      '😀'.repeat(256),
      '😀'.repeat(50_000),
      `x${'😀'.repeat(50_000)}`,
    ),
  )
  .filter((text) => !text.includes('\0'));

const someNumber = fc.oneof(
  fc.integer({ min: -2, max: 4 }),
  fc.constantFrom(
    0.5,
    1.5,
    1000,
    1001,
    2_097_152,
    2_097_153,
    2 ** 53 - 1,
    2 ** 53,
    2 ** 53 + 2,
    1e21,
    1e308,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const anything: fc.Arbitrary<unknown> = fc.oneof(
  someText,
  someNumber,
  fc.boolean(),
  fc.constantFrom(null, [], {}, [1], { type: 'fixed' }),
);

/** A field that is mostly right, wrong at times, and may be missing. */
function mostly<Value>(right: fc.Arbitrary<Value>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: anything });
}

function objectOf(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> {
  const unknown = { zz: anything, 'a b': anything, '': anything, '\u0007\u2028': anything };
  return fc
    .tuple(
      fc.record(fields, { requiredKeys: [] }),
      fc.oneof(
        { weight: 9, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.record(unknown, { requiredKeys: [] }) },
      ),
    )
    .map(([known, others]) => ({ ...known, ...others }));
}

const count = mostly(fc.nat(5));
const flag = mostly(fc.boolean());
const retention = fc.oneof(count, flag, objectOf({ count, age: count }));

const someOptions = objectOf({
  attempts: count,
  backoff: fc.oneof(
    count,
    objectOf({
      type: mostly(fc.constantFrom('fixed', 'linear', 'exponential')),
      delay: count,
      jitter: mostly(fc.double({ min: 0, max: 1, noNaN: true })),
      maxDelay: count,
    }),
  ),
  delay: count,
  priority: count,
  lifo: flag,
  jobId: mostly(someText),
  removeOnComplete: retention,
  removeOnFail: retention,
  keepLogs: count,
  timeout: count,
  ttl: count,
  retryFor: count,
  group: mostly(objectOf({ id: someText, cost: count })),
  deduplication: mostly(
    objectOf({
      id: someText,
      ttl: count,
      extend: flag,
      replace: flag,
      keepLastIfActive: flag,
      reschedule: flag,
    }),
  ),
});

const someJob = mostly(
  fc
    .tuple(
      objectOf({ opts: mostly(someOptions) }),
      mostly(someText),
      fc.oneof(anything, fc.constant({ a: [1e21, 2] })),
    )
    .chain(([rest, name, data]) =>
      fc.constantFrom(
        { name, data, ...(rest as object) },
        { name, data, ...(rest as object) },
        rest,
      ),
    ),
);

const someJobs = fc.oneof(
  { weight: 9, arbitrary: fc.array(someJob, { maxLength: 4 }) },
  { weight: 1, arbitrary: anything },
);

async function refusalOverHttp(text: string): Promise<string | undefined> {
  try {
    await jobsBody.parse(Buffer.from(text), turns);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return `22023 ${error.message}`;
  }
}

describe('the checks of add_jobs', () => {
  let database: PostgresDatabase;
  let replica: PostgresReplica;
  let schema: string;

  before(async () => {
    const fresh = await freshSchema();
    ({ schema } = fresh);
    replica = await openReplica({ ...fresh, clock: new FakeClock() });
    database = testDatabase(fresh.uri);
  });

  after(async () => {
    await database.close();
    await replica.store.stop();
  });

  // holds: store.postgres-add-jobs
  it('refuse what the HTTP interface refuses, in the same words, and nothing else', async () => {
    const queue = uniqueQueue();
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(someJobs, async (jobs) => {
        // As PostgreSQL has it: the names of an object are in another order, and numbers are written out.
        const [row] = await database.query<{ readonly text: string }>(
          'SELECT $1::text::jsonb::text AS text',
          [JSON.stringify(jobs)],
        );
        const expected = await refusalOverHttp(row?.text ?? '');
        if (expected !== undefined) refused += 1;
        expect(await refusalOf(addJobsBySql(database, schema, queue, jobs))).to.equal(expected);
      }),
      { seed: SEED, numRuns: RUNS },
    );
    expect(refused).to.be.within(RUNS / 10, (RUNS * 9) / 10);
  }).timeout(120_000);
});
