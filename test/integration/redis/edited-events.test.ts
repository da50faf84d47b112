import { expect } from 'chai';
import { compareEventIds } from '../../../src/domain/events/event-id.ts';
import { erasure } from '../../../src/domain/jobs/erasure.ts';
import { Traces } from '../../../src/domain/jobs/traces.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { addOne, idOf, jobOf, process, uniqueQueue } from '../../contracts/queue-steps.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';

/** Longest time of a command, in microseconds: the mean, which a busy machine does not spoil. */
const LONGEST = 5000;

const CUSTOMERS = ['ada-lovelace', 'grace-hopper', 'emmy-noether', 'lise-meitner'];

describe('The stream of events of a queue', () => {
  let server: RedisServer;
  let connections: TestConnections;
  let replicas: readonly RedisReplica[];
  let queue: QueueName;

  before(async () => {
    server = await RedisServer.start();
    connections = await TestConnections.open(server.uri);
    replicas = [redisReplica(connections), redisReplica(connections)];
  });
  beforeEach(() => {
    queue = uniqueQueue();
  });
  afterEach(() => connections.commands.config('SET', 'maxmemory', 0));
  after(async () => {
    connections.close();
    await server.stop();
  });

  const stream = (): string => `bull:${queue}:events`;
  const entries = (): ReturnType<typeof connections.commands.xrange> =>
    connections.commands.xrange(stream(), '-', '+');
  const copies = (): Promise<string[]> =>
    connections.commands.keys(`bull:${queue}:jobgate:events-*`);

  /** Ends a job for each of the customers, who are in what it returns. */
  async function fill({ queues, attempts }: RedisReplica): Promise<void> {
    for (const customer of CUSTOMERS) {
      await addOne(queues, queue, { removeOnComplete: true });
      await process(attempts, queue, { kind: 'completed', returnvalue: { customer } });
    }
  }

  /** What each replica does to forget a customer. */
  function forget(index: number): Promise<unknown> {
    const filter = { data: { customer: CUSTOMERS[index] ?? '' } };
    const traces = new Traces(erasure({ filter }), () => true);
    return (replicas[index % replicas.length] as RedisReplica).erasure.forgetEvents(queue, traces);
  }

  // holds: erase.events
  it('loses values to several replicas while events come and old ones go', async function () {
    this.timeout(60_000);
    const [{ queues }] = replicas as [RedisReplica];
    await addOne(queues, queue);
    await connections.commands.hset(`bull:${queue}:meta`, 'opts.maxLenEvents', 3000);
    for (let round = 0; round < 2; round += 1) {
      await queues.add(
        queue,
        Array.from({ length: 700 }, () => jobOf()),
      );
      await fill(replicas[0]!);
      await queues.add(
        queue,
        Array.from({ length: 700 }, () => jobOf()),
      );
      await connections.commands.config('RESETSTAT');
      const before = await entries();
      const adding = Array.from({ length: 10 }, async () => {
        for (let times = 0; times < 5; times += 1) await queues.add(queue, [jobOf(), jobOf()]);
      });
      await Promise.all([...adding, ...CUSTOMERS.map((_, index) => forget(index))]);
      const after = await entries();
      const known = after
        .map(([id]) => id)
        .filter((id) => compareEventIds(id, before.at(-1)![0]) <= 0);
      expect(known).to.deep.equal(before.slice(-known.length).map(([id]) => id));
      const news = after.slice(known.length).filter(([, fields]) => fields.includes('added'));
      expect(news).to.have.length(100);
      for (const customer of CUSTOMERS) expect(JSON.stringify(after)).not.to.include(customer);
      const completed = after.filter(([, fields]) => fields.includes('completed'));
      expect(completed.length).to.be.within(CUSTOMERS.length, 2 * CUSTOMERS.length);
      const stats = await connections.commands.info('commandstats');
      const [, mean] = /cmdstat_evalsha:.*usec_per_call=([\d.]+)/.exec(stats) ?? [];
      expect(Number(mean)).to.be.within(1, LONGEST);
    }
    expect(await connections.commands.pttl(stream())).to.equal(-1);
    expect(await copies()).to.deep.equal([]);
  });

  // holds: erase.events
  it('keeps the place of its readers, those of consumer groups too', async () => {
    const { commands } = connections;
    await fill(replicas[0]!);
    const before = await entries();
    const middle = before[3]![0];
    await commands.xgroup('CREATE', stream(), 'readers', middle);
    await commands.xdel(stream(), before.at(-1)![0]);
    await forget(0);
    const [, unread] = (
      (await commands.xreadgroup(
        ...(['GROUP', 'readers', 'one', 'STREAMS', stream(), '>'] as const),
      )) as [[string, [string, string[]][]]]
    )[0];
    expect(unread.map(([id]) => id)).to.deep.equal(before.slice(4, -1).map(([id]) => id));
    const info = (await commands.xinfo('STREAM', stream())) as unknown[];
    expect(info[info.indexOf('last-generated-id') + 1]).to.equal(before.at(-1)![0]);
  });

  // holds: erase.events
  it('begins anew when another client removes an event meanwhile', async () => {
    const { commands } = connections;
    await replicas[0]!.queues.add(
      queue,
      Array.from({ length: 500 }, () => jobOf()),
    );
    await fill(replicas[0]!);
    const removed = (await entries())[300]![0];
    await Promise.all([forget(0), commands.xdel(stream(), removed)]);
    const left = await entries();
    expect(left.map(([id]) => id)).not.to.include(removed);
    expect(JSON.stringify(left)).not.to.include(CUSTOMERS[0]);
    expect(await copies()).to.deep.equal([]);
  });

  // holds: erase.events
  it('loses values when the memory of the store is used up', async () => {
    await fill(replicas[0]!);
    const before = (await replicas[0]!.events.read(queue, '0-0')).events;
    await connections.commands.config('SET', 'maxmemory', 1);
    await forget(0);
    const { events } = await replicas[1]!.events.read(queue, '0-0');
    expect(events.map(idOf)).to.deep.equal(before.map(idOf));
    expect(JSON.stringify(events)).not.to.include(CUSTOMERS[0]);
  });
});
