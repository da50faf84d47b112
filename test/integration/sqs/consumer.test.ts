import { expect } from 'chai';
import type { Message } from '@aws-sdk/client-sqs';
import { Consumer } from 'sqs-consumer';
import { eventually } from '../../support/eventually.ts';
import { QueueClient } from './support/queue-client.ts';
import { SqsService } from './support/sqs-service.ts';
import { STORES } from './support/stores.ts';

for (const [store, environment] of Object.entries(STORES)) {
  describe(`sqs-consumer: ${store}`, () => {
    let service: SqsService;

    before(async () => {
      service = await SqsService.start(await environment());
    });
    after(() => service.stop());

    async function consumed(
      queue: QueueClient,
      handle: (message: Message) => Promise<Message | undefined>,
      until: () => Promise<boolean>,
      options: object = {},
    ): Promise<Error[]> {
      const errors: Error[] = [];
      const consumer = Consumer.create({
        queueUrl: queue.QueueUrl,
        sqs: queue.sqs,
        waitTimeSeconds: 1,
        messageSystemAttributeNames: ['All'],
        handleMessage: handle,
        ...options,
      });
      consumer.on('error', (error) => errors.push(error));
      consumer.on('processing_error', () => undefined);
      consumer.start();
      await eventually('all messages', until);
      consumer.stop({ abort: true });
      return errors;
    }

    // holds: sqs.clients
    it('processes messages, and gets those again that it failed to process', async () => {
      const mail = await QueueClient.create(service.sqs, { VisibilityTimeout: '30' });
      for (let n = 0; n < 30; n += 1) await mail.send(String(n));
      const seen = new Map<string, number>();
      const errors = await consumed(
        mail,
        (message) => {
          const body = message.Body ?? '';
          seen.set(body, (seen.get(body) ?? 0) + 1);
          const isBad = Number(body) % 3 === 0 && seen.get(body) === 1;
          return isBad ? Promise.reject(new Error('bad')) : Promise.resolve(message);
        },
        async () => (await mail.counts()).every((count) => count === 0),
        { batchSize: 10, terminateVisibilityTimeout: true },
      );
      expect(errors).to.deep.equal([]);
      const twice = [...seen].filter(([, times]) => times > 1).map(([body]) => Number(body));
      expect([seen.size, twice.length]).to.deep.equal([30, 10]);
      expect(twice.every((n) => n % 3 === 0)).to.equal(true);
    });

    // holds: sqs.clients
    it('keeps messages in flight with a heartbeat', async () => {
      const mail = await QueueClient.create(service.sqs, { VisibilityTimeout: '2' });
      await mail.send('slow');
      let starts = 0;
      const errors = await consumed(
        mail,
        async (message) => {
          starts += 1;
          await new Promise((resolve) => setTimeout(resolve, 3500));
          return message;
        },
        async () => (await mail.counts()).every((count) => count === 0),
        { visibilityTimeout: 2, heartbeatInterval: 1 },
      );
      expect([errors, starts]).to.deep.equal([[], 1]);
    });

    // holds: sqs.clients
    it('gives up bad messages to the dead letter queue', async () => {
      const dead = await QueueClient.create(service.sqs);
      const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: 2 });
      const mail = await QueueClient.create(service.sqs, { RedrivePolicy });
      for (const body of ['good', 'bad']) await mail.send(body);
      await consumed(
        mail,
        (message) =>
          message.Body === 'bad' ? Promise.reject(new Error('bad')) : Promise.resolve(message),
        async () => (await dead.counts())[0] === 1,
        { terminateVisibilityTimeout: true },
      );
      expect(await mail.counts()).to.deep.equal([0, 0, 0]);
      expect(await dead.bodies()).to.deep.equal(['bad']);
    });
  });
}
