import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  AddPermissionCommand,
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  ListQueueTagsCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  RemovePermissionCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  TagQueueCommand,
  UntagQueueCommand,
  type QueueAttributeName,
} from '@aws-sdk/client-sqs';
import { refusal } from './support/refusal.ts';
import { SqsService } from './support/sqs-service.ts';
import { STORES } from './support/stores.ts';

const ACCOUNT = '000000000000';

for (const [store, environment] of Object.entries(STORES)) {
  describe(`queues over SQS: ${store}`, () => {
    let service: SqsService;

    before(async () => {
      service = await SqsService.start(await environment());
    });
    after(() => service.stop());

    const fresh = (suffix = ''): string => `q-${randomUUID()}${suffix}`;

    async function created(
      name = fresh(),
      Attributes: Partial<Record<QueueAttributeName, string>> = {},
    ): Promise<string> {
      const command = new CreateQueueCommand({ QueueName: name, Attributes });
      const { QueueUrl = '' } = await service.sqs.send(command);
      return QueueUrl;
    }

    async function attributes(
      QueueUrl: string,
      ...AttributeNames: QueueAttributeName[]
    ): Promise<Record<string, string>> {
      const asked = AttributeNames.length === 0 ? ['All' as const] : AttributeNames;
      const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: asked });
      const { Attributes = {} } = await service.sqs.send(command);
      return Attributes;
    }

    // holds: sqs.queues
    it('are created with the attributes of SQS, and have its defaults', async () => {
      const name = fresh();
      const QueueUrl = await created(name);
      expect(QueueUrl).to.equal(`${service.url}/sqs/${ACCOUNT}/${name}`);
      const { CreatedTimestamp, LastModifiedTimestamp, ...rest } = await attributes(QueueUrl);
      expect(rest).to.deep.equal({
        QueueArn: `arn:aws:sqs:eu-central-1:${ACCOUNT}:${name}`,
        VisibilityTimeout: '30',
        DelaySeconds: '0',
        MessageRetentionPeriod: '345600',
        MaximumMessageSize: '1048576',
        ReceiveMessageWaitTimeSeconds: '0',
        SqsManagedSseEnabled: 'true',
        ApproximateNumberOfMessages: '0',
        ApproximateNumberOfMessagesNotVisible: '0',
        ApproximateNumberOfMessagesDelayed: '0',
      });
      expect(Number(CreatedTimestamp)).to.be.closeTo(Date.now() / 1000, 60);
      expect(LastModifiedTimestamp).to.equal(CreatedTimestamp);
    });

    // holds: sqs.queues
    it('keep what they are created with and set to', async () => {
      const given = {
        VisibilityTimeout: '0',
        DelaySeconds: '900',
        MessageRetentionPeriod: '60',
        MaximumMessageSize: '1024',
        ReceiveMessageWaitTimeSeconds: '20',
        RedriveAllowPolicy: '{"redrivePermission":"allowAll"}',
        Policy: '{"Version":"2012-10-17","Statement":[]}',
        SqsManagedSseEnabled: 'false',
      };
      const QueueUrl = await created(fresh(), given);
      expect(await attributes(QueueUrl)).to.include(given);
      const Attributes = { VisibilityTimeout: '43200', DelaySeconds: '1' };
      await service.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
      expect(await attributes(QueueUrl)).to.include({ ...given, ...Attributes });
      expect(await attributes(QueueUrl, 'DelaySeconds')).to.deep.equal({ DelaySeconds: '1' });
    });

    // holds: sqs.queues
    it('are found by name', async () => {
      const name = fresh();
      const QueueUrl = await created(name);
      const found = await service.sqs.send(new GetQueueUrlCommand({ QueueName: name }));
      expect(found.QueueUrl).to.equal(QueueUrl);
      const missing = new GetQueueUrlCommand({ QueueName: fresh() });
      expect(await refusal(service.sqs.send(missing))).to.deep.equal({
        name: 'QueueDoesNotExist',
        code: 'AWS.SimpleQueueService.NonExistentQueue',
        status: 400,
        message: 'The specified queue does not exist.',
      });
    });

    // holds: sqs.queues
    it('are created again with the same attributes, and not with others', async () => {
      const name = fresh();
      const QueueUrl = await created(name, { VisibilityTimeout: '10' });
      expect(await created(name)).to.equal(QueueUrl);
      expect(await created(name, { VisibilityTimeout: '10', DelaySeconds: '0' })).to.equal(
        QueueUrl,
      );
      expect(await refusal(created(name, { VisibilityTimeout: '11' }))).to.deep.equal({
        name: 'QueueNameExists',
        code: 'QueueAlreadyExists',
        status: 400,
        message:
          'A queue already exists with the same name and a different value for attribute VisibilityTimeout',
      });
    });

    const INVALID: readonly [Record<string, string>, string][] = [
      [{ VisibilityTimeout: '43201' }, 'InvalidAttributeValue'],
      [{ VisibilityTimeout: 'soon' }, 'InvalidAttributeValue'],
      [{ DelaySeconds: '901' }, 'InvalidAttributeValue'],
      [{ MessageRetentionPeriod: '59' }, 'InvalidAttributeValue'],
      [{ MaximumMessageSize: '1048577' }, 'InvalidAttributeValue'],
      [{ ReceiveMessageWaitTimeSeconds: '21' }, 'InvalidAttributeValue'],
      [{ Colour: 'red' }, 'InvalidAttributeName'],
      [{ QueueArn: 'arn' }, 'InvalidAttributeName'],
      [{ ContentBasedDeduplication: 'true' }, 'InvalidAttributeName'],
      [{ KmsMasterKeyId: 'alias/key' }, 'UnsupportedOperation'],
      [{ RedrivePolicy: 'none' }, 'InvalidParameterValue'],
      [{ RedrivePolicy: '{"maxReceiveCount":3}' }, 'InvalidParameterValue'],
      [
        {
          RedrivePolicy: `{"maxReceiveCount":3,"deadLetterTargetArn":"arn:aws:sqs:a:${ACCOUNT}:not-there"}`,
        },
        'InvalidParameterValue',
      ],
    ];
    for (const [given, name] of INVALID) {
      // holds: sqs.queues
      it(`refuse ${JSON.stringify(given)} as ${name}`, async () => {
        expect(await refusal(created(fresh(), given))).to.include({ name });
        const QueueUrl = await created();
        const set = new SetQueueAttributesCommand({ QueueUrl, Attributes: given });
        expect(await refusal(service.sqs.send(set))).to.include({ name });
      });
    }

    for (const name of ['ab', 'a'.repeat(81), 'with space', 'a.b', 'x.fifo', 'a/b']) {
      // holds: sqs.queues
      it(`cannot be named ${name.slice(0, 12)}`, async () => {
        expect(await refusal(created(name))).to.include({ name: 'InvalidParameterValue' });
      });
    }

    // holds: sqs.queues
    it('are listed by prefix and in pages, those of the REST interface too', async () => {
      const prefix = fresh('-');
      for (const each of ['a', 'b', 'd']) await created(prefix + each);
      await service.rest('POST', `/queues/${prefix}c/jobs`, [{ name: 'n', data: 1 }]);
      const urls = ['a', 'b', 'c', 'd'].map(
        (each) => `${service.url}/sqs/${ACCOUNT}/${prefix}${each}`,
      );
      const all = await service.sqs.send(new ListQueuesCommand({ QueueNamePrefix: prefix }));
      expect(all.QueueUrls).to.deep.equal(urls);
      expect(all.NextToken).to.equal(undefined);
      const pages: (string[] | undefined)[] = [];
      let NextToken: string | undefined;
      do {
        const page = { QueueNamePrefix: prefix, MaxResults: 3, NextToken };
        const listed = await service.sqs.send(new ListQueuesCommand(page));
        pages.push(listed.QueueUrls);
        ({ NextToken } = listed);
      } while (NextToken !== undefined);
      expect(pages).to.deep.equal([urls.slice(0, 3), urls.slice(3)]);
      const none = await service.sqs.send(new ListQueuesCommand({ QueueNamePrefix: fresh() }));
      expect(none.QueueUrls).to.equal(undefined);
      for (const MaxResults of [0, 1001]) {
        const refused = service.sqs.send(new ListQueuesCommand({ MaxResults }));
        expect(await refusal(refused)).to.include({ name: 'InvalidParameterValue' });
      }
    });

    // holds: sqs.queues
    it('are deleted with their messages', async () => {
      const name = fresh();
      const QueueUrl = await created(name);
      await service.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a' }));
      await service.sqs.send(new ReceiveMessageCommand({ QueueUrl }));
      await service.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'b' }));
      await service.sqs.send(new DeleteQueueCommand({ QueueUrl }));
      const requests = [
        service.sqs.send(new DeleteQueueCommand({ QueueUrl })),
        attributes(QueueUrl),
      ];
      for (const refused of await Promise.all(requests.map(refusal))) {
        expect(refused).to.include({ name: 'QueueDoesNotExist' });
      }
      await created(name, { VisibilityTimeout: '7' });
      expect(await attributes(QueueUrl)).to.include({
        VisibilityTimeout: '7',
        ApproximateNumberOfMessages: '0',
        ApproximateNumberOfMessagesNotVisible: '0',
      });
    });

    // holds: sqs.purge
    it('are purged of all messages, those in flight too', async () => {
      const QueueUrl = await created();
      for (const MessageBody of ['a', 'b', 'c']) {
        await service.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
      }
      await service.sqs.send(
        new SendMessageCommand({ QueueUrl, MessageBody: 'd', DelaySeconds: 900 }),
      );
      await service.sqs.send(new ReceiveMessageCommand({ QueueUrl }));
      const counts = {
        ApproximateNumberOfMessages: '2',
        ApproximateNumberOfMessagesNotVisible: '1',
        ApproximateNumberOfMessagesDelayed: '1',
      };
      expect(await attributes(QueueUrl)).to.include(counts);
      await service.sqs.send(new PurgeQueueCommand({ QueueUrl }));
      expect(await attributes(QueueUrl)).to.include({
        ApproximateNumberOfMessages: '0',
        ApproximateNumberOfMessagesNotVisible: '0',
        ApproximateNumberOfMessagesDelayed: '0',
        VisibilityTimeout: '30',
      });
      await service.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'after' }));
      const { Messages = [] } = await service.sqs.send(new ReceiveMessageCommand({ QueueUrl }));
      expect(Messages.map(({ Body }) => Body)).to.deep.equal(['after']);
    });

    // holds: sqs.tags
    it('have tags, which are the labels of their policies', async () => {
      const name = fresh();
      const { QueueUrl } = await service.sqs.send(
        new CreateQueueCommand({ QueueName: name, tags: { team: 'a' } }),
      );
      const Tags = { team: 'b', cost: '' };
      await service.sqs.send(new TagQueueCommand({ QueueUrl, Tags }));
      const tags = async (): Promise<unknown> =>
        (await service.sqs.send(new ListQueueTagsCommand({ QueueUrl }))).Tags;
      expect(await tags()).to.deep.equal(Tags);
      const policy = await service.rest('GET', `/queues/${name}/policy`);
      expect(await policy.json())
        .to.have.property('labels')
        .that.deep.equals(Tags);
      const TagKeys = ['team', 'other'];
      await service.sqs.send(new UntagQueueCommand({ QueueUrl, TagKeys }));
      expect(await tags()).to.deep.equal({ cost: '' });
      await service.sqs.send(new UntagQueueCommand({ QueueUrl, TagKeys: ['cost'] }));
      expect(await tags()).to.equal(undefined);
      const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`t${n}`, 'x']));
      const tooMany = service.sqs.send(new TagQueueCommand({ QueueUrl, Tags: many }));
      expect(await refusal(tooMany)).to.include({ name: 'InvalidParameterValue' });
    });

    // holds: sqs.permissions
    it('have no permissions of their own', async () => {
      const QueueUrl = await created();
      const Label = 'a';
      const given = { QueueUrl, Label, AWSAccountIds: ['1'], Actions: ['*'] };
      const commands = [
        service.sqs.send(new AddPermissionCommand(given)),
        service.sqs.send(new RemovePermissionCommand({ QueueUrl, Label })),
      ];
      for (const refused of await Promise.all(commands.map(refusal))) {
        expect(refused).to.include({
          name: 'UnsupportedOperation',
          code: 'AWS.SimpleQueueService.UnsupportedOperation',
        });
      }
    });

    // holds: sqs.queues
    it('are named by any URL that ends as theirs', async () => {
      const name = fresh();
      await created(name);
      const QueueUrl = `https://sqs.us-east-1.amazonaws.com/sqs/${ACCOUNT}/${name}`;
      const client = service.client(undefined, { useQueueUrlAsEndpoint: false });
      const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] });
      const { Attributes } = await client.send(command);
      expect(Attributes).to.have.property('QueueArn');
      const wrong = new GetQueueAttributesCommand({ QueueUrl: 'https://elsewhere/1/q' });
      expect(await refusal(client.send(wrong))).to.include({ name: 'InvalidAddress' });
    });
  });
}
