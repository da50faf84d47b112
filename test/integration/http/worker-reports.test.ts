import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import { answer, EndpointServer } from '../../support/endpoint-server.ts';
import { HttpService } from './support/http-service.ts';

describe('Reports on workers', () => {
  let service: HttpService;
  let endpoint: EndpointServer;
  let queue: string;

  before(async () => {
    service = await new HttpService().start();
    endpoint = await EndpointServer.start();
  });

  after(() => Promise.all([service.stop(), endpoint.close()]));

  beforeEach(async () => {
    queue = `mail-${randomUUID()}`;
    await register();
  });

  async function register(body: object = {}, of = queue): Promise<void> {
    const registered = { url: endpoint.url, method: 'post', headers: { 'X-Key': 'hidden' } };
    const sent = { queue: of, endpoint: { ...registered, ...body } };
    const { status, text } = await service.request('POST', '/workers', { body: sent });
    expect(status, text).to.equal(200);
  }

  async function read<Body>(path: string): Promise<Body> {
    const { status, text } = await service.request('GET', path);
    expect(status, text).to.equal(200);
    return JSON.parse(text) as Body;
  }

  /** Takes a job and ends it as a worker's call would. */
  async function call(ending: AttemptEnding, duration: number): Promise<void> {
    await service.request('POST', `/queues/${queue}/jobs`, { body: [{ name: 'a', data: 1 }] });
    const attempt = await service.claim(queue);
    await service.settle(queue, attempt, ending);
    const ended = { kind: 'ended', queue, attempt, result: { ending }, duration };
    service.calls.observe(ended as never);
    service.figures.observe(ended as never);
  }

  // holds: workers.health-list
  it('list workers with their health, by queue', async () => {
    const registeredAt = service.clock.now();
    const [one, other] = [`a-${queue}`, `b-${queue}`];
    await register({ signing: true }, other);
    await register({}, one);
    await service.request('POST', `/workers/${other}/disable`, { body: { reason: 'moving' } });
    const { workers, total } = await read<{ total: number; workers: { queue: string }[] }>(
      '/workers?view=health',
    );
    expect(total).to.equal(workers.length);
    const idle = {
      url: endpoint.url,
      method: 'post',
      state: 'healthy',
      since: null,
      until: null,
      reason: null,
      concurrency: 1,
      running: 0,
      calls: 0,
      failures: 0,
      lastStatus: null,
      latencyMs: { p50: null, p95: null, p99: null },
      signed: false,
      registeredAt,
    };
    const disabled = {
      ...{ state: 'disabled', since: registeredAt, signed: true },
      ...{ reason: 'moving', by: 'environment:1' },
    };
    expect(workers.filter((each) => each.queue.endsWith(queue))).to.deep.equal([
      { queue: one, ...idle },
      { queue: other, ...idle, ...disabled },
      { queue, ...idle },
    ]);
    const chosen = await read<{ total: number; workers: { queue: string }[] }>(
      '/workers?view=health&state=disabled&start=0&length=1',
    );
    expect([chosen.total, chosen.workers.map((each) => each.queue)]).to.deep.equal([1, [other]]);
    const refused = await service.request('GET', '/workers?state=held');
    expect([refused.status, refused.text]).to.deep.equal([400, 'state needs view=health']);
  });

  // holds: calls.latest
  it('list the latest calls, newest first', async () => {
    const completed = { outcome: 'completed', status: 201 } as const;
    await call({ kind: 'completed', returnvalue: null, call: completed }, 20);
    await service.clock.advance(1000);
    const now = service.clock.now();
    await call({ kind: 'failed', reason: 'ECONNREFUSED', call: { outcome: 'refused' } }, 5);
    const shown = { attempt: 1, replica: 'host:1' };
    expect(await read(`/workers/${queue}/calls`)).to.deep.equal([
      {
        ...shown,
        job: '2',
        startedAt: now - 5,
        durationMs: 5,
        status: null,
        outcome: 'refused',
        reason: 'ECONNREFUSED',
      },
      {
        ...shown,
        job: '1',
        startedAt: now - 1020,
        durationMs: 20,
        status: 201,
        outcome: 'completed',
        reason: null,
      },
    ]);
    for (let more = 0; more < 60; more += 1) {
      await call({ kind: 'completed', returnvalue: null, call: completed }, 1);
    }
    expect(await read(`/workers/${queue}/calls`)).to.have.length(50);
    expect(await read(`/workers/${queue}/calls?length=3`)).to.have.length(3);
    expect((await service.request('GET', `/workers/${queue}/calls?length=51`)).status).to.equal(
      400,
    );
    expect((await service.request('GET', '/workers/none-such/calls')).status).to.equal(404);
  });

  interface TestReport {
    readonly request: { readonly headers: Record<string, string>; readonly body: string };
  }

  async function test(body?: unknown): Promise<TestReport> {
    const sent = body === undefined ? {} : { body };
    const { status, text } = await service.request('POST', `/workers/${queue}/test`, sent);
    expect(status, text).to.equal(200);
    return JSON.parse(text) as TestReport;
  }

  // holds: workers.test
  it('show how a test call goes, in any state of the worker', async () => {
    endpoint.respond = answer(200, { fine: true });
    await service.request('POST', `/workers/${queue}/disable`);
    const report = await test({ name: 'welcome', data: { to: 'Ada' } });
    expect(report).to.deep.include({
      outcome: 'completed',
      status: 200,
      response: '{"fine":true}',
      reason: null,
    });
    const { headers, body, ...request } = report.request;
    expect(request).to.deep.equal({ method: 'POST', url: endpoint.url });
    expect(headers).to.include({ 'x-key': '[redacted]', 'jobgate-test': 'true' });
    const received = await endpoint.nextCall();
    expect(received.headers).to.include({ 'x-key': 'hidden', 'jobgate-test': 'true' });
    expect(received.headers['jobgate-job-id']).to.equal('test');
    expect(received.text).to.equal(body);
    expect(received.body.job).to.deep.include({ id: 'test', name: 'welcome', data: { to: 'Ada' } });
    const { token } = received.body;
    const progress = await service.request('POST', `/queues/${queue}/jobs/test/progress`, {
      token,
      body: '5',
    });
    expect(progress.status).to.equal(401);
    expect(await read(`/workers/${queue}/calls`)).to.deep.equal([]);
    expect(await read(`/workers/${queue}/health`)).to.include({ calls: 0 });
  });

  for (const [answered, outcome, reason] of [
    [{ steps: { charge: 1 } }, 'suspended', null],
    [{ steps: {} }, 'failed', '206 names no new step'],
    [{ sleep: { rest: 0 } }, 'failed', 'sleep.rest must be an integer from 1 to 31536000000'],
    [{ steps: { charge: 'x'.repeat(262_144) } }, 'failed', 'Step charge exceeds 256 kB'],
  ] as const) {
    // holds: workers.test
    it(`judge an answer 206 as a call would: ${reason ?? outcome}`, async () => {
      endpoint.respond = answer(206, answered);
      await register({ url: endpoint.url, steps: true });
      expect(await test()).to.deep.include({ outcome, status: 206, reason });
      await register({ url: endpoint.url });
      expect(await test()).to.deep.include({ outcome: 'completed', reason: null });
    });
  }

  // holds: workers.test
  it('show why a test call fails', async () => {
    endpoint.respond = answer(503, 'come back later');
    expect(await test()).to.deep.include({
      outcome: 'failed',
      status: 503,
      response: 'come back later',
      reason: 'come back later',
    });
    await register({ url: 'http://127.0.0.1:9/' });
    expect(await test()).to.deep.include({ outcome: 'refused', status: null, response: null });
    const wrong = await service.request('POST', `/workers/${queue}/test`, { body: { nam: 1 } });
    expect(wrong.status).to.equal(400);
    expect((await service.request('POST', '/workers/none-such/test')).status).to.equal(404);
  });
});
