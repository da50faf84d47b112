import { expect } from 'chai';
import { answer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { ServiceContext } from './service/context.ts';

const PASSWORD = 'secret-of-the-store';
const HEADER = 'secret-in-a-header';
const URL_PART = 'secret-in-a-url';
const DATA = 'secret-in-the-data';
const WRONG_TOKEN = 'secret-but-wrong-token';

describe('the log at debug level', () => {
  let store: RedisServer;
  let service: ServiceProcess;
  const context = new ServiceContext(() => service);

  before(async () => {
    store = await RedisServer.start({ settings: { requirepass: PASSWORD } });
    const STORE_URI = store.uri.replace('//', `//:${PASSWORD}@`);
    service = await ServiceProcess.start({ STORE_URI, DEBUG: 'true' });
  });
  after(async () => {
    await service.kill();
    await store.stop();
  });

  for (const [how, repeat] of [
    ['as its text', (request: string) => request],
    ['in a message', (request: string) => JSON.stringify({ message: `cannot take ${request}` })],
    ['cut short', (request: string) => JSON.stringify({ error: request.slice(0, 120) })],
    ['from its end', (request: string) => request.slice(-60)],
  ] as const) {
    // holds: security.echoed-request
    it(`contains nothing of a request that the endpoint repeats ${how}`, async () => {
      const queue = context.newQueue();
      const tokens: string[] = [];
      const endpoint = await context.newEndpoint((call, response) => {
        tokens.push(call.body.token);
        const headers = `${String(call.headers['x-key'])} ${call.path}`;
        const body = call.body.job.attemptsMade === 0 ? repeat(call.text) : headers;
        response.writeHead(422, { 'content-type': 'application/json' }).end(body);
      });
      const settings = { headers: { 'X-Key': HEADER }, url: `${endpoint.url}?key=${URL_PART}` };
      await context.register(queue, endpoint, settings);
      const job = { name: 'job', data: { key: DATA }, opts: { attempts: 2 } };
      const [added] = await context.add(queue, job);
      await context.finished(queue, added!.id);
      const linesOf = () => service.logs.filter((line) => line['queue'] === queue);
      const failed = await eventually('its failure is logged', () =>
        Promise.resolve(linesOf().find(({ message }) => message === 'Job failed')),
      );
      expect(failed).to.include({ status: 422, reason: 'HTTP 422', attempts: 2 });
      const lines = linesOf();
      expect(lines.map(({ message }) => message)).to.include('Job will be retried');
      for (const secret of [HEADER, URL_PART, DATA, ...tokens]) {
        expect(JSON.stringify(lines)).not.to.contain(secret);
      }
      await context.cleanUp();
    });
  }

  // holds: signing.hidden
  it('contains no secret that signs calls', async () => {
    const queue = context.newQueue();
    const endpoint = await context.newEndpoint(answer(500));
    const worker = { queue, endpoint: { url: endpoint.url, method: 'post', signing: true } };
    const told = [
      await context.call('POST', '/workers', worker),
      await context.call('POST', `/workers/${queue}/rotate-secret`),
    ].map(({ body }) => (body as { secret: string }).secret);
    const [job] = await context.add(queue, { name: 'job', data: 1 });
    await context.finished(queue, job!.id);
    await context.call('DELETE', `/workers/${queue}`);
    await eventually('the worker has stopped', () =>
      Promise.resolve(
        service.logs.some((line) => line['queue'] === queue && line.message === 'Worker stopped'),
      ),
    );
    const log = JSON.stringify(service.logs);
    for (const secret of told) expect(log).not.to.contain(secret.slice('whsec_'.length));
    expect(log).not.to.contain('whsec_');
    await context.cleanUp();
  });

  // holds: tokens.never-logged
  it('contains no token, header value, password, URL or job data', async () => {
    const queue = context.newQueue();
    const reply = answer(200, DATA);
    const endpoint = await context.newEndpoint((call, response) =>
      call.body.job.attemptsMade === 0 ? void response.destroy() : reply(call, response),
    );
    const settings = { headers: { 'X-Key': HEADER }, url: `${endpoint.url}?key=${URL_PART}` };
    await context.register(queue, endpoint, settings);
    const opts = { attempts: 2, backoff: 200 };
    const [job] = await context.add(queue, { name: DATA, data: { key: DATA }, opts });
    const { token } = (await endpoint.nextCall()).body;
    const path = `/queues/${queue}/jobs/${job!.id}`;
    for (const each of [token, WRONG_TOKEN]) {
      await context.call('POST', `${path}/progress`, DATA, each);
      await context.call('POST', `${path}/logs`, DATA, each);
      await context.call('GET', path, undefined, each);
    }
    expect(await context.finished(queue, job!.id)).to.include({ returnvalue: DATA });
    await context.call('POST', '/workers', { queue, endpoint: { url: `ftp://${URL_PART}` } });
    await context.cleanUp();
    await store.kill();
    await context.call('GET', path);
    await service.stop();

    const log = JSON.stringify(service.logs);
    expect(log).to.contain('Job will be retried').and.to.contain('Job completed');
    expect(log).to.contain('Worker started').and.to.contain('"status":401');
    const secrets = [PASSWORD, HEADER, URL_PART, DATA, WRONG_TOKEN, token, ServiceProcess.token];
    for (const secret of secrets) expect(log).not.to.contain(secret);
  });
});
