import { expect } from 'chai';
import { sqsHandlers } from '../../src/adapters/inbound/sqs/sqs-handlers.ts';
import type { OperationCatalogue } from '../../src/application/operation-catalogue.ts';
import { raw } from '../integration/sqs/support/raw-request.ts';
import { SqsService } from '../integration/sqs/support/sqs-service.ts';
import { eventually } from '../support/eventually.ts';
import { Recording } from './recording.ts';
import { shownAnswer } from './shown-answer.ts';

type Members = Readonly<Record<string, unknown>>;

/** They have no correct request, since permissions are those of tokens. */
const ALWAYS_REFUSED = ['AddPermission', 'RemovePermission'];

describe('the answers of SQS', () => {
  const recording = new Recording('sqs');
  const statuses = new Map<string, Set<boolean>>();
  let service: SqsService;

  before(async () => {
    service = await SqsService.start({ STORE: 'memory' });
  });
  after(() => service.stop());

  const urlOf = (queue: string): Members => ({
    QueueUrl: `${service.url}/sqs/000000000000/${queue}`,
  });
  const arnOf = (queue: string): string => `arn:aws:sqs:eu-west-3:000000000000:${queue}`;

  async function call(operation: string, members: Members): Promise<Members> {
    const body = JSON.stringify(members);
    const answer = await raw(service, operation, { body });
    recording.note(`${operation} ${body}`, shownAnswer(answer));
    const isDone = answer.status === 200;
    statuses.set(operation, (statuses.get(operation) ?? new Set()).add(isDone));
    return answer.text === '' ? {} : (JSON.parse(answer.text) as Members);
  }

  async function receive(queue: string, given: Members = {}): Promise<Members> {
    const members = { ...urlOf(queue), WaitTimeSeconds: 5, ...given };
    const { Messages = [] } = await call('ReceiveMessage', members);
    const [{ ReceiptHandle } = {}] = Messages as readonly Members[];
    return { ReceiptHandle };
  }

  it('to every operation, done and refused, are those that were recorded', async () => {
    await queues();
    await messages();
    await batches();
    await moves();
    await others();
    recording.expectUnchanged();
    for (const operation of Object.keys(sqsHandlers({} as OperationCatalogue['messages']))) {
      const seen = [...(statuses.get(operation) ?? [])];
      const isRefusedAlone = ALWAYS_REFUSED.includes(operation);
      expect(seen, operation).to.have.members(isRefusedAlone ? [false] : [true, false]);
    }
  });

  async function queues(): Promise<void> {
    const RedrivePolicy = JSON.stringify({
      deadLetterTargetArn: arnOf('dead'),
      maxReceiveCount: 1,
    });
    await call('CreateQueue', { QueueName: 'mail', Attributes: { RedrivePolicy } });
    await call('CreateQueue', { QueueName: 'dead' });
    await call('CreateQueue', {
      QueueName: 'mail',
      Attributes: { VisibilityTimeout: '60', RedrivePolicy },
      tags: { team: 'post' },
    });
    await call('CreateQueue', { QueueName: 'mail', Attributes: { VisibilityTimeout: '61' } });
    await call('CreateQueue', {
      QueueName: 'orders.fifo',
      Attributes: { FifoQueue: 'true', ContentBasedDeduplication: 'true' },
    });
    await call('CreateQueue', { QueueName: 'a b' });
    await call('GetQueueUrl', { QueueName: 'mail' });
    await call('GetQueueUrl', { QueueName: 'none' });
    await call('ListQueues', { MaxResults: 2 });
    await call('ListQueues', { QueueNamePrefix: 'or' });
    await call('ListQueues', { MaxResults: 1001 });
    await call('SetQueueAttributes', { ...urlOf('dead'), Attributes: { DelaySeconds: '0' } });
    await call('SetQueueAttributes', { ...urlOf('dead'), Attributes: { DelaySeconds: '901' } });
    await call('SetQueueAttributes', { ...urlOf('dead'), Attributes: { Unknown: '1' } });
    await call('TagQueue', { ...urlOf('mail'), Tags: { tier: 'one' } });
    await call('TagQueue', urlOf('mail'));
    await call('ListQueueTags', urlOf('mail'));
    await call('UntagQueue', { ...urlOf('mail'), TagKeys: ['tier'] });
    await call('UntagQueue', urlOf('mail'));
    await call('ListQueueTags', urlOf('none'));
    await call('AddPermission', { ...urlOf('mail'), Label: 'a' });
    await call('RemovePermission', { ...urlOf('mail'), Label: 'a' });
  }

  async function messages(): Promise<void> {
    const attributes = {
      kind: { DataType: 'String', StringValue: 'letter' },
      bytes: { DataType: 'Binary', BinaryValue: 'AQID' },
    };
    const MessageSystemAttributes = {
      AWSTraceHeader: { DataType: 'String', StringValue: 'Root=1-5759e988' },
    };
    const sent = { MessageBody: 'hello', MessageAttributes: attributes, MessageSystemAttributes };
    await call('SendMessage', { ...urlOf('mail'), ...sent });
    await call('SendMessage', { ...urlOf('mail'), MessageBody: 'later', DelaySeconds: 900 });
    await call('SendMessage', { ...urlOf('mail'), MessageBody: '' });
    await call('SendMessage', { ...urlOf('mail'), MessageBody: 'a', DelaySeconds: 901 });
    await call('SendMessage', { ...urlOf('none'), MessageBody: 'a' });
    await call('SendMessage', { ...urlOf('orders.fifo'), MessageBody: 'a' });
    const ordered = { MessageBody: 'first', MessageGroupId: 'customer' };
    await call('SendMessage', { ...urlOf('orders.fifo'), ...ordered });
    await call('SendMessage', { ...urlOf('orders.fifo'), ...ordered });
    await call('GetQueueAttributes', { ...urlOf('mail'), AttributeNames: ['All'] });
    await call('GetQueueAttributes', { ...urlOf('orders.fifo'), AttributeNames: ['All'] });
    await call('GetQueueAttributes', { ...urlOf('mail'), AttributeNames: ['Unknown'] });
    const all = { MessageSystemAttributeNames: ['All'], MessageAttributeNames: ['All'] };
    const first = await receive('orders.fifo', all);
    await call('DeleteMessage', { ...urlOf('orders.fifo'), ...first });
    await call('DeleteMessage', { ...urlOf('orders.fifo'), ReceiptHandle: 'none' });
    await receive('mail', { MaxNumberOfMessages: 11 });
    await receive('dead', { WaitTimeSeconds: 0 });
    const received = await receive('mail', all);
    await call('ChangeMessageVisibility', { ...urlOf('mail'), ...received, VisibilityTimeout: 90 });
    await call('ChangeMessageVisibility', { ...urlOf('mail'), ...received });
    await call('ChangeMessageVisibility', { ...urlOf('mail'), ...received, VisibilityTimeout: 0 });
    await receive('mail', { WaitTimeSeconds: 0 });
  }

  async function batches(): Promise<void> {
    const Entries = [
      { Id: 'a', MessageBody: 'one' },
      { Id: 'b', MessageBody: '' },
      { Id: 'c', MessageBody: 'two' },
    ];
    await call('CreateQueue', { QueueName: 'many' });
    await call('SendMessageBatch', { ...urlOf('many'), Entries });
    await call('SendMessageBatch', { ...urlOf('many'), Entries: [] });
    await call('SendMessageBatch', { ...urlOf('many'), Entries: [Entries[0], Entries[0]] });
    const handles = [await receive('many'), await receive('many'), { ReceiptHandle: 'none' }];
    const received = handles.map((each, index) => ({ Id: `${index}`, ...each }));
    const longer = received.map((each) => ({ ...each, VisibilityTimeout: 90 }));
    await call('ChangeMessageVisibilityBatch', { ...urlOf('many'), Entries: longer });
    await call('ChangeMessageVisibilityBatch', urlOf('many'));
    await call('DeleteMessageBatch', { ...urlOf('many'), Entries: received });
    await call('DeleteMessageBatch', { ...urlOf('none'), Entries: received });
  }

  /** Waits until the answer to a request has a text. */
  async function answered(operation: string, members: Members, text: string): Promise<void> {
    await eventually(text, async () => {
      const answer = await raw(service, operation, { body: JSON.stringify(members) });
      return answer.text.includes(text);
    });
  }

  async function moves(): Promise<void> {
    const [SourceArn, MaxNumberOfMessagesPerSecond] = [arnOf('dead'), 1];
    const wanted = { ...urlOf('dead'), AttributeNames: ['ApproximateNumberOfMessages'] };
    await answered('GetQueueAttributes', wanted, '"1"');
    await call('ListDeadLetterSourceQueues', urlOf('dead'));
    await call('ListDeadLetterSourceQueues', urlOf('none'));
    await call('StartMessageMoveTask', { SourceArn });
    await call('StartMessageMoveTask', { SourceArn: 'none' });
    await call('StartMessageMoveTask', { SourceArn, MaxNumberOfMessagesPerSecond: 501 });
    await answered('ListMessageMoveTasks', { SourceArn }, 'COMPLETED');
    await call('ListMessageMoveTasks', { SourceArn });
    await call('ListMessageMoveTasks', { SourceArn, MaxResults: 11 });
    const Entries = ['a', 'b', 'c', 'd', 'e'].map((Id) => ({ Id, MessageBody: Id }));
    await call('SendMessageBatch', { ...urlOf('dead'), Entries });
    const { TaskHandle } = await call('StartMessageMoveTask', {
      SourceArn,
      DestinationArn: arnOf('many'),
      MaxNumberOfMessagesPerSecond,
    });
    await call('CancelMessageMoveTask', { TaskHandle });
    await call('CancelMessageMoveTask', { TaskHandle: 'none' });
  }

  async function others(): Promise<void> {
    await call('PurgeQueue', urlOf('mail'));
    await call('PurgeQueue', urlOf('none'));
    await call('DeleteQueue', urlOf('many'));
    await call('DeleteQueue', urlOf('none'));
    await call('Nothing', {});
    await call('ListQueues', { MaxResults: '3' });
    for (const accept of ['application/json', 'text/xml']) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', accept };
      const body = 'Action=ListQueues&Version=2012-11-05';
      const answer = await raw(service, '', { headers, body });
      recording.note(`the query protocol, accepting ${accept}`, shownAnswer(answer));
    }
    const answer = await raw(service, 'ListQueues', { token: 'wrong' });
    recording.note('another token', shownAnswer(answer));
  }
});
