import { expect } from 'chai';
import { QueueClient } from './support/queue-client.ts';
import { raw, signed } from './support/raw-request.ts';
import { SqsService, TOKEN } from './support/sqs-service.ts';
import { memory } from './support/stores.ts';

describe('the protocol of SQS', () => {
  let service: SqsService;

  before(async () => {
    service = await SqsService.start(await memory());
  });
  after(() => service.stop());

  for (const path of ['/sqs', '/sqs/', '/sqs/000000000000/any', '/sqs?a=b']) {
    // holds: sqs.protocol
    it(`is served at POST ${path}`, async () => {
      const { status, headers, text } = await raw(service, 'ListQueues', { path });
      expect([status, text]).to.deep.equal([200, '{}']);
      expect(headers.get('content-type')).to.equal('application/x-amz-json-1.0');
      expect(headers.get('x-amzn-requestid')).to.be.a('string');
    });
  }

  for (const path of ['/sqs/1/any', '/sqs/000000000000', '/sqs/000000000000/a/b', '/sqsx']) {
    // holds: sqs.protocol
    it(`is not served at ${path}`, async () => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const { status } = await raw(service, 'ListQueues', { path, headers });
      expect(status).to.equal(404);
    });
  }

  // holds: sqs.errors
  it('tells errors as the service model names them', async () => {
    const body = JSON.stringify({ QueueName: 'not-there' });
    const { status, headers, text } = await raw(service, 'GetQueueUrl', { body });
    expect(status).to.equal(400);
    expect(JSON.parse(text)).to.deep.equal({
      __type: 'com.amazonaws.sqs#QueueDoesNotExist',
      message: 'The specified queue does not exist.',
    });
    expect(headers.get('x-amzn-query-error')).to.equal(
      'AWS.SimpleQueueService.NonExistentQueue;Sender',
    );
  });

  const REFUSED: readonly [string, string, string, number][] = [
    ['Nothing', '{}', 'UnknownOperationException', 404],
    ['', '{}', 'UnknownOperationException', 404],
    ['ListQueues', '{', 'SerializationException', 400],
    ['ListQueues', '[]', 'SerializationException', 400],
    ['ListQueues', '{"MaxResults":"3"}', 'SerializationException', 400],
    ['CreateQueue', '{"QueueName":3}', 'SerializationException', 400],
    [
      'CreateQueue',
      '{"QueueName":"abc","Attributes":{"DelaySeconds":3}}',
      'SerializationException',
      400,
    ],
    ['CreateQueue', '{}', 'MissingParameter', 400],
    ['SendMessage', '{}', 'MissingParameter', 400],
    ['ReceiveMessage', '{"QueueUrl":"nowhere"}', 'InvalidAddress', 404],
    ['constructor', '{}', 'UnknownOperationException', 404],
  ];
  for (const [operation, body, error, status] of REFUSED) {
    // holds: sqs.errors
    it(`refuses ${operation} with ${body} as ${error}`, async () => {
      const answer = await raw(service, operation, { body });
      expect(answer.status).to.equal(status);
      const parsed = JSON.parse(answer.text) as { __type: string; message: string };
      expect(parsed.__type).to.equal(`com.amazonaws.sqs#${error}`);
      expect(parsed.message).to.be.a('string').that.is.not.empty;
      expect(answer.headers.get('x-amzn-query-error')).to.equal(`${error};Sender`);
    });
  }

  // holds: sqs.errors
  it('ignores members that it does not know, and null ones', async () => {
    const body = JSON.stringify({ QueueNamePrefix: null, MaxResults: null, NewMember: {} });
    expect(await raw(service, 'ListQueues', { body })).to.include({ status: 200 });
  });

  // holds: sqs.query
  it('refuses the query protocol, and says which SDKs speak JSON', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'Action=ListQueues&Version=2012-11-05';
    const asJson = await raw(service, '', { headers, body });
    expect(asJson.status).to.equal(400);
    const { __type, message } = JSON.parse(asJson.text) as { __type: string; message: string };
    expect(__type).to.equal('com.amazonaws.sqs#UnsupportedOperation');
    expect(message).to.match(/boto3 1\.28/);
    expect(asJson.headers.get('x-amzn-query-error')).to.equal(
      'AWS.SimpleQueueService.UnsupportedOperation;Sender',
    );
    // As clients of that protocol have it, which read XML.
    const asXml = await raw(service, '', { headers: { ...headers, accept: 'text/xml' }, body });
    expect(asXml.status).to.equal(400);
    expect(asXml.text)
      .to.match(/^<\?xml/)
      .and.include('<Code>AWS.SimpleQueueService.UnsupportedOperation</Code>');
    expect(await raw(service, '', { method: 'GET' })).to.include({ status: 400 });
  });

  // holds: sqs.size
  it('takes 1 MiB of text as 3 MiB of JSON, and bodies to 8 MiB', async () => {
    const mail = await QueueClient.create(service.sqs);
    const { QueueUrl } = mail;
    const text = 'ä'.repeat(524_288);
    const escaped = text.replaceAll('ä', '\\u00e4');
    const body = `{"QueueUrl":${JSON.stringify(QueueUrl)},"MessageBody":"${escaped}"}`;
    expect(body.length).to.be.above(3 * 1_048_576 - 100);
    expect(await raw(service, 'SendMessage', { body })).to.include({ status: 200 });
    expect(await mail.bodies()).to.deep.equal([text]);
    const padded = `{"MaxResults":null,"x":"${'y'.repeat(8 * 1_048_576 - 26)}"}`;
    expect(await raw(service, 'ListQueues', { body: padded })).to.include({ status: 200 });
    expect(await raw(service, 'ListQueues', { body: `${padded} ` })).to.include({ status: 400 });
  });

  // holds: sqs.size
  it('hands out ten messages of 1 MiB at once', async () => {
    const mail = await QueueClient.create(service.sqs);
    for (let n = 0; n < 10; n += 1) await mail.send(String(n).repeat(1_048_576));
    const messages = await mail.receive({ MaxNumberOfMessages: 10 });
    expect(messages.map(({ Body }) => Body?.length)).to.deep.equal(Array(10).fill(1_048_576));
  });

  // holds: sqs.region
  it('ignores the region, which comes back in ARNs', async () => {
    const client = service.client(TOKEN, { region: 'ap-south-1' });
    const mail = await QueueClient.create(client);
    expect(await mail.attributes('QueueArn')).to.deep.equal({
      QueueArn: `arn:aws:sqs:ap-south-1:000000000000:${mail.name}`,
    });
    const headers = { authorization: signed(TOKEN).replace('eu-west-3', '<x>') };
    const body = JSON.stringify({ QueueUrl: mail.QueueUrl, AttributeNames: ['QueueArn'] });
    const { text } = await raw(service, 'GetQueueAttributes', { headers, body });
    expect(text).to.include('arn:aws:sqs:us-east-1:');
  });

  // holds: sqs.base-url
  it('builds URLs with the scheme and Host of the request, or as it is told', async () => {
    const body = JSON.stringify({ QueueName: 'abc' });
    const answer = await raw(service, 'CreateQueue', { body });
    expect(JSON.parse(answer.text)).to.deep.equal({
      QueueUrl: `${service.url}/sqs/000000000000/abc`,
    });
    const proxied = await SqsService.start({
      ...(await memory()),
      TRUST_PROXY: '127.0.0.1/32',
      PUBLIC_URL: 'https://endpoints.example.com',
    });
    try {
      const direct = await raw(proxied, 'CreateQueue', { body });
      expect(direct.text).to.include(`"${proxied.url}/sqs/`);
      const headers = { 'x-forwarded-proto': 'https' };
      const forwarded = await raw(proxied, 'CreateQueue', { body, headers });
      expect(forwarded.text).to.include(`"${proxied.url.replace('http', 'https')}/sqs/`);
    } finally {
      await proxied.stop();
    }
    const told = await SqsService.start({
      ...(await memory()),
      SQS_BASE_URL: 'https://queues.example.com/',
    });
    try {
      const other = await raw(told, 'CreateQueue', { body });
      expect(JSON.parse(other.text)).to.deep.equal({
        QueueUrl: 'https://queues.example.com/sqs/000000000000/abc',
      });
    } finally {
      await told.stop();
    }
  });

  // holds: sqs.off
  it('is not there unless it is turned on', async () => {
    const off = await SqsService.start({ ...(await memory()), SQS: 'off' });
    try {
      for (const path of ['/sqs', '/sqs/', '/sqs/000000000000/any']) {
        expect(await raw(off, 'ListQueues', { path })).to.include({ status: 404 });
      }
    } finally {
      await off.stop();
    }
  });
});
