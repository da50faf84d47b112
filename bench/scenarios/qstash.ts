import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { Lanes } from '../lanes.ts';
import { local, requestBytes } from '../load.ts';
import { measure, ratios, type Contender, type Measured } from '../measure.ts';
import { startNoOpEndpoint } from '../no-op-endpoint.ts';
import { figures, result, type Result } from '../report.ts';
import { costOf, ServerProcess } from '../server-process.ts';
import { call } from '../service-calls.ts';

const MESSAGES = 5000;
const CONNECTIONS = 64;

/** As many calls at once as the queue of published messages has. */
const CONCURRENCY = 100;

const REST = 'adds over REST, signed calls';
const QSTASH = 'published messages';

/** How much more processor time than an add and a call over REST a published message may take. */
const MOST = 1.3;

/** What a message costs that a program publishes over QStash, one by one, from the request to the end of its call. */
export async function benchQstash(rounds: number): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const redis = new Redis(server.uri);
  const store = costOf(server.pid);
  const service = await ServerProcess.service({ STORE_URI: server.uri, QSTASH: 'on' });
  const target = local(service);
  const endpoint = await startNoOpEndpoint();
  const lanes = await Lanes.open(target, CONNECTIONS);
  const body = JSON.stringify({ order: 17, customer: 'ada' });
  const ended = (queue: string): Promise<number> => redis.zcard(`bull:${queue}:completed`);
  const sending = (name: string, queue: string, bytes: Buffer): Contender => ({
    name,
    service,
    store,
    run: async () => {
      const before = await ended(queue);
      await Promise.all(Array.from({ length: MESSAGES }, () => lanes.send(bytes)));
      while ((await ended(queue)) < before + MESSAGES) await sleep(5);
      return MESSAGES;
    },
  });
  try {
    await call(target, 'POST', '/workers', {
      queue: 'rest',
      endpoint: { url: endpoint.url, method: 'post', signing: true },
      opts: { concurrency: CONCURRENCY },
    });
    const job = `[{"name":"order","data":${body}}]`;
    const measured = await measure(
      [
        sending(
          REST,
          'rest',
          requestBytes(target, { method: 'POST', body: job }, '/queues/rest/jobs'),
        ),
        sending(
          QSTASH,
          'qstash',
          requestBytes(target, { method: 'POST', body }, `/v2/publish/${endpoint.url}`),
        ),
      ],
      rounds,
    );
    return [result('Messages over QStash', 'messages/s', measured, {}), costs(measured)];
  } finally {
    lanes.close();
    await service.stop();
    await endpoint.stop();
    redis.disconnect();
    await server.stop();
  }
}

function costs(measured: readonly Measured[]): Result {
  const named = (wanted: string): Measured =>
    measured.find(({ name }) => name === wanted) ?? { name: wanted, rounds: [] };
  const [rest, qstash] = [named(REST), named(QSTASH)];
  return figures('QStash against REST', [
    {
      name: 'processor time of the service',
      unit: 'times',
      values: ratios(qstash, rest, 'service'),
      most: MOST,
    },
    { name: 'processor time of Redis', unit: 'times', values: ratios(qstash, rest, 'store') },
  ]);
}
