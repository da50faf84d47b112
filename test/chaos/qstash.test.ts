import { setTimeout as sleep } from 'node:timers/promises';
import { Client, QstashError } from '@upstash/qstash';
import { expect } from 'chai';
import { answer, EndpointServer, type EndpointCall } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/lane.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { Replicas } from './support/replicas.ts';

/** Messages that are published while replicas are killed, and that go through one queue. */
const [PUBLISHED, ENQUEUED] = [rounds(10_000, 600), rounds(1000, 60)];

/** Messages of one flow control key in three queues. */
const LIMITED = rounds(1000, 60);
const BATCH = 100;

/** How many messages of the queue there are to a kill. */
const EACH = ENQUEUED / rounds(4, 1);

/** Messages of a schedule that are waited for, one a second. */
const TICKS = rounds(60, 4);

/** How many messages are published between kills. */
const BETWEEN_KILLS = rounds(2000, 300);

/** Jobs of a replica that was killed are found in about two seconds instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500', QSTASH: 'on' };

describe('messages over QStash, while replicas are killed', () => {
  let store: RedisServer;
  let replicas: Replicas;
  let server: EndpointServer;

  beforeEach(async function () {
    this.timeout(60_000);
    store = await RedisServer.start();
    server = await EndpointServer.start();
    replicas = await Replicas.start(2, { STORE_URI: store.uri, ...QUICK });
  });

  afterEach(async () => {
    await Promise.all(replicas.running.map((service) => service.kill()));
    await server.close();
    await store.stop();
  });

  /** Makes a call by the client of QStash, again until a replica answers it. */
  async function insist<Result>(call: (client: Client) => Promise<Result>): Promise<Result> {
    for (;;) {
      const { url } = replicas.next;
      const client = new Client({ baseUrl: url, token: ServiceProcess.token, retry: false });
      try {
        return await call(client);
      } catch (error) {
        if (error instanceof QstashError && (error.status ?? 500) < 500) throw error;
        await sleep(20);
      }
    }
  }

  async function killOne(): Promise<void> {
    const [oldest] = replicas.running;
    if (oldest !== undefined) await replicas.crash(oldest);
    await replicas.add();
  }

  // holds: qstash.faults
  it('are all delivered', async () => {
    for (let first = 0; first < PUBLISHED; first += BATCH) {
      if (first > 0 && first % BETWEEN_KILLS === 0) await killOne();
      const messages = Array.from({ length: BATCH }, (_, index) => ({
        url: server.url,
        body: String(first + index),
        deduplicationId: String(first + index),
      }));
      await insist((client) => client.batch(messages));
    }
    const delivered = (): number => new Set(server.calls.map(({ text }) => text)).size;
    const allCame = () => Promise.resolve(delivered() === PUBLISHED);
    await eventually('every message is delivered', allCame, 120_000);
  }).timeout(600_000);

  // holds: qstash.order
  it('of a queue come one at a time, and in order', async () => {
    let running = 0;
    let most = 0;
    const began: number[] = [];
    server.respond = async (call: EndpointCall, response) => {
      running += 1;
      most = Math.max(most, running);
      began.push(Number(call.text));
      response.once('close', () => (running -= 1));
      await sleep(2);
      await answer(200)(call, response);
    };
    for (let index = 0; index < ENQUEUED; index += 1) {
      const message = { url: server.url, body: String(index), deduplicationId: String(index) };
      await insist((client) => client.queue({ queueName: 'fifo' }).enqueue(message));
      if (index % EACH === EACH / 2) await killOne();
    }
    const allCame = () => Promise.resolve(new Set(began).size === ENQUEUED);
    await eventually('every message of the queue is delivered', allCame, 120_000);
    const first = began.filter((number, index) => began.indexOf(number) === index);
    expect(first).to.deep.equal(first.toSorted((one, other) => one - other));
    expect(most).to.equal(1);
  }).timeout(600_000);

  // holds: qstash.flow-control
  it('of a flow control key come one at a time, whatever their queues are', async () => {
    let [running, most] = [0, 0];
    const came = new Set<string>();
    server.respond = async (call: EndpointCall, response) => {
      running += 1;
      most = Math.max(most, running);
      response.once('close', () => (running -= 1));
      await sleep(2);
      came.add(call.text);
      await answer(200)(call, response);
    };
    const flowControl = { key: 'one: everywhere', parallelism: 1 };
    for (let index = 0; index < LIMITED; index += 1) {
      const body = String(index);
      const message = { url: server.url, body, deduplicationId: body, flowControl };
      await insist((client) =>
        index % 3 === 0
          ? client.publish(message)
          : client.queue({ queueName: `queue-${index % 3}` }).enqueue(message),
      );
      if (index % (LIMITED / 2) === LIMITED / 4) await killOne();
    }
    const allCame = () => Promise.resolve(came.size === LIMITED);
    await eventually('every message of the key is delivered', allCame, 120_000);
    expect(most).to.equal(1);
  }).timeout(600_000);

  // holds: qstash.schedules
  it('of a schedule come once for each of its times, over three replicas', async () => {
    await replicas.add();
    const [begin, body] = [Date.now(), 'tick'];
    const schedule = { destination: server.url, cron: '* * * * * *', body, scheduleId: 'ticks' };
    await insist((client) => client.schedules.create(schedule));
    const ids = (): ReadonlySet<unknown> =>
      new Set(server.calls.map(({ headers }) => headers['upstash-message-id']));
    const cameTo = (count: number) => () => Promise.resolve(ids().size >= count);
    await eventually('the schedule publishes', cameTo(TICKS / 2), 60_000);
    await killOne();
    await eventually('the schedule goes on', cameTo(TICKS), 60_000);
    await insist((client) => client.schedules.delete('ticks'));
    const times = Math.floor(Date.now() / 1000) - Math.floor(begin / 1000);
    expect(ids().size).to.be.at.most(times + 1);
    for (const { headers } of server.calls) {
      expect(headers['upstash-schedule-id']).to.equal('ticks');
    }
  }).timeout(180_000);
});
