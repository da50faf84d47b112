import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';

/** The heap of the service in MB: what each test has it add takes several times as much. */
const NODE_OPTIONS = '--max-old-space-size=128';

/** The subscriptions of one topic, and how many calls publish to it at once. */
const [SUBSCRIPTIONS, CALLS] = [500, 40];

/** What an endpoint may be sent in headers, nearly. */
const HEADERS = { 'x-one': 'y'.repeat(3900), 'x-other': 'z'.repeat(3900) };

interface Counted {
  readonly counts: { readonly waiting: number; readonly completed: number };
}

describe('a heap that is small beside what clients ask for', function () {
  this.timeout(60_000);

  let service: ServiceProcess;
  let end: () => Promise<void>;

  async function start(environment: Readonly<Record<string, string>>): Promise<void> {
    service = await ServiceProcess.start({ ...environment, NODE_OPTIONS });
  }

  async function startOnRedis(): Promise<void> {
    const store = await RedisServer.start();
    end = () => store.stop();
    await start({ STORE_URI: store.uri });
  }

  async function startOnFolder(more: Readonly<Record<string, string>>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'jobgate-fan-outs-'));
    end = () => rm(folder, { recursive: true });
    await start({ STORE_PATH: folder, ...more });
  }

  afterEach(async () => {
    await service.stop();
    await end();
  });

  async function ok(method: string, path: string, body?: unknown): Promise<unknown> {
    const { status, body: answer } = await service.call(method, path, body);
    expect(status, JSON.stringify(answer).slice(0, 200)).to.equal(200);
    return answer;
  }

  async function waiting(queue: string): Promise<number> {
    const { counts } = (await ok('GET', `/queues/${queue}`)) as Counted;
    return counts.waiting;
  }

  async function subscribe(count: number, terms: (at: number) => object): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      await ok('PUT', `/topics/orders/subscriptions/s${at}`, { queue: 'mail', ...terms(at) });
    }
  }

  /** Has all waiting jobs called at once, and awaits their ends. */
  async function callAll(answer: (response: ServerResponse) => void): Promise<void> {
    const all = await waiting('mail');
    const endpoint = createServer((request, response) => {
      request.resume();
      answer(response);
    }).listen(0, '127.0.0.1');
    await once(endpoint, 'listening');
    try {
      const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
      const worker = { queue: 'mail', endpoint: { url, method: 'post' } };
      await ok('POST', '/workers', { ...worker, opts: { concurrency: 1000 } });
      await eventually('all jobs are completed', async () => {
        const { counts } = (await ok('GET', '/queues/mail')) as Counted;
        return counts.completed === all;
      });
    } finally {
      endpoint.closeAllConnections();
      endpoint.close();
    }
  }

  it('has room for the jobs of topics with large headers, which are added in turns', async () => {
    await startOnRedis();
    await ok('PUT', '/queues/mail/policy', { endpoints: { origins: ['*'] } });
    const endpoint = { url: 'http://127.0.0.1:9/', headers: HEADERS };
    await subscribe(SUBSCRIPTIONS, () => ({ endpoint }));
    const publish = () => ok('POST', '/topics/orders', { name: 'signup', data: 1 });
    await Promise.all(Array.from({ length: CALLS }, publish));
    expect(await waiting('mail')).to.equal(SUBSCRIPTIONS * CALLS);
  });

  it('has room for a large message of a topic, which is stored in pieces', async () => {
    await startOnRedis();
    await subscribe(100, (at) => ({ opts: { attempts: at + 1 } }));
    const data = 'x'.repeat(2_000_000);
    await ok('POST', '/topics/orders', { name: 'signup', data });
    expect(await waiting('mail')).to.equal(100);
    const page = await ok('GET', '/queues/mail/jobs?statuses=waiting&length=1');
    expect(page).to.have.nested.property('jobs[0].data.length', data.length);
  });

  it('has room for the messages of a URL group, whose jobs share their bodies', async () => {
    await startOnFolder({ QSTASH: 'on' });
    const endpoints = Array.from({ length: 100 }, (_, at) => ({ url: `http://127.0.0.1:9/${at}` }));
    await ok('POST', '/v2/topics/group/endpoints', { endpoints });
    const message = { destination: 'group', headers: {}, body: 'x'.repeat(90_000) };
    const answers = await ok('POST', '/v2/batch', new Array(40).fill(message));
    expect((answers as unknown[][]).flat()).to.have.length(4000);
  });

  it('makes as many calls as its jobs leave room for', async () => {
    await startOnFolder({});
    const jobs = new Array(5).fill({ name: 'a', data: 'x'.repeat(1_000_000) });
    for (let at = 0; at < 20; at += 1) await ok('POST', '/queues/mail/jobs', jobs);
    await callAll((response) => response.end('ok'));
  });

  it('reads large answers that come at once in turns', async () => {
    await startOnRedis();
    await ok('POST', '/queues/mail/jobs', new Array(200).fill({ name: 'a', data: 1 }));
    const waiting: ServerResponse[] = [];
    await callAll((response) => {
      if (waiting.push(response) < 200) return;
      for (const each of waiting) each.end('y'.repeat(1_000_000));
    });
  });

  it('refuses short bodies of many jobs while others take all the room', async () => {
    await startOnRedis();
    const jobs = new Array(700).fill({ name: 'a', data: 1 });
    const add = () => service.call('POST', '/queues/mail/jobs', jobs);
    const answers = await Promise.all(Array.from({ length: 800 }, add));
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).to.deep.equal(new Set([200, 503]));
    const added = statuses.filter((status) => status === 200).length;
    expect(await waiting('mail'), 'of those refused nothing is stored').to.equal(700 * added);
  });
});
