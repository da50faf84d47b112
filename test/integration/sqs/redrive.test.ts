import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import {
  CancelMessageMoveTaskCommand,
  ListDeadLetterSourceQueuesCommand,
  ListMessageMoveTasksCommand,
  SetQueueAttributesCommand,
  StartMessageMoveTaskCommand,
  type ListMessageMoveTasksResultEntry,
  type StartMessageMoveTaskCommandInput,
} from '@aws-sdk/client-sqs';
import { eventually } from '../../support/eventually.ts';
import { QueueClient } from './support/queue-client.ts';
import { refusal } from './support/refusal.ts';
import { SqsService } from './support/sqs-service.ts';
import { STORES } from './support/stores.ts';

for (const [store, environment] of Object.entries(STORES)) {
  describe(`dead letter queues over SQS: ${store}`, () => {
    let service: SqsService;

    before(async () => {
      service = await SqsService.start(await environment());
    });
    after(() => service.stop());

    /** A queue with its dead letter queue. */
    async function pair(
      maxReceiveCount: number | string = 2,
      attributes = {},
    ): Promise<[QueueClient, QueueClient]> {
      const dead = await QueueClient.create(service.sqs, attributes);
      const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount });
      return [await QueueClient.create(service.sqs, { RedrivePolicy, ...attributes }), dead];
    }

    /** Receives messages until they are dead letters. */
    async function giveUp(queue: QueueClient, times: number): Promise<void> {
      for (let n = 0; n < times; n += 1) {
        for (const message of await queue.receive({
          MaxNumberOfMessages: 10,
          WaitTimeSeconds: 2,
        })) {
          await queue.changeVisibility(message, 0);
        }
      }
    }

    const start = (given: StartMessageMoveTaskCommandInput) =>
      service.sqs.send(new StartMessageMoveTaskCommand(given));

    async function tasks(
      { arn }: QueueClient,
      MaxResults = 10,
    ): Promise<ListMessageMoveTasksResultEntry[]> {
      const command = new ListMessageMoveTasksCommand({ SourceArn: arn, MaxResults });
      const { Results = [] } = await service.sqs.send(command);
      return Results;
    }

    async function ended(dead: QueueClient): Promise<ListMessageMoveTasksResultEntry> {
      return eventually('the end of the task', async () => {
        const [task] = await tasks(dead);
        return task?.Status !== 'RUNNING' && task;
      });
    }

    // holds: sqs.redrive
    it('get messages that were received too often, under the same id', async () => {
      const [mail, dead] = await pair('2');
      const given = { MessageAttributes: { a: { DataType: 'String', StringValue: 'b' } } };
      const { MessageId = '' } = await mail.send('bad', given);
      await giveUp(mail, 1);
      expect(await dead.counts()).to.deep.equal([0, 0, 0]);
      await giveUp(mail, 1);
      expect(await mail.counts()).to.deep.equal([0, 0, 0]);
      const [message] = await dead.receive({ MessageAttributeNames: ['All'], WaitTimeSeconds: 2 });
      expect(message).to.deep.include({ MessageId, Body: 'bad', ...given });
      expect(message?.Attributes).to.include({
        DeadLetterQueueSourceArn: mail.arn,
        ApproximateReceiveCount: '1',
        SenderId: 'environment:1',
      });
      const job = await service.rest('GET', `/queues/${mail.name}/jobs/${MessageId}`);
      expect(await job.json()).to.include({ state: 'failed', failedReason: 'Received 2 times' });
    });

    // holds: sqs.redrive
    it('get them when their time is over by itself, too', async () => {
      const [mail, dead] = await pair(1, { VisibilityTimeout: '1' });
      await mail.send('slow');
      await mail.receive();
      expect(await dead.bodies({ WaitTimeSeconds: 5 })).to.deep.equal(['slow']);
    });

    // holds: sqs.redrive
    it('are read back, changed and taken away', async () => {
      const [mail, dead] = await pair(3);
      const { RedrivePolicy = '' } = await mail.attributes('RedrivePolicy');
      expect(JSON.parse(RedrivePolicy)).to.deep.equal({
        deadLetterTargetArn: dead.arn,
        maxReceiveCount: 3,
      });
      const { QueueUrl } = mail;
      const Attributes = { RedrivePolicy: '' };
      await service.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
      expect(await mail.attributes()).not.to.have.property('RedrivePolicy');
      await mail.send('for ever');
      await giveUp(mail, 5);
      expect(await mail.counts()).to.deep.equal([1, 0, 0]);
    });

    // holds: sqs.redrive
    it('do not block the group of a message', async () => {
      const [orders, dead] = await pair(1, {
        FifoQueue: 'true',
        ContentBasedDeduplication: 'true',
      });
      const group = { MessageGroupId: 'a' };
      const sent = await orders.send('bad', group);
      await orders.send('good', group);
      await giveUp(orders, 1);
      expect(await orders.bodies({ WaitTimeSeconds: 2 })).to.deep.equal(['good']);
      const [letter] = await dead.receive({ WaitTimeSeconds: 2 });
      expect(letter?.MessageId).to.equal(sent.MessageId);
      expect(letter?.Attributes).to.include({
        MessageGroupId: 'a',
        SequenceNumber: sent.SequenceNumber,
      });
      expect(letter?.Attributes).to.include.keys('MessageDeduplicationId');
    });

    // holds: sqs.redrive
    it('must be of the same kind, and another queue', async () => {
      const [mail, dead] = await pair();
      const fifo = await QueueClient.create(service.sqs, { FifoQueue: 'true' });
      for (const { arn } of [fifo, mail]) {
        const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn, maxReceiveCount: 1 });
        const { QueueUrl } = mail;
        const set = new SetQueueAttributesCommand({ QueueUrl, Attributes: { RedrivePolicy } });
        expect(await refusal(service.sqs.send(set))).to.include({ name: 'InvalidParameterValue' });
      }
      for (const maxReceiveCount of [0, 1001, 'a']) {
        const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount });
        const { QueueUrl } = mail;
        const set = new SetQueueAttributesCommand({ QueueUrl, Attributes: { RedrivePolicy } });
        expect(await refusal(service.sqs.send(set))).to.include({ name: 'InvalidParameterValue' });
      }
    });

    // holds: sqs.redrive
    it('list their sources', async () => {
      const [mail, dead] = await pair();
      const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: 1 });
      const other = await QueueClient.create(service.sqs, { RedrivePolicy });
      const urls = [mail.QueueUrl, other.QueueUrl].sort();
      const { QueueUrl } = dead;
      const all = await service.sqs.send(new ListDeadLetterSourceQueuesCommand({ QueueUrl }));
      expect(all.queueUrls).to.deep.equal(urls);
      const page = new ListDeadLetterSourceQueuesCommand({ QueueUrl, MaxResults: 1 });
      const { queueUrls, NextToken } = await service.sqs.send(page);
      expect(queueUrls).to.deep.equal(urls.slice(0, 1));
      const next = new ListDeadLetterSourceQueuesCommand({ QueueUrl, MaxResults: 1, NextToken });
      expect((await service.sqs.send(next)).queueUrls).to.deep.equal(urls.slice(1));
    });

    // holds: sqs.moves
    it('give messages back to where they came from', async () => {
      const [mail, dead] = await pair(1);
      for (const body of ['a', 'b', 'c']) await mail.send(body);
      await giveUp(mail, 1);
      expect(await dead.counts()).to.deep.equal([3, 0, 0]);
      const { TaskHandle } = await start({ SourceArn: dead.arn });
      expect(TaskHandle).to.be.a('string').that.is.not.empty;
      const task = await ended(dead);
      expect(task).to.include({
        Status: 'COMPLETED',
        SourceArn: dead.arn,
        ApproximateNumberOfMessagesMoved: 3,
        ApproximateNumberOfMessagesToMove: 3,
      });
      expect(task).not.to.have.any.keys(
        'TaskHandle',
        'DestinationArn',
        'MaxNumberOfMessagesPerSecond',
      );
      expect(await dead.counts()).to.deep.equal([0, 0, 0]);
      const bodies = await mail.bodies({ MaxNumberOfMessages: 10 });
      expect(bodies).to.have.members(['a', 'b', 'c']);
    });

    // holds: sqs.moves
    it('give messages to another queue, at a rate', async () => {
      const [mail, dead] = await pair(1);
      const other = await QueueClient.create(service.sqs);
      for (let n = 0; n < 6; n += 1) await mail.send(String(n));
      await giveUp(mail, 1);
      await start({
        SourceArn: dead.arn,
        DestinationArn: other.arn,
        MaxNumberOfMessagesPerSecond: 3,
      });
      const began = Date.now();
      const [running] = await tasks(dead);
      expect(running).to.include({
        Status: 'RUNNING',
        DestinationArn: other.arn,
        MaxNumberOfMessagesPerSecond: 3,
      });
      expect(await refusal(start({ SourceArn: dead.arn }))).to.include({
        name: 'UnsupportedOperation',
      });
      expect(await ended(dead)).to.include({ Status: 'COMPLETED' });
      expect(Date.now() - began).to.be.within(900, 5000);
      expect(await other.counts()).to.deep.equal([6, 0, 0]);
    });

    // holds: sqs.moves
    it('stop to give messages when the task is cancelled', async () => {
      const [mail, dead] = await pair(1);
      for (let n = 0; n < 6; n += 1) await mail.send(String(n));
      await giveUp(mail, 1);
      const { TaskHandle } = await start({ SourceArn: dead.arn, MaxNumberOfMessagesPerSecond: 1 });
      await eventually('a moved message', async () => (await mail.counts())[0] > 0);
      const cancelled = await service.sqs.send(new CancelMessageMoveTaskCommand({ TaskHandle }));
      expect(cancelled.ApproximateNumberOfMessagesMoved).to.be.within(0, 3);
      expect(await ended(dead)).to.include({ Status: 'CANCELLED' });
      await sleep(1500);
      const [[back], [left]] = [await mail.counts(), await dead.counts()];
      expect(back).to.be.within(1, 4);
      expect(back + left).to.equal(6);
      const again = new CancelMessageMoveTaskCommand({ TaskHandle });
      expect(await refusal(service.sqs.send(again))).to.include({ name: 'UnsupportedOperation' });
    });

    // holds: sqs.moves-cancelled
    it('give no message once the answer says that the task is cancelled', async () => {
      const [mail, dead] = await pair(1);
      const other = await QueueClient.create(service.sqs);
      for (let n = 0; n < 12; n += 1) await mail.send(String(n));
      await giveUp(mail, 2);
      const MaxNumberOfMessagesPerSecond = 4;
      const { TaskHandle } = await start({ SourceArn: dead.arn, MaxNumberOfMessagesPerSecond });
      await eventually('a moved message', async () => (await mail.counts())[0] > 0);
      await service.sqs.send(new CancelMessageMoveTaskCommand({ TaskHandle }));
      const [back] = await mail.counts();
      expect((await tasks(dead))[0]).to.include({ Status: 'CANCELLED' });
      await eventually('all others are there again', async () => {
        const [left, held] = await dead.counts();
        return held === 0 && left + back === 12;
      });
      // It takes longer than the pause in which the cancelled task was.
      await start({ SourceArn: dead.arn, DestinationArn: other.arn, MaxNumberOfMessagesPerSecond });
      await eventually('the others are moved', async () => (await other.counts())[0] === 12 - back);
      expect((await mail.counts())[0]).to.equal(back);
    });

    // holds: sqs.moves-rights
    it('give back only what the token may add to the queue it came from', async () => {
      const [mail, dead] = await pair(1);
      const foreign = await QueueClient.create(service.sqs);
      const callback = { queue: dead.name, as: 'job', on: ['failed'] };
      await service.rest('PUT', `/queues/${foreign.name}/policy`, { callback });
      for (const [name, data] of [
        ['first', 'theirs'],
        ['second', 'theirs, too'],
      ] as const) {
        await service.rest('POST', `/queues/${foreign.name}/jobs`, [{ name, data }]);
        const claimed = await service.rest('POST', `/queues/${foreign.name}/jobs/claim`, {});
        const [{ job, token }] = (await claimed.json()) as [{ job: { id: string }; token: string }];
        const fail = `/queues/${foreign.name}/jobs/${job.id}/fail`;
        await service.rest('POST', fail, { reason: 'no', retry: false }, token);
      }
      await mail.send('ours');
      await giveUp(mail, 1);
      expect(await dead.counts()).to.deep.equal([3, 0, 0]);
      const queues = [mail.name, dead.name];
      const limited = async (rights: string[]) => {
        const made = await service.rest('POST', '/tokens', { name: 'team', rights, queues });
        return service.client(((await made.json()) as { token: string }).token);
      };
      const own = await limited(['operate', 'add']);
      await own.send(new StartMessageMoveTaskCommand({ SourceArn: dead.arn }));
      const task = await ended(dead);
      expect(task).to.include({
        Status: 'COMPLETED',
        ApproximateNumberOfMessagesMoved: 1,
        ApproximateNumberOfMessagesToMove: 3,
      });
      expect(task.FailureReason).to.match(/^AccessDenied: 2 of 3 messages stay/);
      expect(await mail.counts()).to.deep.equal([1, 0, 0]);
      expect(await foreign.counts()).to.deep.equal([0, 0, 0]);
      expect(await dead.counts()).to.deep.equal([2, 0, 0]);
      const idle = await limited(['operate']);
      const to = { SourceArn: dead.arn, DestinationArn: mail.arn };
      expect(await refusal(idle.send(new StartMessageMoveTaskCommand(to)))).to.include({
        name: 'AccessDeniedException',
      });
      const beyond = { SourceArn: dead.arn, DestinationArn: foreign.arn };
      expect(await refusal(own.send(new StartMessageMoveTaskCommand(beyond)))).to.include({
        name: 'AccessDeniedException',
      });
      await start({ SourceArn: dead.arn });
      await ended(dead);
      expect(await foreign.counts()).to.deep.equal([2, 0, 0]);
    });

    // holds: sqs.moves
    it('fail to give back what was sent to them', async () => {
      const [, dead] = await pair(1);
      await dead.send('from nowhere');
      await start({ SourceArn: dead.arn });
      expect(await ended(dead)).to.include({
        Status: 'FAILED',
        FailureReason: 'CouldNotDetermineMessageSource',
      });
      expect(await dead.bodies()).to.deep.equal(['from nowhere']);
    });

    // holds: sqs.moves
    it('are known before messages move out of them', async () => {
      const [mail] = await pair(1);
      expect(await refusal(start({ SourceArn: mail.arn }))).to.include({
        name: 'InvalidParameterValue',
      });
      for (const SourceArn of [
        'arn:aws:sqs:eu:000000000000:not-there',
        'arn:aws:sqs:eu:1:a',
        'x',
      ]) {
        expect(await refusal(start({ SourceArn }))).to.include({
          name: 'ResourceNotFoundException',
          status: 404,
        });
      }
      const cancel = new CancelMessageMoveTaskCommand({ TaskHandle: 'x' });
      expect(await refusal(service.sqs.send(cancel))).to.include({
        name: 'ResourceNotFoundException',
      });
    });
  });
}
