import { createHash } from 'node:crypto';
import { expect } from 'chai';
import {
  SendMessageBatchCommand,
  type MessageAttributeValue,
  type SendMessageBatchRequestEntry,
} from '@aws-sdk/client-sqs';
import { QueueClient } from './support/queue-client.ts';
import { refusal } from './support/refusal.ts';
import { SqsService } from './support/sqs-service.ts';
import { STORES } from './support/stores.ts';

const MIB = 1_048_576;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const ATTRIBUTES: Record<string, MessageAttributeValue> = {
  text: { DataType: 'String', StringValue: 'ä€😀' },
  number: { DataType: 'Number.float', StringValue: '-1.5e3' },
  bytes: { DataType: 'Binary.gzip', BinaryValue: Uint8Array.of(0, 255, 128, 10) },
  'trace.id': { DataType: 'String', StringValue: 'a' },
  'trace.parent': { DataType: 'String.custom', StringValue: 'b' },
};

for (const [store, environment] of Object.entries(STORES)) {
  describe(`sends over SQS: ${store}`, () => {
    let service: SqsService;

    before(async () => {
      service = await SqsService.start(await environment());
    });
    after(() => service.stop());

    const queue = (attributes = {}): Promise<QueueClient> =>
      QueueClient.create(service.sqs, attributes);

    const batch = (
      { QueueUrl }: QueueClient,
      Entries: SendMessageBatchRequestEntry[],
    ): ReturnType<typeof send> => send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    const send = (command: SendMessageBatchCommand) => service.sqs.send(command);

    // holds: sqs.send
    it('add a job of exactly the body, under the id of the message', async () => {
      const mail = await queue();
      const body = '{"a": 1,  "b": [2]}';
      const sent = await mail.send(body);
      expect(sent.MessageId).to.match(UUID);
      expect(sent.MD5OfMessageBody).to.equal(createHash('md5').update(body).digest('hex'));
      expect(sent).not.to.have.any.keys('MD5OfMessageAttributes', 'SequenceNumber');
      const job = await service.rest('GET', `/queues/${mail.name}/jobs/${sent.MessageId ?? ''}`);
      expect(await job.json()).to.deep.include({ name: 'sqs', data: { body }, state: 'waiting' });
    });

    // holds: sqs.attributes
    it('keep attributes of all types, which come back as they were', async () => {
      const mail = await queue();
      const MessageSystemAttributes = {
        AWSTraceHeader: {
          DataType: 'String',
          StringValue: 'Root=1-5759e988-bd862e3fe1be46a994272793',
        },
      };
      // The SDK checks the digests of the service.
      const sent = await mail.send('x', { MessageAttributes: ATTRIBUTES, MessageSystemAttributes });
      expect(sent.MD5OfMessageAttributes).to.equal(await digestOf(ATTRIBUTES));
      expect(sent.MD5OfMessageSystemAttributes).to.equal(await digestOf(MessageSystemAttributes));
      const [message] = await mail.receive({ MessageAttributeNames: ['All'] });
      expect(message?.MessageAttributes).to.deep.equal(ATTRIBUTES);
      expect(message?.MD5OfMessageAttributes).to.equal(sent.MD5OfMessageAttributes);
      expect(message?.Attributes).to.include({
        AWSTraceHeader: MessageSystemAttributes.AWSTraceHeader.StringValue,
      });
      const job = await service.rest('GET', `/queues/${mail.name}/jobs/${sent.MessageId ?? ''}`);
      expect(await job.json())
        .to.have.nested.property('data.attributes.bytes')
        .that.deep.equals({
          DataType: 'Binary.gzip',
          BinaryValue: 'AP+ACg==',
        });
    });

    const FILTERS: readonly [string[], string[]][] = [
      [['text'], ['text']],
      [
        ['trace.*', 'number'],
        ['number', 'trace.id', 'trace.parent'],
      ],
      [['.*'], Object.keys(ATTRIBUTES)],
      [['nothing'], []],
    ];
    for (const [asked, names] of FILTERS) {
      // holds: sqs.attributes
      it(`give a receive the attributes ${asked.join(', ')}`, async () => {
        const mail = await queue();
        await mail.send('x', { MessageAttributes: ATTRIBUTES });
        const [message] = await mail.receive({ MessageAttributeNames: asked });
        const given = message?.MessageAttributes ?? {};
        expect(Object.keys(given)).to.have.members(names);
        const digest = names.length === 0 ? undefined : await digestOf(given);
        expect(message?.MD5OfMessageAttributes).to.equal(digest);
      });
    }

    const INVALID: readonly [object, string, string][] = [
      [{ MessageBody: '' }, 'MissingParameter', 'no body'],
      [{ MessageBody: 'a\u0001' }, 'InvalidMessageContents', 'a control character'],
      [{ MessageBody: '\ufffe' }, 'InvalidMessageContents', 'a character that is none'],
      [{ MessageBody: 'x'.repeat(MIB + 1) }, 'InvalidParameterValue', 'a body that is too large'],
      [{ DelaySeconds: 901 }, 'InvalidParameterValue', 'a delay that is too long'],
      [{ DelaySeconds: -1 }, 'InvalidParameterValue', 'a negative delay'],
      [{ MessageDeduplicationId: 'a' }, 'InvalidParameterValue', 'a deduplication id'],
      [attribute('a', { DataType: 'Text', StringValue: 'a' }), 'InvalidParameterValue', 'a type'],
      [
        attribute('a', { DataType: 'String', StringValue: '' }),
        'InvalidParameterValue',
        'an empty value',
      ],
      [
        attribute('a', { DataType: 'Number', StringValue: 'one' }),
        'InvalidParameterValue',
        'a number',
      ],
      [
        attribute('a b', { DataType: 'String', StringValue: 'a' }),
        'InvalidParameterValue',
        'a name',
      ],
      [
        attribute('AWS.a', { DataType: 'String', StringValue: 'a' }),
        'InvalidParameterValue',
        'a reserved name',
      ],
    ];
    for (const [given, name, what] of INVALID) {
      // holds: sqs.send
      it(`refuse ${what} as ${name}`, async () => {
        const mail = await queue();
        expect(await refusal(mail.send('a', given))).to.include({ name });
        expect(await mail.counts()).to.deep.equal([0, 0, 0]);
      });
    }

    // holds: sqs.send
    it('take 1 MiB, and no more than the queue takes', async () => {
      const mail = await queue();
      const MessageAttributes = { a: { DataType: 'String', StringValue: 'b' } };
      const largest = '€'.repeat(Math.floor((MIB - 8) / 3));
      await mail.send(largest, { MessageAttributes });
      expect(await mail.bodies()).to.deep.equal([largest]);
      const small = await queue({ MaximumMessageSize: '1024' });
      await small.send('x'.repeat(1024));
      expect(await refusal(small.send('x'.repeat(1025)))).to.include({
        name: 'InvalidParameterValue',
        message:
          'One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes.',
      });
    });

    // holds: sqs.send
    it('are delayed by the queue, or as long as they say', async () => {
      const mail = await queue({ DelaySeconds: '1' });
      await mail.send('later');
      await mail.send('now', { DelaySeconds: 0 });
      expect(await mail.counts()).to.deep.equal([1, 0, 1]);
      expect(await mail.bodies()).to.deep.equal(['now']);
      expect(await mail.bodies({ WaitTimeSeconds: 5 })).to.deep.equal(['later']);
    });

    // holds: sqs.batch
    it('of a batch succeed and fail each by itself, in order', async () => {
      const mail = await queue();
      const { Successful = [], Failed = [] } = await batch(mail, [
        { Id: 'one', MessageBody: '1', MessageAttributes: ATTRIBUTES },
        { Id: 'bad', MessageBody: '\u0000' },
        { Id: 'two', MessageBody: '2', DelaySeconds: 0 },
        { Id: 'late', MessageBody: '3', DelaySeconds: 1000 },
      ]);
      expect(Successful.map(({ Id }) => Id)).to.deep.equal(['one', 'two']);
      expect(Successful[0]).to.have.property('MD5OfMessageAttributes', await digestOf(ATTRIBUTES));
      expect(Failed.map(({ Id, Code, SenderFault }) => [Id, Code, SenderFault])).to.deep.equal([
        ['bad', 'InvalidMessageContents', true],
        ['late', 'InvalidParameterValue', true],
      ]);
      expect(await mail.bodies({ MaxNumberOfMessages: 10 })).to.deep.equal(['1', '2']);
    });

    const entry = (Id: string, MessageBody = 'a'): SendMessageBatchRequestEntry => ({
      Id,
      MessageBody,
    });
    const BATCHES: readonly [SendMessageBatchRequestEntry[], string][] = [
      [[], 'EmptyBatchRequest'],
      [Array.from({ length: 11 }, (_, n) => entry(`e${n}`)), 'TooManyEntriesInBatchRequest'],
      [[entry('a'), entry('b'), entry('a')], 'BatchEntryIdsNotDistinct'],
      [[entry('a b')], 'InvalidBatchEntryId'],
      [[entry('a'.repeat(81))], 'InvalidBatchEntryId'],
      [[entry('a', 'x'.repeat(MIB + 1))], 'BatchRequestTooLong'],
      [
        [entry('a', 'x'.repeat(MIB / 2)), entry('b', 'x'.repeat(MIB / 2 + 1))],
        'BatchRequestTooLong',
      ],
    ];
    for (const [entries, name] of BATCHES) {
      // holds: sqs.batch
      it(`of a batch are refused as ${name} (${entries.length} entries)`, async () => {
        const mail = await queue();
        expect(await refusal(batch(mail, entries))).to.include({
          name,
          code: `AWS.SimpleQueueService.${name}`,
          status: 400,
        });
        expect(await mail.counts()).to.deep.equal([0, 0, 0]);
      });
    }

    // holds: sqs.batch
    it('of a batch are refused by a full queue one by one', async () => {
      const mail = await queue();
      const policy = await service.rest('GET', `/queues/${mail.name}/policy`);
      const body = { ...((await policy.json()) as object), maxWaiting: 2 };
      await service.rest('PUT', `/queues/${mail.name}/policy`, body);
      const { Successful = [], Failed = [] } = await batch(
        mail,
        ['a', 'b', 'c'].map((Id) => entry(Id)),
      );
      expect(Successful.map(({ Id }) => Id)).to.deep.equal(['a', 'b']);
      expect(Failed.map(({ Id, Code }) => [Id, Code])).to.deep.equal([['c', 'RequestThrottled']]);
      const alone = await refusal(mail.send('d'));
      expect(alone).to.include({ name: 'RequestThrottled', status: 403 });
    });

    // holds: sqs.send
    it('to a queue that is not there are refused', async () => {
      const mail = new QueueClient(service.sqs, `${service.url}/sqs/000000000000/not-there`);
      const requests = [mail.send('a'), mail.receive(), batch(mail, [entry('a')])];
      for (const refused of await Promise.all(requests.map(refusal))) {
        expect(refused).to.include({ name: 'QueueDoesNotExist' });
      }
    });

    // holds: sqs.send
    it('may have a group in a standard queue, which orders nothing', async () => {
      const mail = await queue();
      for (const body of ['a', 'b']) await mail.send(body, { MessageGroupId: 'tenant' });
      const messages = await mail.receive({ MaxNumberOfMessages: 10 });
      expect(messages.map(({ Body }) => Body)).to.have.members(['a', 'b']);
      for (const { Attributes } of messages) {
        expect(Attributes).to.include({ MessageGroupId: 'tenant' });
      }
    });

    // holds: sqs.send
    it('reach a worker as data of its job', async () => {
      const mail = await queue();
      await mail.send('for a worker');
      const taken = await service.rest('POST', `/queues/${mail.name}/jobs/claim`, {});
      const jobs = (await taken.json()) as { job: { data: unknown } }[];
      expect(jobs.map(({ job }) => job.data)).to.deep.equal([{ body: 'for a worker' }]);
      expect(await mail.counts()).to.deep.equal([0, 1, 0]);
    });
  });
}

function attribute(name: string, value: MessageAttributeValue): object {
  return { MessageAttributes: { [name]: value } };
}

/** The digest as AWS documents it. */
function digestOf(attributes: Record<string, MessageAttributeValue>): Promise<string> {
  const hash = createHash('md5');
  const add = (text: string | Uint8Array): void => {
    const bytes = Buffer.from(text);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const [name, value] of Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1))) {
    add(name);
    add(value.DataType ?? '');
    hash.update(Buffer.of(value.BinaryValue === undefined ? 1 : 2));
    add(value.BinaryValue ?? value.StringValue ?? '');
  }
  return Promise.resolve(hash.digest('hex'));
}
