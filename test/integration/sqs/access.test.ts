import { createHash } from 'node:crypto';
import { expect } from 'chai';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  StartMessageMoveTaskCommand,
  TagQueueCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { QueueClient } from './support/queue-client.ts';
import { raw } from './support/raw-request.ts';
import { refusal } from './support/refusal.ts';
import { SqsService, TOKEN } from './support/sqs-service.ts';
import { STORES } from './support/stores.ts';

const RIGHTS = ['read', 'add', 'process', 'operate', 'configure'] as const;

for (const [store, environment] of Object.entries(STORES)) {
  describe(`access over SQS: ${store}`, () => {
    let service: SqsService;

    before(async () => {
      service = await SqsService.start({
        ...(await environment()),
        AUTH_TOKENS: `${TOKEN},with/slash+and=more`,
        AUTH_TOKENS_SHA256: createHash('sha256').update('hashed').digest('hex'),
      });
    });
    after(() => service.stop());

    async function token(given: object): Promise<string> {
      const made = await service.rest('POST', '/tokens', { name: 'program', ...given });
      const { token } = (await made.json()) as { token: string };
      return token;
    }

    // holds: sqs.callers
    it('takes tokens of any source as access key id', async () => {
      const created = await token({ rights: ['read'] });
      for (const accessKeyId of [TOKEN, 'with/slash+and=more', 'hashed', created]) {
        const listed = await service.client(accessKeyId).send(new ListQueuesCommand({}));
        expect(listed.$metadata.httpStatusCode).to.equal(200);
      }
    });

    // holds: sqs.callers
    it('refuses an unknown token, and a request without one', async () => {
      const unknown = service.client('AKIAIOSFODNN7EXAMPLE').send(new ListQueuesCommand({}));
      expect(await refusal(unknown)).to.include({ name: 'InvalidClientTokenId', status: 403 });
      for (const authorization of ['', `Bearer ${TOKEN}`, 'AWS4-HMAC-SHA256 Credential=x']) {
        const { status, text } = await raw(service, 'ListQueues', { headers: { authorization } });
        expect(status).to.equal(403);
        expect(text).to.include('com.amazonaws.sqs#InvalidClientTokenId');
      }
    });

    const NEEDS: Readonly<
      Record<
        string,
        readonly [(typeof RIGHTS)[number], (sqs: SQSClient, url: string) => Promise<unknown>]
      >
    > = {
      SendMessage: [
        'add',
        (sqs, QueueUrl) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a' })),
      ],
      ReceiveMessage: [
        'process',
        (sqs, QueueUrl) => sqs.send(new ReceiveMessageCommand({ QueueUrl })),
      ],
      DeleteMessage: [
        'process',
        (sqs, QueueUrl) =>
          sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: handle(QueueUrl) })),
      ],
      GetQueueAttributes: [
        'read',
        (sqs, QueueUrl) => sqs.send(new GetQueueAttributesCommand({ QueueUrl })),
      ],
      ListQueues: ['read', (sqs) => sqs.send(new ListQueuesCommand({}))],
      CreateQueue: [
        'configure',
        (sqs, QueueUrl) => sqs.send(new CreateQueueCommand({ QueueName: nameIn(QueueUrl) })),
      ],
      SetQueueAttributes: [
        'configure',
        (sqs, QueueUrl) =>
          sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { DelaySeconds: '0' } })),
      ],
      TagQueue: [
        'configure',
        (sqs, QueueUrl) => sqs.send(new TagQueueCommand({ QueueUrl, Tags: { a: 'b' } })),
      ],
      PurgeQueue: ['operate', (sqs, QueueUrl) => sqs.send(new PurgeQueueCommand({ QueueUrl }))],
      StartMessageMoveTask: [
        'operate',
        (sqs, QueueUrl) =>
          sqs.send(
            new StartMessageMoveTaskCommand({
              SourceArn: `arn:aws:sqs:a:000000000000:${nameIn(QueueUrl)}`,
            }),
          ),
      ],
      DeleteQueue: ['configure', (sqs, QueueUrl) => sqs.send(new DeleteQueueCommand({ QueueUrl }))],
    };
    for (const [operation, [right, request]] of Object.entries(NEEDS)) {
      // holds: sqs.rights
      it(`lets ${operation} through with the right ${right} alone`, async () => {
        const others = RIGHTS.filter((each) => each !== right);
        const { QueueUrl } = await QueueClient.create(service.sqs);
        const without = service.client(await token({ rights: others }));
        expect(await refusal(request(without, QueueUrl))).to.include({
          name: 'AccessDeniedException',
          status: 403,
        });
        const foreign = service.client(await token({ rights: [right], queues: ['other-*'] }));
        if (operation === 'ListQueues') {
          expect(await request(foreign, QueueUrl)).not.to.have.property('QueueUrls');
        } else {
          expect(await refusal(request(foreign, QueueUrl))).to.include({
            name: 'AccessDeniedException',
          });
        }
        const entitled = service.client(await token({ rights: [right] }));
        const answer = await request(entitled, QueueUrl).catch((error: unknown) => error);
        // Messages move out of dead letter queues alone.
        if (operation === 'StartMessageMoveTask') {
          expect(answer).to.have.property('name', 'InvalidParameterValue');
        } else expect(answer).to.have.nested.property('$metadata.httpStatusCode', 200);
      });
    }

    // holds: sqs.rights
    it('finds the URL of a queue with any right on it', async () => {
      const mail = await QueueClient.create(service.sqs);
      for (const right of RIGHTS) {
        const client = service.client(await token({ rights: [right], queues: [mail.name] }));
        const found = await client.send(new GetQueueUrlCommand({ QueueName: mail.name }));
        expect(found.QueueUrl).to.equal(mail.QueueUrl);
      }
      const foreign = service.client(await token({ rights: ['read'], queues: ['other-*'] }));
      const refused = foreign.send(new GetQueueUrlCommand({ QueueName: mail.name }));
      expect(await refusal(refused)).to.include({ name: 'AccessDeniedException' });
    });

    // holds: sqs.rights
    it('lets nobody name a dead letter queue who may not add to it', async () => {
      const dead = await QueueClient.create(service.sqs);
      const Attributes = {
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: 1 }),
      };
      const create = (sqs: SQSClient): Promise<unknown> =>
        sqs.send(new CreateQueueCommand({ QueueName: `own-${dead.name}`, Attributes }));
      const rights = ['configure', 'add'];
      for (const given of [{ rights: ['configure'] }, { rights, queues: ['own-*'] }]) {
        const client = service.client(await token(given));
        expect(await refusal(create(client))).to.include({ name: 'AccessDeniedException' });
      }
      await create(service.client(await token({ rights })));
    });

    // holds: sqs.limits
    it('is bounded by the limits of a token', async () => {
      const mail = await QueueClient.create(service.sqs);
      const duration = 3_600_000;
      const requests = await token({ rights: ['add'], limits: { requests: { max: 2, duration } } });
      const client = new QueueClient(service.client(requests), mail.QueueUrl);
      await client.send('a');
      await client.send('b');
      expect(await refusal(client.send('c'))).to.include({ name: 'RequestThrottled', status: 403 });
      const body = JSON.stringify({ QueueUrl: mail.QueueUrl, MessageBody: 'd' });
      const { headers } = await raw(service, 'SendMessage', { token: requests, body });
      expect(Number(headers.get('retry-after'))).to.be.within(1, 3600);
      const jobs = await token({ rights: ['add'], limits: { jobs: { max: 1, duration } } });
      const adder = new QueueClient(service.client(jobs), mail.QueueUrl);
      await adder.send('e');
      expect(await refusal(adder.send('f'))).to.include({ name: 'RequestThrottled' });
    });

    // holds: sqs.audit
    it('records who changed a queue', async () => {
      const accessKeyId = await token({ rights: ['configure', 'operate'], name: 'deployer' });
      const client = service.client(accessKeyId);
      const mail = await QueueClient.create(client);
      const { QueueUrl } = mail;
      await client.send(new TagQueueCommand({ QueueUrl, Tags: { a: 'b' } }));
      await client.send(new PurgeQueueCommand({ QueueUrl }));
      await client.send(new DeleteQueueCommand({ QueueUrl }));
      await refusal(mail.send('a'));
      const audit = await service.rest('GET', `/audit?queue=${mail.name}`);
      const { entries } = (await audit.json()) as {
        entries: { action: string; who: { name: string }; outcome: string }[];
      };
      expect(entries.map(({ action, who, outcome }) => [action, who.name, outcome])).to.deep.equal([
        ['request.readTermsOfSends', 'deployer', 'refused'],
        ['queue.remove', 'deployer', 'ok'],
        ['queue.purge', 'deployer', 'ok'],
        ['queue.label', 'deployer', 'ok'],
        ['queue.create', 'deployer', 'ok'],
      ]);
    });

    // holds: sqs.audit
    it('leaves the entry that the same call over REST leaves', async () => {
      const removed: object[] = [];
      for (const way of ['SQS', 'REST']) {
        const { QueueUrl, name } = await QueueClient.create(service.client());
        if (way === 'SQS') await service.client().send(new DeleteQueueCommand({ QueueUrl }));
        else await service.rest('DELETE', `/queues/${name}?confirm=${name}&force=true`);
        const audit = await service.rest('GET', `/audit?queue=${name}&action=queue.remove`);
        const { entries } = (await audit.json()) as { entries: Record<string, object>[] };
        const { action, target, detail, outcome, status } = entries[0] ?? {};
        removed.push({ action, target: { ...target, queue: 'mail' }, detail, outcome, status });
      }
      const [overSqs, overRest] = removed;
      expect(overSqs).to.deep.include({ action: 'queue.remove', outcome: 'ok', status: 200 });
      expect(overSqs).to.deep.equal(overRest);
    });
  });
}

function nameIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** A handle of a message that is long gone. */
function handle(url: string): string {
  return Buffer.from(JSON.stringify(['jg1', nameIn(url), 'gone', 'token', 1])).toString(
    'base64url',
  );
}
