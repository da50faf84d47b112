import { expect } from 'chai';
import fc from 'fast-check';
import { raw } from './support/raw-request.ts';
import { SqsService } from './support/sqs-service.ts';
import { EVERY_STORE } from '../../support/every-store.ts';
import { rounds } from '../../support/lane.ts';

const OPERATIONS = [
  'CreateQueue',
  'SetQueueAttributes',
  'GetQueueAttributes',
  'GetQueueUrl',
  'ListQueues',
  'DeleteQueue',
  'PurgeQueue',
  'TagQueue',
  'UntagQueue',
  'ListQueueTags',
  'SendMessage',
  'SendMessageBatch',
  'ReceiveMessage',
  'DeleteMessage',
  'DeleteMessageBatch',
  'ChangeMessageVisibility',
  'ChangeMessageVisibilityBatch',
  'ListDeadLetterSourceQueues',
  'StartMessageMoveTask',
  'ListMessageMoveTasks',
  'CancelMessageMoveTask',
  'AddPermission',
  'RemovePermission',
];

const QUEUE_URL = 'http://host/sqs/000000000000/hostile';
const ARN = 'arn:aws:sqs:eu:000000000000:hostile';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '__proto__', 'constructor', 'All', QUEUE_URL, ARN, '1', '-1', 'true', '{}'),
);
const scalar = fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
const attribute = fc.record(
  {
    DataType: fc.oneof(
      text,
      fc.constantFrom('String', 'Number', 'Binary', 'String.', 'Binary.a.b'),
    ),
    StringValue: scalar,
    BinaryValue: scalar,
    StringListValues: fc.oneof(scalar, fc.array(text)),
  },
  { requiredKeys: [] },
);
const named = <Value>(value: fc.Arbitrary<Value>) => fc.dictionary(text, value, { maxKeys: 4 });
const handle = fc.oneof(
  text,
  fc
    .tuple(fc.constant('jg1'), fc.constant('hostile'), text, text, fc.integer())
    .map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url')),
);
const message = {
  MessageBody: fc.oneof(text, scalar),
  DelaySeconds: fc.oneof(scalar, fc.integer({ min: 0, max: 900 })),
  MessageAttributes: fc.oneof(scalar, named(fc.oneof(attribute, scalar))),
  MessageSystemAttributes: fc.oneof(scalar, named(attribute)),
  MessageGroupId: scalar,
  MessageDeduplicationId: scalar,
  ReceiptHandle: fc.oneof(handle, scalar),
  VisibilityTimeout: fc.oneof(scalar, fc.integer({ min: 0, max: 43_200 })),
};
const entry = fc.record(
  { Id: fc.oneof(fc.constantFrom('a', 'b', 'c'), scalar), ...message },
  { requiredKeys: [] },
);
const members = fc.record(
  {
    QueueUrl: fc.oneof({ weight: 5, arbitrary: fc.constant(QUEUE_URL) }, scalar),
    QueueName: fc.oneof(fc.constantFrom('hostile', 'hostile.fifo'), scalar),
    Attributes: fc.oneof(scalar, named(scalar)),
    AttributeNames: fc.oneof(scalar, fc.array(scalar)),
    MessageAttributeNames: fc.oneof(scalar, fc.array(text)),
    MessageSystemAttributeNames: fc.oneof(scalar, fc.array(text)),
    tags: fc.oneof(scalar, named(scalar)),
    Tags: fc.oneof(scalar, named(scalar)),
    TagKeys: fc.oneof(scalar, fc.array(scalar)),
    QueueNamePrefix: scalar,
    NextToken: scalar,
    MaxResults: fc.oneof(scalar, fc.integer({ min: 1, max: 10 })),
    MaxNumberOfMessages: fc.oneof(scalar, fc.integer({ min: 1, max: 10 })),
    WaitTimeSeconds: fc.constantFrom(null, 0, -1, 21, 'x'),
    SourceArn: fc.oneof(fc.constant(ARN), scalar),
    DestinationArn: fc.oneof(fc.constant(ARN), scalar),
    MaxNumberOfMessagesPerSecond: scalar,
    TaskHandle: scalar,
    Entries: fc.oneof(scalar, fc.array(fc.oneof(entry, scalar), { maxLength: 12 })),
    ...message,
  },
  { requiredKeys: [] },
);

/** Requests to each store. */
const RUNS = rounds(600, 60);

for (const [store, environment] of Object.entries(EVERY_STORE)) {
  describe(`hostile requests over SQS, with STORE=${store}`, () => {
    let service: SqsService;

    before(async () => {
      service = await SqsService.start(await environment());
    });
    after(() => service.stop());

    // holds: sqs.errors
    it('are mistakes of the client, and never of the service', async () => {
      const create = JSON.stringify({ QueueName: 'hostile' });
      const property = fc.asyncProperty(
        fc.constantFrom(...OPERATIONS),
        members,
        async (operation, body) => {
          await raw(service, 'CreateQueue', { body: create });
          const { status, text } = await raw(service, operation, { body: JSON.stringify(body) });
          expect(status, text).to.be.below(500);
          if (status === 200) return;
          expect(JSON.parse(text)).to.have.all.keys('__type', 'message');
        },
      );
      await fc.assert(property, { numRuns: RUNS });
    }).timeout(120_000);
  });
}
