import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { QueueClient } from './support/queue-client.ts';
import { refusal } from './support/refusal.ts';
import { SqsService } from './support/sqs-service.ts';
import { STORES } from './support/stores.ts';

for (const [store, environment] of Object.entries(STORES)) {
  describe(`FIFO queues over SQS: ${store}`, () => {
    let service: SqsService;

    before(async () => {
      service = await SqsService.start(await environment());
    });
    after(() => service.stop());

    const queue = (attributes = {}): Promise<QueueClient> =>
      QueueClient.create(service.sqs, { FifoQueue: 'true', ...attributes });

    let drawn = 0;
    const of = (MessageGroupId: string): object => {
      drawn += 1;
      return { MessageGroupId, MessageDeduplicationId: `d-${drawn}` };
    };

    // holds: sqs.fifo
    it('have the attributes of one', async () => {
      const orders = await queue({
        ContentBasedDeduplication: 'true',
        FifoThroughputLimit: 'perMessageGroupId',
      });
      expect(await orders.attributes()).to.include({
        FifoQueue: 'true',
        ContentBasedDeduplication: 'true',
        DeduplicationScope: 'queue',
        FifoThroughputLimit: 'perMessageGroupId',
      });
      const policy = await service.rest('GET', `/queues/${orders.name}/policy`);
      expect(await policy.json()).to.deep.include({ groups: { ordered: 'skip', concurrency: 1 } });
      const name = `plain-${orders.name}`;
      const refused = QueueClient.create(
        service.sqs,
        { FifoQueue: 'true' },
        name.replace('.fifo', ''),
      );
      expect(await refusal(refused)).to.include({ name: 'InvalidParameterValue' });
    });

    // holds: sqs.fifo
    it('hand out one message of a group at a time, in order', async () => {
      const orders = await queue();
      for (const body of ['a1', 'b1', 'a2', 'b2', 'a3']) {
        await orders.send(body, of(body[0] ?? ''));
      }
      const first = await orders.receive({ MaxNumberOfMessages: 10 });
      expect(first.map(({ Body }) => Body)).to.deep.equal(['a1', 'b1']);
      expect(await orders.receive({ MaxNumberOfMessages: 10 })).to.deep.equal([]);
      const [a1, b1] = first;
      if (a1 === undefined || b1 === undefined) throw new Error('There are no messages');
      await orders.delete(a1);
      expect(await orders.bodies({ MaxNumberOfMessages: 10 })).to.deep.equal(['a2']);
      await orders.changeVisibility(b1, 0);
      expect(await orders.bodies({ MaxNumberOfMessages: 10 })).to.deep.equal(['b1']);
    });

    // holds: sqs.fifo
    it('number their messages in order', async () => {
      const orders = await queue();
      const numbers: bigint[] = [];
      for (const group of ['a', 'b', 'a', 'a', 'b']) {
        const sent = await orders.send('x', of(group));
        expect(sent.SequenceNumber).to.match(/^\d{20}$/);
        numbers.push(BigInt(sent.SequenceNumber ?? ''));
      }
      const sorted = [...numbers].sort((one, other) => (one < other ? -1 : 1));
      expect(numbers).to.deep.equal(sorted);
      expect(new Set(numbers)).to.have.property('size', numbers.length);
      const messages = await orders.receive({ MaxNumberOfMessages: 10 });
      for (const { Attributes } of messages) {
        expect(numbers.map(String)).to.include(Attributes?.SequenceNumber);
        expect(Attributes).to.include.keys('MessageGroupId', 'MessageDeduplicationId');
      }
    });

    // holds: sqs.deduplication
    it('send a message once within its deduplication, and answer as at first', async () => {
      const orders = await queue();
      const given = { MessageGroupId: 'a', MessageDeduplicationId: 'once' };
      const first = await orders.send('first', given);
      const [message] = await orders.receive();
      expect(message?.Attributes).to.include({ MessageDeduplicationId: 'once' });
      if (message !== undefined) await orders.delete(message);
      const second = await orders.send('second', given);
      const { MessageId, SequenceNumber } = first;
      expect(second).to.include({ MessageId, SequenceNumber });
      expect(await orders.receive()).to.deep.equal([]);
      await orders.send('third', { ...given, MessageDeduplicationId: 'twice' });
      expect(await orders.bodies()).to.deep.equal(['third']);
    });

    // holds: sqs.deduplication
    it('remember a message that is gone', async () => {
      const orders = await queue();
      const policy = await service.rest('GET', `/queues/${orders.name}/policy`);
      const body = { ...((await policy.json()) as object), defaults: { removeOnComplete: true } };
      await service.rest('PUT', `/queues/${orders.name}/policy`, body);
      const given = { MessageGroupId: 'a', MessageDeduplicationId: 'once' };
      const { MessageId, SequenceNumber } = await orders.send('first', given);
      const [message] = await orders.receive();
      if (message !== undefined) await orders.delete(message);
      const job = await service.rest('GET', `/queues/${orders.name}/jobs/${MessageId ?? ''}`);
      expect(job.status).to.equal(404);
      expect(await orders.send('second', given)).to.include({ MessageId, SequenceNumber });
      expect(await orders.counts()).to.deep.equal([0, 0, 0]);
    });

    // holds: sqs.deduplication
    it('deduplicate by content where the queue says so', async () => {
      const orders = await queue({ ContentBasedDeduplication: 'true' });
      const group = { MessageGroupId: 'a' };
      const first = await orders.send('same', group);
      expect(await orders.send('same', group)).to.include({ MessageId: first.MessageId });
      await orders.send('other', group);
      expect(await orders.counts()).to.deep.equal([2, 0, 0]);
    });

    // holds: sqs.fifo
    it('demand a group, and what deduplicates', async () => {
      const orders = await queue();
      const refused: readonly [object, string][] = [
        [{ MessageDeduplicationId: 'a' }, 'MissingParameter'],
        [{ MessageGroupId: 'a' }, 'InvalidParameterValue'],
        [{ ...of('a'), DelaySeconds: 1 }, 'InvalidParameterValue'],
        [{ ...of('a'), MessageGroupId: 'with space' }, 'InvalidParameterValue'],
        [{ ...of('a'), MessageDeduplicationId: 'x'.repeat(129) }, 'InvalidParameterValue'],
      ];
      for (const [given, name] of refused) {
        expect(await refusal(orders.send('x', given)), JSON.stringify(given)).to.include({ name });
      }
      const { QueueUrl } = orders;
      const batch = new SendMessageBatchCommand({
        QueueUrl,
        Entries: [
          { Id: 'a', MessageBody: 'x', ...of('a') },
          { Id: 'b', MessageBody: 'x', MessageDeduplicationId: 'b' },
        ],
      });
      expect(await refusal(service.sqs.send(batch))).to.include({ name: 'MissingParameter' });
      expect(await orders.counts()).to.deep.equal([0, 0, 0]);
    });

    // holds: sqs.delete
    it('refuse a handle whose time is over', async () => {
      const orders = await queue({ VisibilityTimeout: '1' });
      await orders.send('x', of('a'));
      const [message] = await orders.receive();
      await sleep(1300);
      expect(await refusal(orders.delete(message ?? {}))).to.include({
        name: 'InvalidParameterValue',
        status: 400,
      });
      expect(await orders.bodies()).to.deep.equal(['x']);
    });

    // holds: sqs.fifo
    it('delay messages by the queue, in order', async () => {
      const orders = await queue({ DelaySeconds: '1' });
      for (const body of ['1', '2', '3']) await orders.send(body, of('a'));
      expect(await orders.counts()).to.deep.equal([0, 0, 3]);
      await sleep(1300);
      const bodies: (string | undefined)[] = [];
      for (let n = 0; n < 3; n += 1) {
        const [message] = await orders.receive({ WaitTimeSeconds: 2 });
        bodies.push(message?.Body);
        if (message !== undefined) await orders.delete(message);
      }
      expect(bodies).to.deep.equal(['1', '2', '3']);
    });
  });
}
