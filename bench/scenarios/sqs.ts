import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { REPLICAS, timesBetweenReplicas } from '../between-replicas.ts';
import { Lanes } from '../lanes.ts';
import { local, requestBytes, type Target } from '../load.ts';
import { measure, ratios, type Contender, type Measured } from '../measure.ts';
import { figures, result, type Figures, type Result } from '../report.ts';
import { costOf, ServerProcess } from '../server-process.ts';
import { addJobs } from '../service-calls.ts';
import { QUEUE, sqsBytes, sqsCall } from '../sqs-calls.ts';

const JOBS = 10_000;
const BATCH = 1000;
/** Jobs of one claim, and messages of one receive. */
const CLAIMED = 10;
const CONNECTIONS = 64;

/** Messages that are put back in a round. */
const PUT_BACKS = 200;

const REST_ADDS = 'adds over REST';
const SQS_SENDS = 'SendMessage';
const REST_CLAIMS = `claims of ${CLAIMED}, ${CLAIMED} completions`;
const SQS_RECEIVES = `receives of ${CLAIMED}, ${CLAIMED} deletes`;

/** How little less than REST a message may get for its processor time. */
const LEAST = 0.8;

interface ClaimedJob {
  readonly job: { readonly id: string };
  readonly token: string;
}

interface Received {
  readonly Messages?: readonly { readonly ReceiptHandle: string }[];
}

/** What the protocol of SQS costs beside REST, with a client that does nothing but send bytes. */
export async function benchSqs(rounds: number): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const redis = new Redis(server.uri);
  const store = costOf(server.pid);
  const service = await ServerProcess.service({ STORE_URI: server.uri, SQS: 'on' });
  const target = local(service);
  const agent = new Agent();
  const lanes = await Lanes.open(target, CONNECTIONS);
  const empty = async (): Promise<void> => {
    await redis.flushall();
    await sqsCall(target, agent, 'CreateQueue', { QueueName: QUEUE });
  };
  const backlog = async (): Promise<void> => {
    await empty();
    for (let added = 0; added < JOBS; added += BATCH) await addJobs(target, QUEUE, BATCH);
  };
  const sending = (name: string, bytes: Buffer): Contender => ({
    name,
    service,
    store,
    before: empty,
    run: async () => {
      await Promise.all(Array.from({ length: JOBS }, () => lanes.send(bytes)));
      return JOBS;
    },
  });
  const taking = (name: string, take: () => Promise<readonly Buffer[]>): Contender => ({
    name,
    service,
    store,
    before: backlog,
    run: async () => {
      let taken = 0;
      for (;;) {
        const endings = await take();
        if (endings.length === 0) return taken;
        await Promise.all(endings.map((bytes) => lanes.send(bytes)));
        taken += endings.length;
      }
    },
  });
  const body = JSON.stringify([{ name: 'sqs', data: { body: 'hello' } }]);
  try {
    const adds = await measure(
      [
        sending(REST_ADDS, requestBytes(target, { method: 'POST', body }, `/queues/${QUEUE}/jobs`)),
        sending(SQS_SENDS, sqsBytes(target, 'SendMessage', { MessageBody: 'hello' })),
      ],
      rounds,
    );
    const takes = await measure(
      [
        taking(REST_CLAIMS, async () => {
          const path = `/queues/${QUEUE}/jobs/claim`;
          const claimed = (await restCall(target, agent, path, { count: CLAIMED })) as ClaimedJob[];
          return claimed.map(({ job, token }) =>
            requestBytes(
              { ...target, token },
              { method: 'POST', body: 'null' },
              `/queues/${QUEUE}/jobs/${job.id}/complete`,
            ),
          );
        }),
        taking(SQS_RECEIVES, async () => {
          const input = { MaxNumberOfMessages: CLAIMED };
          const received = (await sqsCall(target, agent, 'ReceiveMessage', input)) as Received;
          return (received.Messages ?? []).map(({ ReceiptHandle }) =>
            sqsBytes(target, 'DeleteMessage', { ReceiptHandle }),
          );
        }),
      ],
      rounds,
    );
    return [
      result('Messages that are sent', 'messages/s', adds, {}),
      result('Messages that are received and deleted', 'messages/s', takes, {}),
      costs(adds, takes),
      await putBacks(rounds, server.uri),
    ];
  } finally {
    lanes.close();
    await agent.close();
    await service.stop();
    redis.disconnect();
    await server.stop();
  }
}

/** From the call that puts a message back to the answer of a receiver that waits at another replica. */
async function putBacks(rounds: number, uri: string): Promise<Figures> {
  const receive = async (target: Target, agent: Agent): Promise<string> => {
    const input = { WaitTimeSeconds: 10, VisibilityTimeout: 60 };
    const received = (await sqsCall(target, agent, 'ReceiveMessage', input)) as Received;
    const [message] = received.Messages ?? [];
    if (message === undefined) throw new Error('No message within ten seconds');
    return message.ReceiptHandle;
  };
  const { p50, p99 } = await timesBetweenReplicas(
    { STORE_URI: uri, SQS: 'on' },
    rounds,
    PUT_BACKS,
    async (waiting, holder, agent) => {
      await sqsCall(holder, agent, 'SendMessage', { MessageBody: 'hello' });
      const held = { ReceiptHandle: await receive(holder, agent), VisibilityTimeout: 0 };
      const again = receive(waiting, agent);
      await sleep(10);
      const began = performance.now();
      await sqsCall(holder, agent, 'ChangeMessageVisibility', held);
      const ReceiptHandle = await again;
      const time = performance.now() - began;
      await sqsCall(waiting, agent, 'DeleteMessage', { ReceiptHandle });
      return time;
    },
  );
  return figures(`From a put back to a receiver that waits, ${REPLICAS} replicas`, [
    { name: 'p50', values: p50, unit: 'ms', most: 50 },
    { name: 'p99', values: p99, unit: 'ms' },
  ]);
}

/** How many messages SQS serves in the processor time in which REST serves one, service and store together. */
function costs(adds: readonly Measured[], takes: readonly Measured[]): Figures {
  const of = (all: readonly Measured[], rest: string, sqs: string): readonly number[] => {
    const total = (name: string): readonly number[] =>
      (all.find((each) => each.name === name)?.rounds ?? []).map(
        ({ service = 0, store = 0 }) => service + store,
      );
    const own = total(sqs);
    return total(rest).map((cost, round) => cost / (own[round] ?? Number.NaN));
  };
  const rates = (all: readonly Measured[], rest: string, sqs: string): readonly number[] => {
    const named = (name: string): Measured | undefined => all.find((each) => each.name === name);
    const own = named(sqs);
    return own === undefined ? [] : ratios(own, named(rest));
  };
  return figures('SQS against REST', [
    { name: 'sends, by processor time', unit: 'times', values: of(adds, REST_ADDS, SQS_SENDS) },
    {
      name: 'receives and deletes, by processor time',
      unit: 'times',
      values: of(takes, REST_CLAIMS, SQS_RECEIVES),
    },
    { name: 'sends, by rate', unit: 'times', values: rates(adds, REST_ADDS, SQS_SENDS) },
    {
      name: `receives and deletes, by rate (aim of all: ${LEAST})`,
      unit: 'times',
      values: rates(takes, REST_CLAIMS, SQS_RECEIVES),
    },
  ]);
}

async function restCall(
  target: Target,
  dispatcher: Agent,
  path: string,
  body: object,
): Promise<unknown> {
  const answer = await request(`http://${target.host}:${target.port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    dispatcher,
  });
  if (answer.statusCode !== 200) throw new Error(`${path}: ${await answer.body.text()}`);
  return answer.body.json();
}
