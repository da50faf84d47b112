import { expect } from 'chai';
import type { OpenApiDocument } from '../../src/adapters/inbound/http/messages/openapi.ts';
import { DocumentValidator } from '../integration/http/support/document-validator.ts';
import { openApiCalls } from '../integration/http/openapi/openapi-calls.ts';
import { encryptionKey, encryptionKeysText } from '../support/encryption-key.ts';
import { answer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { ServiceContext } from './service/context.ts';

/** Has the form of a job token, so that only the store knows whether it is one. */
const JOB_TOKEN = 'A'.repeat(32);

/** How many copies of each request are sent at once: they share what the first of them asks of the store. */
const TIMES = 8;

/** How many kinds of requests are sent together. With more, this process would see their answers late. */
const TOGETHER = 20;

/** Milliseconds: the two promised seconds, and some more for a busy machine. */
const PROMISED = 2500;

const ENCRYPTION_KEYS = encryptionKeysText(encryptionKey('2026a'));

/** The operations of people who sign in at an issuer. This service has none, so they are 404 with any store. */
const WITHOUT_ISSUER = ['beginSignIn', 'finishSignIn', 'signOut'];

/** How long a claim waits for jobs, in milliseconds. */
const WAIT = 1000;

/** The operations that do not need the store. */
const WITHOUT_STORE = [
  'readLiveness',
  'readOpenApi',
  'readDocs',
  'readMetrics',
  'readOwnAccess',
  'sendMcpMessage',
];

interface Sent {
  readonly title: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The status of the answer when the store is available. */
  readonly status: number;
}

describe('a replica that starts while the store is away', function () {
  this.timeout(60_000);
  const services = new StartedServices();
  let store: RedisServer;
  let proxy: CuttingProxy;
  let service: ServiceProcess;
  const context = new ServiceContext(() => service);

  beforeEach(async () => {
    store = await RedisServer.start();
    proxy = await CuttingProxy.start(store.port);
  });
  afterEach(async () => {
    await context.cleanUp();
    await services.kill();
    await proxy.close();
    await store.stop();
  });

  /** Each operation, correctly called, and the claims that wait. */
  async function requests(): Promise<readonly Sent[]> {
    const response = await fetch(`${service.url}/openapi.json`);
    const document = (await response.json()) as OpenApiDocument;
    const validator = new DocumentValidator(document);
    const sent = new Map<string, Sent>();
    for (const call of Object.values(openApiCalls).flatMap((callsOf) => callsOf(() => JOB_TOKEN))) {
      const { operationId, path, status, body, token, headers = {} } = call;
      if (status >= 300 || WITHOUT_ISSUER.includes(operationId)) continue;
      const title = `${operationId} ${path} ${JSON.stringify(headers)}`;
      sent.set(title, {
        title,
        operation: operationId,
        method: validator.operation(operationId).method.toUpperCase(),
        path,
        body,
        token: token ?? ServiceProcess.token,
        headers,
        status,
      });
    }
    const operations = Object.values(document.paths)
      .flatMap((each) => Object.values(each))
      .map(({ operationId }) => operationId)
      .filter((operationId) => !WITHOUT_ISSUER.includes(operationId));
    const covered = new Set(Array.from(sent.values(), ({ operation }) => operation));
    expect([...covered]).to.have.members(operations);
    return [...sent.values()];
  }

  async function expectAnswer({ title, operation, status, ...request }: Sent): Promise<void> {
    const { method, path, body, token, headers } = request;
    const start = performance.now();
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const expected = WITHOUT_STORE.includes(operation) ? status : 503;
    expect(response.status, `${title}: ${text}`).to.equal(expected);
    expect(performance.now() - start, title).to.be.below(PROMISED + WAIT);
  }

  /** Sends each request several times at once. */
  async function answersAll(): Promise<void> {
    const all = await requests();
    for (let sent = 0; sent < all.length; sent += TOGETHER) {
      const some = all.slice(sent, sent + TOGETHER);
      await Promise.all(some.flatMap((each) => Array<Sent>(TIMES).fill(each)).map(expectAnswer));
    }
    expect((await fetch(`${service.url}/health/live`)).status).to.equal(200);
    expect(service.logs.filter(({ level }) => level === 'error')).to.deep.equal([]);
  }

  async function serves(): Promise<void> {
    await eventually('the service is ready', async () => {
      return (await fetch(`${service.url}/health/ready`)).status === 200;
    });
    const queue = context.newQueue();
    await context.register(queue, await context.newEndpoint(answer(200, 'done')));
    const [job] = await context.add(queue, { name: 'job', data: 1 });
    expect((await context.finished(queue, job!.id)).returnvalue).to.equal('done');
  }

  // holds: answers.unavailable
  it('answers 503 to every request that needs a store that refuses connections, and serves once it is there', async () => {
    await store.kill();
    service = await services.start({ STORE_URI: store.uri, ENCRYPTION_KEYS });
    await answersAll();
    await store.restart();
    await serves();
  });

  // holds: answers.unavailable
  it('answers 503 to every request that needs a store that is silent, and serves once it is there', async () => {
    proxy.freeze();
    service = await services.start({
      STORE_URI: `redis://127.0.0.1:${proxy.port}`,
      ENCRYPTION_KEYS,
    });
    await answersAll();
    proxy.thaw();
    await serves();
  });
});
