import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
} from '@aws-sdk/client-sqs';
import { QueueClient } from './support/queue-client.ts';
import { refusal } from './support/refusal.ts';
import { SqsService } from './support/sqs-service.ts';
import { STORES } from './support/stores.ts';

for (const [store, environment] of Object.entries(STORES)) {
  describe(`receives over SQS: ${store}`, () => {
    let service: SqsService;

    before(async () => {
      service = await SqsService.start(await environment());
    });
    after(() => service.stop());

    const queue = (attributes = {}): Promise<QueueClient> =>
      QueueClient.create(service.sqs, attributes);

    async function one(mail: QueueClient, given = {}): Promise<Message> {
      const [message] = await mail.receive(given);
      if (message === undefined) throw new Error('There is no message');
      return message;
    }

    // holds: sqs.receive
    it('hand out messages with what SQS knows of them', async () => {
      const mail = await queue();
      const before = Date.now();
      const { MessageId } = await mail.send('a');
      const message = await one(mail);
      expect(message.MessageId).to.equal(MessageId);
      const { SentTimestamp, ApproximateFirstReceiveTimestamp, ...rest } = message.Attributes ?? {};
      expect(rest).to.deep.equal({ SenderId: 'environment:1', ApproximateReceiveCount: '1' });
      expect(Number(SentTimestamp)).to.be.within(before, Date.now());
      expect(Number(ApproximateFirstReceiveTimestamp)).to.be.within(before, Date.now());
      await mail.changeVisibility(message, 0);
      const again = await one(mail);
      expect(again.Attributes).to.include({
        SentTimestamp,
        ApproximateFirstReceiveTimestamp,
        ApproximateReceiveCount: '2',
      });
      expect(again.ReceiptHandle).not.to.equal(message.ReceiptHandle);
    });

    // holds: sqs.receive
    it('hand out no attributes that nobody asked for', async () => {
      const mail = await queue();
      await mail.send('a', { MessageAttributes: { a: { DataType: 'String', StringValue: 'b' } } });
      const message = await one(mail, { MessageSystemAttributeNames: [] });
      expect(message).to.have.all.keys('MessageId', 'ReceiptHandle', 'MD5OfBody', 'Body');
      await mail.changeVisibility(message, 0);
      const chosen = await one(mail, {
        MessageSystemAttributeNames: [],
        AttributeNames: ['SentTimestamp'],
      });
      expect(chosen.Attributes).to.have.all.keys('SentTimestamp');
    });

    // holds: sqs.receive
    it('hand out jobs that were added over REST, with their data as JSON', async () => {
      const mail = await queue();
      const data = { to: 'ada', n: [1, 'ä'] };
      await service.rest('POST', `/queues/${mail.name}/jobs`, [
        { name: 'welcome', data },
        { name: 'text', data: 'just text' },
      ]);
      const bodies = await mail.bodies({ MaxNumberOfMessages: 10 });
      expect(bodies).to.deep.equal([JSON.stringify(data), '"just text"']);
    });

    // holds: sqs.receive
    it('hide messages for the visibility timeout of the queue, or their own', async () => {
      const mail = await queue({ VisibilityTimeout: '1' });
      await mail.send('a');
      await one(mail);
      expect(await mail.receive()).to.deep.equal([]);
      const [again] = await mail.receive({ WaitTimeSeconds: 5, VisibilityTimeout: 60 });
      expect(again?.Attributes).to.include({ ApproximateReceiveCount: '2' });
      expect(await mail.receive({ WaitTimeSeconds: 2 })).to.deep.equal([]);
      expect(await mail.counts()).to.deep.equal([0, 1, 0]);
    });

    // holds: sqs.receive
    it('hand out a message again at once with a visibility timeout of 0', async () => {
      const mail = await queue();
      await mail.send('a');
      const counts: unknown[] = [];
      for (let n = 0; n < 3; n += 1) {
        const [message] = await mail.receive({ VisibilityTimeout: 0, WaitTimeSeconds: 2 });
        counts.push(message?.Attributes?.ApproximateReceiveCount);
      }
      expect(counts).to.deep.equal(['1', '2', '3']);
    });

    // holds: sqs.receive
    it('hand out as many messages as asked for, each once', async () => {
      const mail = await queue();
      for (let n = 0; n < 25; n += 1) await mail.send(String(n));
      const bodies: (string | undefined)[] = [];
      for (const count of [10, 10, 10]) {
        bodies.push(...(await mail.bodies({ MaxNumberOfMessages: count })));
      }
      expect(bodies).to.deep.equal(Array.from({ length: 25 }, (_, n) => String(n)));
    });

    // holds: sqs.receive
    it('wait for a message that is sent later', async () => {
      const mail = await queue({ ReceiveMessageWaitTimeSeconds: '20' });
      const waiting = mail.bodies();
      await sleep(100);
      const sentAt = Date.now();
      await mail.send('at last');
      expect(await waiting).to.deep.equal(['at last']);
      expect(Date.now() - sentAt).to.be.below(1000);
      const began = Date.now();
      expect(await mail.bodies({ WaitTimeSeconds: 1 })).to.deep.equal([]);
      expect(Date.now() - began).to.be.within(900, 3000);
    });

    const INVALID: readonly [object, string][] = [
      [{ MaxNumberOfMessages: 0 }, 'InvalidParameterValue'],
      [{ MaxNumberOfMessages: 11 }, 'InvalidParameterValue'],
      [{ WaitTimeSeconds: 21 }, 'InvalidParameterValue'],
      [{ VisibilityTimeout: 43_201 }, 'InvalidParameterValue'],
      [{ VisibilityTimeout: -1 }, 'InvalidParameterValue'],
      [{ MessageSystemAttributeNames: ['Colour'] }, 'InvalidAttributeName'],
    ];
    for (const [given, name] of INVALID) {
      // holds: sqs.receive
      it(`refuse ${JSON.stringify(given)} as ${name}`, async () => {
        const mail = await queue();
        expect(await refusal(mail.receive(given))).to.include({ name });
      });
    }

    // holds: sqs.receive
    it('take the id of a receive', async () => {
      const mail = await queue();
      await mail.send('a');
      expect(await mail.bodies({ ReceiveRequestAttemptId: 'once' })).to.deep.equal(['a']);
    });

    // holds: sqs.delete
    it('complete a job with null when its message is deleted', async () => {
      const mail = await queue();
      const { MessageId = '' } = await mail.send('a');
      const message = await one(mail);
      await mail.delete(message);
      const job = await service.rest('GET', `/queues/${mail.name}/jobs/${MessageId}`);
      expect(await job.json()).to.include({ state: 'completed', returnvalue: null });
      await mail.delete(message);
      expect(await mail.counts()).to.deep.equal([0, 0, 0]);
    });

    // holds: sqs.delete
    it('delete by the latest handle after its time, until the next receive', async () => {
      const mail = await queue({ VisibilityTimeout: '1' });
      await mail.send('a');
      const first = await one(mail);
      const second = await one(mail, { WaitTimeSeconds: 5 });
      await mail.delete(first);
      expect(await mail.counts()).to.deep.equal([0, 1, 0]);
      await sleep(1200);
      expect(await mail.counts()).to.deep.equal([1, 0, 0]);
      await mail.delete(first);
      expect(await mail.counts()).to.deep.equal([1, 0, 0]);
      await mail.delete(second);
      expect(await mail.counts()).to.deep.equal([0, 0, 0]);
    });

    // holds: sqs.handle
    it('refuse a handle that is malformed, or of another queue', async () => {
      const [mail, other] = [await queue(), await queue()];
      await mail.send('a');
      const message = await one(mail);
      for (const [client, ReceiptHandle] of [
        [mail, 'nonsense'],
        [mail, Buffer.from('["jg1"]').toString('base64url')],
        [other, message.ReceiptHandle],
      ] as const) {
        const handle = { ReceiptHandle };
        const expected = {
          name: 'ReceiptHandleIsInvalid',
          code: 'ReceiptHandleIsInvalid',
          status: 404,
        };
        expect(await refusal(client.delete(handle))).to.include(expected);
        expect(await refusal(client.changeVisibility(handle, 1))).to.include(expected);
      }
    });

    // holds: sqs.visibility
    it('change how long a message is in flight', async () => {
      const mail = await queue();
      await mail.send('a');
      const message = await one(mail);
      await mail.changeVisibility(message, 1);
      const [again] = await mail.receive({ WaitTimeSeconds: 5 });
      expect(again?.Body).to.equal('a');
      expect(await refusal(mail.changeVisibility(message, 5))).to.include({
        name: 'MessageNotInflight',
        code: 'AWS.SimpleQueueService.MessageNotInflight',
        status: 400,
      });
    });

    // holds: sqs.visibility
    it('give a message with 0 to a receiver that waits, at once', async () => {
      const mail = await queue();
      await mail.send('a');
      const message = await one(mail);
      const waiting = mail.receive({ WaitTimeSeconds: 20 }).then((messages) => {
        return { messages, at: performance.now() };
      });
      await sleep(200);
      const began = performance.now();
      await mail.changeVisibility(message, 0);
      const { messages, at } = await waiting;
      expect(messages.map(({ Body }) => Body)).to.deep.equal(['a']);
      expect(at - began).to.be.below(2000);
    });

    // holds: sqs.visibility
    it('keep a message in flight for 12 hours at most', async () => {
      const mail = await queue();
      await mail.send('a');
      const message = await one(mail, { VisibilityTimeout: 43_200 });
      await sleep(20);
      expect(await refusal(mail.changeVisibility(message, 43_200))).to.deep.include({
        name: 'InvalidParameterValue',
        message: 'Total VisibilityTimeout for the message is beyond the limit [43200 seconds]',
      });
      await mail.changeVisibility(message, 43_100);
      expect(await refusal(mail.changeVisibility(message, 43_201))).to.include({
        name: 'InvalidParameterValue',
      });
    });

    // holds: sqs.batch
    it('delete and change several, each by itself', async () => {
      const mail = await queue();
      const { QueueUrl } = mail;
      for (const body of ['a', 'b', 'c']) await mail.send(body);
      const [a, b, c] = await mail.receive({ MaxNumberOfMessages: 10 });
      const changed = await service.sqs.send(
        new ChangeMessageVisibilityBatchCommand({
          QueueUrl,
          Entries: [
            { Id: 'a', ReceiptHandle: a?.ReceiptHandle, VisibilityTimeout: 0 },
            { Id: 'bad', ReceiptHandle: 'bad', VisibilityTimeout: 1 },
            { Id: 'long', ReceiptHandle: b?.ReceiptHandle, VisibilityTimeout: 43_201 },
          ],
        }),
      );
      expect(changed.Successful?.map(({ Id }) => Id)).to.deep.equal(['a']);
      expect(changed.Failed?.map(({ Id, Code }) => [Id, Code])).to.deep.equal([
        ['bad', 'ReceiptHandleIsInvalid'],
        ['long', 'InvalidParameterValue'],
      ]);
      expect(await mail.counts()).to.deep.equal([1, 2, 0]);
      const deleted = await service.sqs.send(
        new DeleteMessageBatchCommand({
          QueueUrl,
          Entries: [
            { Id: 'b', ReceiptHandle: b?.ReceiptHandle },
            { Id: 'c', ReceiptHandle: c?.ReceiptHandle },
            { Id: 'bad', ReceiptHandle: 'bad' },
          ],
        }),
      );
      expect(deleted.Successful?.map(({ Id }) => Id)).to.deep.equal(['b', 'c']);
      expect(deleted.Failed?.map(({ Id, SenderFault }) => [Id, SenderFault])).to.deep.equal([
        ['bad', true],
      ]);
      expect(await mail.counts()).to.deep.equal([1, 0, 0]);
      for (const Entries of [
        [],
        Array.from({ length: 11 }, (_, n) => ({ Id: `e${n}`, ReceiptHandle: 'a' })),
      ]) {
        const refused = service.sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
        expect(await refusal(refused)).to.include({
          name: Entries.length === 0 ? 'EmptyBatchRequest' : 'TooManyEntriesInBatchRequest',
        });
      }
    });

    // holds: sqs.receive
    it('put back what does not reach its client', async () => {
      const mail = await queue();
      const leaving = new AbortController();
      const { QueueUrl } = mail;
      const waiting = fetch(QueueUrl, {
        method: 'POST',
        headers: {
          authorization: 'AWS4-HMAC-SHA256 Credential=sqs-token/20260101/eu/sqs/aws4_request',
          'x-amz-target': 'AmazonSQS.ReceiveMessage',
        },
        body: JSON.stringify({ QueueUrl, WaitTimeSeconds: 20 }),
        signal: leaving.signal,
      }).catch(() => undefined);
      await sleep(100);
      leaving.abort();
      await waiting;
      await mail.send('a');
      expect(await mail.bodies({ WaitTimeSeconds: 5 })).to.deep.equal(['a']);
    });
  });
}
