import { expect } from 'chai';
import { MemoryRoom } from '../../../src/adapters/outbound/memory/room/memory-room.ts';
import type { PostgresDatabase } from '../../../src/adapters/outbound/postgres/driver/postgres-database.ts';
import type { PostgresReplica } from '../../../src/adapters/outbound/postgres/postgres-replica.ts';
import { newScheduler } from '../../../src/domain/schedulers/scheduler.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import {
  addOne,
  COMPLETED,
  jobOf,
  process,
  read,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { openReplica } from '../../support/postgres/open-replica.ts';
import { addJobsBySql, refusalOf } from '../../support/postgres/sql-client.ts';
import { testDatabase } from '../../support/postgres/test-database.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';
import { rejection } from '../../support/rejection.ts';
import { SettableHeap } from '../../support/settable-heap.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const FULL = 'The memory is full: 412 of 512 MB; remove jobs or give the process more';

const REPORT = {
  version: '1',
  startedAt: 0,
  ready: true,
  running: 0,
  lagMs: 0,
};

describe('replicas on PostgreSQL of which one has no memory left', () => {
  let database: PostgresDatabase;
  let schema: string;
  let clock: FakeClock;
  let heap: SettableHeap;
  let full: PostgresReplica;
  let other: PostgresReplica;
  let queue: QueueName;

  beforeEach(async () => {
    const fresh = await freshSchema();
    const { uri } = fresh;
    ({ schema } = fresh);
    clock = new FakeClock();
    heap = new SettableHeap();
    const room = new MemoryRoom(heap, silentLogger);
    full = await openReplica({ uri, schema, clock, instance: 'host:1', room });
    other = await openReplica({ uri, schema, clock, instance: 'host:2' });
    database = testDatabase(uri, 4);
    queue = uniqueQueue();
    for (const [instance, { system }] of [
      ['host:1', full],
      ['host:2', other],
    ] as const) {
      await system.report({ ...REPORT, instance }, clock.now());
    }
    await addOne(other.queues, queue);
  });

  afterEach(async () => {
    await database.close();
    await full.store.stop();
    await other.store.stop();
  });

  const refusalBySql = (): Promise<string | undefined> =>
    refusalOf(addJobsBySql(database, schema, queue, [{ name: 'work', data: 1 }]));

  async function untilFull(): Promise<void> {
    heap.set(412);
    heap.collectItself();
    await eventually('the other replica knows', () => Promise.resolve(other.isFull()));
    await eventually('add_jobs knows', async () => (await refusalBySql()) !== undefined);
  }

  // holds: store.full-memory
  it('all refuse jobs, add_jobs too, and take them again once it has room', async () => {
    await untilFull();
    const repeat = { every: 1000 };
    const scheduler = newScheduler('report', { repeat, job: { name: 'work', data: 1 } });
    for (const { queues, schedulers, flows } of [full, other]) {
      const refused = [
        queues.add(queue, [jobOf()]),
        schedulers.save(queue, 'report', scheduler, 10),
        flows.add([{ queue, job: jobOf() }] as never, () => undefined),
      ];
      for (const each of refused) expect((await rejection(each)).message).to.equal(FULL);
    }
    expect(await refusalBySql()).to.equal(`53200 ${FULL}`);
    heap.set(100);
    heap.collectItself();
    await eventually('add_jobs takes jobs', async () => (await refusalBySql()) === undefined);
    await eventually('the other replica knows', () => Promise.resolve(!other.isFull()));
    await addOne(other.queues, queue);
    await addOne(full.queues, queue);
  });

  // holds: store.full-memory
  it('go on with all else', async () => {
    await untilFull();
    const id = await process(full.attempts, queue, COMPLETED);
    expect(await read(other.queues, queue, id)).to.include({ state: 'completed' });
    expect(await other.jobControl.retry(queue, id, {}, ['completed'])).to.include({ kind: 'done' });
    await full.movingQueues.add(queue, [jobOf()]);
    expect(await other.queueControl.drain(queue, { delayed: true })).to.equal(2);
  });

  // holds: store.full-memory
  it('take jobs again once it was away for 15 s', async () => {
    await untilFull();
    await clock.advance(16_000);
    await addOne(other.queues, queue);
  });
});
