import { expect } from 'chai';
import type { PostgresDatabase } from '../../../src/adapters/outbound/postgres/driver/postgres-database.ts';
import type { PostgresReplica } from '../../../src/adapters/outbound/postgres/postgres-replica.ts';
import { ALL_QUEUES } from '../../../src/application/kept/policies.ts';
import { jobJson } from '../../../src/domain/jobs/job-json.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { addOne, jobOf, take, uniqueQueue } from '../../contracts/queue-steps.ts';
import { eventually } from '../../support/eventually.ts';
import { openReplica } from '../../support/postgres/open-replica.ts';
import { addJobsBySql, refusalOf } from '../../support/postgres/sql-client.ts';
import { testDatabase } from '../../support/postgres/test-database.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';
import { rejection } from '../../support/rejection.ts';

const JOB = { name: 'work', data: { to: 'ada' } };

describe('add_jobs', () => {
  let uri: string;
  let schema: string;
  let database: PostgresDatabase;
  let one: PostgresReplica;
  let other: PostgresReplica;
  let queue: QueueName;

  before(async () => {
    ({ uri, schema } = await freshSchema());
    const clock = new SystemClock();
    one = await openReplica({ uri, schema, clock, instance: 'host:1' });
    other = await openReplica({ uri, schema, clock, instance: 'host:2' });
    database = testDatabase(uri, 4);
  });

  after(async () => {
    await database.close();
    await one.store.stop();
    await other.store.stop();
  });

  beforeEach(() => {
    queue = uniqueQueue();
  });

  const add = (jobs: unknown): ReturnType<typeof addJobsBySql> =>
    addJobsBySql(database, schema, queue, jobs);

  async function waitingIds(replica = one): Promise<readonly string[]> {
    const query = {
      statuses: ['waiting', 'prioritized', 'delayed'],
      start: 0,
      length: 10_000,
    } as const;
    const { jobs } = await replica.queues.list(queue, query);
    const ids: string[] = [];
    for await (const piece of jobs) ids.unshift(...piece.map(({ id }) => id).reverse());
    return ids;
  }

  async function untilWaiting(jobs: number): Promise<readonly string[]> {
    await eventually('the jobs wait', async () => (await waitingIds()).length === jobs);
    return waitingIds();
  }

  // holds: store.postgres-add-jobs
  it('returns the jobs as they are stored once its transaction is committed', async () => {
    const jobs = [
      JOB,
      { ...JOB, data: null, opts: { jobId: 'mine', backoff: 5, priority: 3, ttl: 60_000 } },
      { ...JOB, opts: { delay: 60_000, backoff: { type: 'linear' }, group: { id: 'acme' } } },
      { ...JOB, data: [1.5, 'é', { b: {} }], opts: { deduplication: { id: 'x' }, attempts: 3 } },
    ];
    const added = await add(jobs);
    await untilWaiting(4);
    for (const job of added) {
      const stored = await other.queues.find(queue, job.id);
      expect(stored && jobJson(stored, 'test')).to.deep.equal(job);
    }
  });

  it('adds in the order of the calls and of the jobs within each', async () => {
    const ids: unknown[] = [];
    await database.session(async (session) => {
      await session.query('BEGIN');
      for (let call = 0; call < 3; call += 1) {
        const added = await addJobsBySql(session, schema, queue, [JOB, JOB]);
        ids.push(...added.map(({ id }) => id));
      }
      await session.query('COMMIT');
    });
    expect(await untilWaiting(6)).to.deep.equal(ids);
    expect(ids).to.deep.equal([...ids].sort());
  });

  // holds: store.postgres-inbox-pieces
  it('is taken in rounds of at most 1,000 jobs, in order', async () => {
    await add([JOB]);
    const [first = ''] = await untilWaiting(1);
    const ids = Array.from({ length: 4200 }, (_, index) => String(Number(first) + 1 + index));
    const row = (some: readonly string[]): string => {
      const opts = { attempts: 1, delay: 0, priority: 0 };
      return JSON.stringify(some.map((id) => ({ id, ...JOB, opts })));
    };
    await database.session(async (session) => {
      await session.query('BEGIN');
      for (const [start, end] of [
        [0, 600],
        [600, 3700],
        [3700, 4200],
      ] as const) {
        await session.query(
          `INSERT INTO ${schema}.inbox (queue, added, waiting, bytes, jobs) VALUES ($1, $2, $3, 1, $4::text::json)`,
          [queue, Date.now(), end - start, row(ids.slice(start, end))],
        );
      }
      await session.query('SELECT pg_notify($1, pg_current_xact_id()::text)', [
        `jobgate inbox ${schema}`,
      ]);
      await session.query('COMMIT');
    });
    expect(await untilWaiting(4201)).to.deep.equal([first, ...ids]);
    const rounds = await database.query<{ jobs: number }>(
      `SELECT (SELECT count(*) FROM json_array_elements(changes) AS c (change)
         WHERE change->>'kind' = 'job' AND change->>'queue' = $1)::integer AS jobs
       FROM ${schema}.log ORDER BY round`,
      [queue],
    );
    const sizes = rounds.map(({ jobs }) => jobs).filter((jobs) => jobs > 0);
    expect(sizes).to.deep.equal([1, 600, 1000, 1000, 1000, 600]);
  });

  it('adds nothing when its transaction is rolled back, whole or up to a savepoint', async () => {
    await database.session(async (session) => {
      await session.query('BEGIN');
      await addJobsBySql(session, schema, queue, [JOB]);
      await session.query('ROLLBACK');
      await session.query('BEGIN');
      await session.query('SAVEPOINT before');
      await addJobsBySql(session, schema, queue, [{ ...JOB, opts: { jobId: 'undone' } }]);
      await session.query('ROLLBACK TO before');
      await addJobsBySql(session, schema, queue, [{ ...JOB, opts: { jobId: 'kept' } }]);
      await session.query('COMMIT');
    });
    expect(await untilWaiting(1)).to.deep.equal(['kept']);
  });

  it('neither waits for rounds nor delays them while its transaction is open', async () => {
    await database.session(async (session) => {
      await session.query('BEGIN');
      await addJobsBySql(session, schema, queue, [JOB]);
      await addOne(one.queues, queue, { jobId: 'from one' });
      await addOne(other.queues, queue, { jobId: 'from the other' });
      await addJobsBySql(session, schema, queue, [JOB]);
      expect(await waitingIds()).to.deep.equal(['from one', 'from the other']);
      await session.query('COMMIT');
    });
    expect(await untilWaiting(4)).to.have.length(4);
  });

  it('adds each job once, however many replicas there are', async () => {
    const calls = Array.from({ length: 100 }, () => add([JOB, JOB]));
    const added = (await Promise.all(calls)).flat();
    const ids = added.map(({ id }) => id);
    expect([...(await untilWaiting(200))].sort()).to.deep.equal(ids.sort());
    expect(await waitingIds(other)).to.deep.equal(await waitingIds());
    expect((await take(one.attempts, queue)).job.id).to.equal((await waitingIds())[0] && ids[0]);
  });

  it('adds what no replica was there to take, in the order of the commits, at the next start', async () => {
    const own = await freshSchema();
    const clock = new SystemClock();
    const first = await openReplica({ ...own, clock });
    await first.store.stop();
    await addJobsBySql(database, own.schema, queue, [JOB]);
    await addJobsBySql(database, own.schema, queue, [{ ...JOB, opts: { jobId: 'last' } }]);
    const second = await openReplica({ ...own, clock });
    try {
      await eventually('the jobs wait', async () => {
        return (await second.queues.summary(queue)).counts.waiting === 2;
      });
      await take(second.attempts, queue);
      expect((await take(second.attempts, queue)).job.id).to.equal('last');
    } finally {
      await second.store.stop();
    }
  });

  it('leaves out a job whose id exists or for whose deduplication id another stands', async () => {
    await addOne(one.queues, queue, { jobId: 'there', deduplication: { id: 'x' } });
    const [existing, left] = await add([
      { ...JOB, opts: { jobId: 'there' } },
      { ...JOB, opts: { deduplication: { id: 'x' } } },
      { ...JOB, opts: { jobId: 'last' } },
    ]);
    expect(await untilWaiting(2)).to.deep.equal(['there', 'last']);
    expect(existing?.id).to.equal('there');
    expect(await one.queues.find(queue, left?.id ?? '')).to.equal(undefined);
  });

  it('counts the delay and the ttl of a job from the call, not from the commit', async () => {
    const [job] = await add([{ ...JOB, opts: { delay: 1, ttl: 60_000 } }]);
    const stored = await eventuallyFound(job?.id ?? '');
    expect(stored.timestamp).to.equal(job?.timestamp);
    await eventually('it is due', async () => {
      return (
        (await one.attempts.claim(queue, { concurrency: 9, lockDuration: 9999, token: 't' }))
          .kind === 'attempt'
      );
    });
  });

  async function eventuallyFound(id: string) {
    let found = await one.queues.find(queue, id);
    await eventually('the job is there', async () => {
      found = await one.queues.find(queue, id);
      return found !== undefined;
    });
    if (found === undefined) throw new Error('It was there');
    return found;
  }

  async function untilFolded(kind: string): Promise<void> {
    await eventually(`the ${kind} is in force`, async () => {
      const rows = await database.query(
        `SELECT FROM "${schema}".folded WHERE round >= (SELECT max(round) FROM "${schema}".log)`,
      );
      return rows.length > 0;
    });
  }

  it('applies the policy: its defaults, and the size of data as compact JSON', async () => {
    await one.policies.put(ALL_QUEUES, () => ({ defaults: { attempts: 4 }, maxJobSize: 10 }));
    await one.policies.put(queue, () => ({ defaults: { backoff: 7 } }));
    await untilFolded('policy');
    const [job] = await add([{ ...JOB, data: 1, opts: { attempts: 2 } }]);
    expect(job?.opts).to.deep.equal({
      attempts: 2,
      delay: 0,
      backoff: { type: 'fixed', delay: 7 },
    });
    expect(await refusalOf(add([{ ...JOB, data: [1, 2, 3, 4] }]))).to.equal(undefined);
    expect(
      await refusalOf(
        add([
          { ...JOB, data: { 'a ': 1 } },
          { ...JOB, data: [1, 2, 3, 4, 5] },
        ]),
      ),
    ).to.equal('54000 [1].data must be of at most 10 bytes (maxJobSize of the policy)');
    await one.policies.remove(ALL_QUEUES);
  });

  it('shows no header value of a callback that the policy gives', async () => {
    const callback = { url: 'https://example.com/done', headers: { Authorization: 'secret' } };
    await one.policies.put(queue, () => ({ defaults: { callback } }));
    await untilFolded('policy');
    const [job] = await add([JOB]);
    const stored = await eventuallyFound(job?.id ?? '');
    expect(stored.opts['callback']).to.deep.equal(callback);
    expect(job).to.deep.equal(jobJson(stored, 'test'));
    expect(JSON.stringify(job)).to.not.include('secret');
  });

  it('words a limit of one job in the singular', async () => {
    await one.policies.put(queue, () => ({ maxWaiting: 1 }));
    await untilFolded('policy');
    const full = '53400 The queue is full: at most 1 job may wait (maxWaiting of the policy)';
    expect(await refusalOf(add([JOB, JOB]))).to.equal(full);
  });

  it('refuses jobs beyond maxWaiting, those included that no replica has taken yet', async () => {
    const full = '53400 The queue is full: at most 3 jobs may wait (maxWaiting of the policy)';
    await one.policies.put(queue, () => ({ maxWaiting: 3 }));
    await untilFolded('policy');
    await database.session(async (session) => {
      await session.query('BEGIN');
      await addJobsBySql(session, schema, queue, [JOB, JOB]);
      await addJobsBySql(session, schema, queue, [{ ...JOB, opts: { delay: 60_000 } }]);
      await session.query('SAVEPOINT before');
      expect(await refusalOf(addJobsBySql(session, schema, queue, [JOB, JOB]))).to.equal(full);
      await session.query('ROLLBACK TO before');
      await addJobsBySql(session, schema, queue, [JOB]);
      await session.query('COMMIT');
    });
    await untilWaiting(4);
    await eventually('the number of waiting jobs is known', async () => {
      return (await refusalOf(add([JOB]))) === full;
    });
  });

  describe('to groups with a maxWaiting', () => {
    const of = (id: string, opts: object = {}) => ({ ...JOB, opts: { group: { id }, ...opts } });

    const rowsOf = (name: string) =>
      database.query(
        `SELECT group_id, jobs FROM "${schema}".waiting_in_groups WHERE queue = $1 ORDER BY group_id`,
        [name],
      );

    const published = (what: string, ...rows: (readonly [string, number])[]): Promise<boolean> =>
      eventually(what, async () => {
        const expected = rows.map(([group_id, jobs]) => ({ group_id, jobs: String(jobs) }));
        return JSON.stringify(await rowsOf(queue)) === JSON.stringify(expected);
      });

    const refusedFor = (group: string, waiting: string, position = 0): string =>
      `53400 [${position}].opts.group ${group} has ${waiting}`;

    // holds: store.postgres-add-jobs
    it('refuses jobs beyond it, those of the call included and those that no replica has taken', async () => {
      await one.policies.put(queue, () => ({ groups: { maxWaiting: 3 } }));
      await untilFolded('policy');
      await database.session(async (session) => {
        const addHere = (jobs: unknown) => addJobsBySql(session, schema, queue, jobs);
        await session.query('BEGIN');
        await addHere([of('a', { jobId: 'first' }), of('b'), JOB]);
        await addHere([of('a')]);
        await addHere([of('a', { delay: 60_000 }), of('b'), { ...JOB, data: { group: 'a' } }]);
        await session.query('SAVEPOINT before');
        const jobs = [of('a', { delay: 60_000 }), of('b'), JOB, of('a'), of('a'), of('b')];
        expect(await refusalOf(addHere(jobs))).to.equal(refusedFor('a', '3 waiting jobs', 4));
        await session.query('ROLLBACK TO before');
        await addHere([of('a'), of('b')]);
        await session.query('COMMIT');
      });
      await untilWaiting(9);
      await published('the counts', ['a', 3], ['b', 3]);
      const overHttp = await rejection(
        one.queues.add(queue, [jobOf(), jobOf({ group: { id: 'a' } })], undefined, 3),
      );
      expect(await refusalOf(add([JOB, of('a')]))).to.equal(`53400 ${overHttp.message}`);
      expect(await refusalOf(add([JOB, of('a')]))).to.equal(refusedFor('a', '3 waiting jobs', 1));
      expect(await refusalOf(add([of('a', { delay: 60_000 }), of('c')]))).to.equal(undefined);
      await other.jobControl.remove(queue, 'first');
      await published('the counts after a job has gone', ['a', 2], ['b', 3], ['c', 1]);
      expect(await refusalOf(add([of('a')]))).to.equal(undefined);
    });

    it('has one job in the singular, and refuses a full queue before a full group', async () => {
      await one.policies.put(queue, () => ({ groups: { maxWaiting: 1 }, maxWaiting: 2 }));
      await untilFolded('policy');
      const id = 'at most 1 jobs';
      const refusal = await refusalOf(add([of(id), of(id)]));
      expect(refusal).to.equal(refusedFor(id, '1 waiting job', 1));
      expect(await refusalOf(add([of('a'), of('a'), JOB]))).to.equal(
        '53400 The queue is full: at most 2 jobs may wait (maxWaiting of the policy)',
      );
    });

    it('goes by the settings of a group before the defaults, unless they have expired', async () => {
      await one.policies.put(queue, () => ({ groups: { maxWaiting: 1 } }));
      await one.groups.saveSettings(queue, 'none', { maxWaiting: 0 });
      await one.groups.saveSettings(queue, '"two', { maxWaiting: 2, expires: Date.now() + 60_000 });
      await one.groups.saveSettings(queue, 'expired', { maxWaiting: 2, expires: Date.now() });
      await one.groups.saveSettings(queue, 'heavy', { weight: 2 });
      await untilFolded('settings of a group');
      expect(await refusalOf(add([of('none')]))).to.equal(refusedFor('none', '0 waiting jobs'));
      for (const id of ['expired', 'heavy']) {
        const refusal = await refusalOf(add([of(id), of(id)]));
        expect(refusal).to.equal(refusedFor(id, '1 waiting job', 1));
      }
      await add([of('"two')]);
      await untilWaiting(1);
      await published('the count', [JSON.stringify('"two'), 1]);
      expect(await refusalOf(add([of('"two'), of('"two')]))).to.equal(
        refusedFor('"two', '2 waiting jobs', 1),
      );
    });

    it('goes by the groups of the worker', async () => {
      const worker = { queue, endpoint: { url: 'http://127.0.0.1:1/', method: 'post' } } as const;
      await one.workers.put(queue, () => ({ ...worker, opts: { groups: { maxWaiting: 1 } } }));
      await untilFolded('worker');
      await add([of('a')]);
      await published('the count', ['a', 1]);
      expect(await refusalOf(add([of('a')]))).to.equal(refusedFor('a', '1 waiting job'));
    });

    it('counts groups as long as one of the queue has a limit, and corrects what is wrong', async () => {
      const limited = queue;
      queue = uniqueQueue();
      await add([of('a'), of('a'), of('b')]);
      await untilWaiting(3);
      await one.groups.saveSettings(limited, 'a', { maxWaiting: 5 });
      await addOne(one.queues, limited, { group: { id: 'b' } });
      await eventually('others are counted', async () => (await rowsOf(limited)).length === 1);
      expect(await rowsOf(queue)).to.deep.equal([]);

      await one.groups.saveSettings(queue, 'c', { maxWaiting: 5 });
      await published('the counts of what waited before', ['a', 2], ['b', 1]);
      await database.query(
        `INSERT INTO "${schema}".waiting_in_groups VALUES ($1, 'a', 7), ($1, 'gone', 7)
         ON CONFLICT (queue, group_id) DO UPDATE SET jobs = excluded.jobs`,
        [queue],
      );
      await published('the right counts', ['a', 2], ['b', 1]);
      await database.query(`DELETE FROM "${schema}".waiting_in_groups WHERE queue = $1`, [queue]);
      await published('the counts again', ['a', 2], ['b', 1]);
      await other.groups.removeSettings(queue, 'c');
      await published('no count');
    });
  });

  it('refuses another place in an ordered group', async () => {
    await one.policies.put(queue, () => ({ groups: { ordered: 'skip' } }));
    await untilFolded('policy');
    const ordered = { ...JOB, opts: { group: { id: 'a' } } };
    expect(
      await refusalOf(add([ordered, { ...JOB, opts: { group: { id: 'a' }, lifo: true } }])),
    ).to.equal('22023 [1].opts.lifo must not be given for a job of an ordered group');
    expect(await refusalOf(add([{ ...JOB, opts: { group: { id: 'a' }, priority: 2 } }]))).to.equal(
      '22023 [0].opts.priority must not be given for a job of an ordered group',
    );
  });

  it('bounds what one call adds', async () => {
    const many = Array.from({ length: 1001 }, () => JOB);
    expect(await refusalOf(add(many))).to.equal('54000 A request must add at most 1000 jobs');
    expect(await refusalOf(add([{ ...JOB, data: 'x'.repeat(1_000_000) }]))).to.equal(
      '54000 The request body must be of at most 1000000 bytes',
    );
    let deep: unknown = [];
    for (let level = 0; level < 498; level += 1) deep = [deep];
    const levels = '22023 The request body is nested deeper than 500 levels';
    expect(await refusalOf(add([{ ...JOB, data: deep }]))).to.equal(levels);
    expect(await refusalOf(add([{ ...JOB, data: (deep as unknown[])[0] }]))).to.equal(undefined);
    expect(await add([])).to.deep.equal([]);
  });

  it('refuses options whose rules SQL cannot check', async () => {
    for (const callback of [{ queue: 'other' }, { url: 'https://example.com' }, null]) {
      expect(await refusalOf(add([{ ...JOB, opts: { callback } }]))).to.equal(
        '22023 [0].opts.callback must be left out: only an add over HTTP may have it',
      );
    }
  });

  for (const text of ['a\0', 'a\ud800']) {
    it(`is not reached by ${JSON.stringify(text)}, which PostgreSQL refuses in its argument`, async () => {
      for (const job of [
        { name: text, data: null },
        { name: 'work', data: text },
      ]) {
        const refusal = await refusalOf(addJobsBySql(database, schema, uniqueQueue(), [job]));
        expect(refusal).to.match(/^22P0[25] /);
      }
    });
  }

  it('checks the name of the queue', async () => {
    const must = 'must be a string of 3 to 100 characters without ":" or control characters';
    for (const name of ['ab', 'a:bc', 'x'.repeat(101), 'a\u0007bc']) {
      expect(await refusalOf(addJobsBySql(database, schema, name, [JOB]))).to.equal(
        `22023 queue name ${must}`,
      );
    }
  });

  it('needs no right but to use the schema and to execute it', async () => {
    const role = `${schema}_shop`;
    await database.query(`CREATE ROLE ${role} LOGIN`);
    const as = new URL(uri);
    as.username = role;
    const shop = testDatabase(as.href);
    try {
      const call = (): Promise<unknown> => addJobsBySql(shop, schema, queue, [JOB]);
      expect(await refusalOf(call())).to.match(/^42501 permission denied for schema/);
      await database.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
      expect(await refusalOf(call())).to.match(/^42501 permission denied for function add_jobs/);
      await database.query(`GRANT EXECUTE ON FUNCTION ${schema}.add_jobs TO ${role}`);
      await call();
      await untilWaiting(1);
      for (const table of ['log', 'records', 'inbox', 'waiting', 'waiting_in_groups', 'checks']) {
        expect(await refusalOf(shop.query(`SELECT FROM ${schema}.${table}`))).to.match(/^42501 /);
      }
    } finally {
      await shop.close();
      await database.query(`DROP OWNED BY ${role}`);
      await database.query(`DROP ROLE ${role}`);
    }
  });
});
