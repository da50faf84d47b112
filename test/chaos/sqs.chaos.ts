import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  ListMessageMoveTasksCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
  type Message,
} from '@aws-sdk/client-sqs';
import { eventually } from '../support/eventually.ts';
import type { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { startDurableRedis } from './support/outage.ts';
import { Replicas } from './support/replicas.ts';

const QUEUE = '/sqs/000000000000/orders';

describe('programs that speak Amazon SQS', () => {
  let store: RedisServer;
  let replicas: Replicas;
  const clients = new Map<string, SQSClient>();

  beforeEach(async () => {
    store = await startDurableRedis();
    replicas = await Replicas.start(3, {
      STORE_URI: store.uri,
      SQS: 'on',
      STALLED_INTERVAL: '1000',
    });
  });
  afterEach(async () => {
    for (const client of clients.values()) client.destroy();
    clients.clear();
    await replicas.kill();
    await store.stop();
  });

  /** The client of a replica, which repeats nothing by itself. */
  function clientOf({ url }: ServiceProcess): SQSClient {
    const known = clients.get(url);
    if (known !== undefined) return known;
    const client = new SQSClient({
      endpoint: `${url}/sqs`,
      region: 'eu-central-1',
      credentials: { accessKeyId: ServiceProcess.token, secretAccessKey: 'any' },
      maxAttempts: 1,
      useQueueUrlAsEndpoint: false,
    });
    clients.set(url, client);
    return client;
  }

  /** Asks one replica after the other until one answers, as an SDK behind a load balancer does. */
  async function insistently<Answer>(
    request: (sqs: SQSClient) => Promise<Answer>,
  ): Promise<Answer> {
    return eventually('an answer', async () => {
      try {
        return { answer: await request(clientOf(replicas.next)) };
      } catch {
        await sleep(20);
        return undefined;
      }
    }).then(({ answer }) => answer);
  }

  const QueueUrl = `http://any${QUEUE}`;

  const receive = async (): Promise<Message[]> => {
    const command = { QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 };
    const { Messages = [] } = await insistently((sqs) =>
      sqs.send(new ReceiveMessageCommand(command)),
    );
    return Messages;
  };

  const create = (Attributes: Record<string, string>, QueueName: string): Promise<unknown> =>
    insistently((sqs) => sqs.send(new CreateQueueCommand({ QueueName, Attributes })));

  // holds: sqs.load
  it('lose no message while a replica is killed every second', async () => {
    await create({ VisibilityTimeout: '3' }, 'orders');
    let isSending = true;
    const sent = new Set<string>();
    const done = new Set<string>();
    const send = async (sender: number): Promise<void> => {
      for (let n = 0; isSending; n += 1) {
        const MessageBody = `${sender}:${n}`;
        await insistently((sqs) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody })));
        sent.add(MessageBody);
      }
    };
    const consume = async (): Promise<void> => {
      while (isSending || done.size < sent.size) {
        for (const { Body = '', ReceiptHandle } of await receive()) {
          await insistently((sqs) =>
            sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })),
          );
          done.add(Body);
        }
      }
    };
    const senders = [0, 1, 2, 3].map(send);
    const consumers = [0, 1, 2].map(consume);
    await replicas.crashEachSecond(6);
    isSending = false;
    await Promise.all([...senders, ...consumers]);
    console.log(`      ${sent.size} messages sent, ${done.size} processed`);
    expect([...sent].filter((body) => !done.has(body))).to.deep.equal([]);
  }).timeout(60_000);

  // holds: sqs.load
  it('keep the order of groups while a replica is killed every second', async () => {
    const FifoUrl = `${QueueUrl}.fifo`;
    await create(
      { VisibilityTimeout: '3', FifoQueue: 'true', ContentBasedDeduplication: 'true' },
      'orders.fifo',
    );
    const [GROUPS, OF_GROUP] = [20, 40];
    for (let n = 0; n < OF_GROUP; n += 1) {
      await Promise.all(
        Array.from({ length: GROUPS }, (_, group) => {
          const message = {
            QueueUrl: FifoUrl,
            MessageBody: `${group}:${n}`,
            MessageGroupId: `g${group}`,
          };
          // Sent again when its answer got lost, it is the same message.
          return insistently((sqs) => sqs.send(new SendMessageCommand(message)));
        }),
      );
    }
    const done = new Map<string, number[]>();
    const total = (): number => [...done.values()].reduce((sum, each) => sum + each.length, 0);
    const consume = async (): Promise<void> => {
      while (total() < GROUPS * OF_GROUP) {
        const { Messages = [] } = await insistently((sqs) =>
          sqs.send(
            new ReceiveMessageCommand({
              QueueUrl: FifoUrl,
              MaxNumberOfMessages: 10,
              WaitTimeSeconds: 1,
            }),
          ),
        );
        for (const { Body = '', ReceiptHandle } of Messages) {
          const [group = '', number = ''] = Body.split(':');
          const deleted = await insistently((sqs) =>
            sqs.send(new DeleteMessageCommand({ QueueUrl: FifoUrl, ReceiptHandle })).then(
              () => true,
              (error: unknown) => {
                // Its time was over: another consumer gets it.
                if (error instanceof Error && error.name === 'InvalidParameterValue') return false;
                throw error;
              },
            ),
          );
          const numbers = done.get(group) ?? [];
          const isRepeated = numbers.at(-1) === Number(number);
          if (deleted && !isRepeated) done.set(group, [...numbers, Number(number)]);
        }
      }
    };
    await Promise.all([replicas.crashEachSecond(6), ...[0, 1, 2].map(consume)]);
    const inOrder = Array.from({ length: OF_GROUP }, (_, n) => n);
    for (const numbers of done.values()) expect(numbers).to.deep.equal(inOrder);
  }).timeout(120_000);

  // holds: sqs.moves
  it('get all dead letters back although replicas that move them are killed', async () => {
    const [COUNT, RATE] = [120, 20];
    await create({}, 'dead');
    const RedrivePolicy = JSON.stringify({
      deadLetterTargetArn: 'arn:aws:sqs:eu-central-1:000000000000:dead',
      maxReceiveCount: 1,
    });
    await create({ RedrivePolicy }, 'orders');
    for (let n = 0; n < COUNT; n += 1) {
      const MessageBody = String(n);
      await insistently((sqs) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody })));
    }
    for (let given = 0; given < COUNT;) {
      for (const { ReceiptHandle } of await receive()) {
        const change = { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 };
        await insistently((sqs) => sqs.send(new ChangeMessageVisibilityCommand(change)));
        given += 1;
      }
    }
    const SourceArn = 'arn:aws:sqs:eu-central-1:000000000000:dead';
    const start = { SourceArn, MaxNumberOfMessagesPerSecond: RATE };
    await insistently((sqs) => sqs.send(new StartMessageMoveTaskCommand(start)));
    await replicas.crashEachSecond(3);
    const task = await eventually(
      'the end of the task',
      async () => {
        const list = new ListMessageMoveTasksCommand({ SourceArn });
        const { Results = [] } = await insistently((sqs) => sqs.send(list));
        await sleep(500);
        return Results[0]?.Status !== 'RUNNING' && Results[0];
      },
      180_000,
    );
    expect(task.Status).to.equal('COMPLETED');
    const bodies = new Set<string | undefined>();
    for (;;) {
      const messages = await receive();
      if (messages.length === 0) break;
      for (const { Body } of messages) bodies.add(Body);
    }
    expect(bodies.size).to.equal(COUNT);
  }).timeout(240_000);

  // holds: sqs.errors
  it('are told with 503 in time that the store is away, and go on when it is back', async () => {
    await create({}, 'orders');
    const sqs = clientOf(replicas.next);
    const send = (): Promise<unknown> =>
      sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a' }));
    await send();
    await store.kill();
    for (const request of [send, () => sqs.send(new ReceiveMessageCommand({ QueueUrl }))]) {
      const began = performance.now();
      const error = await request().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.have.nested.property('$metadata.httpStatusCode', 503);
      expect(error).to.have.property('name', 'ServiceUnavailable');
      expect(performance.now() - began).to.be.below(3000);
    }
    await store.restart();
    await insistently(() => send());
    expect((await receive()).map(({ Body }) => Body)).to.include('a');
  }).timeout(60_000);
});
