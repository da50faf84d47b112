import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import { HttpService } from './support/http-service.ts';

const UNTROUBLED = { state: 'healthy', since: null, until: null, reason: null };

describe('The health of workers', () => {
  let service: HttpService;
  let queue: string;

  before(async () => {
    service = await new HttpService().start();
  });

  after(() => service.stop());

  beforeEach(async () => {
    queue = `mail-${randomUUID()}`;
    const body = { queue, endpoint: { url: 'http://localhost:9/', method: 'post' } };
    await service.request('POST', '/workers', { body });
  });

  const health = async (): Promise<object> => {
    const { status, text } = await service.request('GET', `/workers/${queue}/health`);
    expect(status).to.equal(200);
    return JSON.parse(text) as object;
  };

  /** Takes a job and ends it as a worker's call would. */
  async function call(ending: AttemptEnding, duration: number): Promise<void> {
    await service.request('POST', `/queues/${queue}/jobs`, { body: [{ name: 'a', data: 1 }] });
    const attempt = await service.claim(queue);
    await service.settle(queue, attempt, ending);
    service.calls.observe({ kind: 'ended', queue, attempt, result: { ending }, duration } as never);
  }

  // holds: worker-health.answer
  it('contains no figures of calls before the first', async () => {
    expect(await health()).to.deep.equal({
      ...UNTROUBLED,
      calls: 0,
      failures: 0,
      lastStatus: null,
      lastError: null,
      latencyMs: { p50: null, p95: null, p99: null },
    });
  });

  // holds: worker-health.answer, worker-health.window, worker-health.latency
  it('counts the calls of the last ten minutes', async () => {
    const answered = { outcome: 'completed', status: 201 } as const;
    const refused = { outcome: 'refused' } as const;
    const broken = { outcome: 'failed', status: 503 } as const;
    await call({ kind: 'failed', reason: 'HTTP 503', call: broken }, 5);
    await service.clock.advance(120_000);
    await call({ kind: 'failed', reason: 'ECONNREFUSED', call: refused }, 1);
    for (const duration of [20, 20, 300]) {
      await call({ kind: 'completed', returnvalue: null, call: answered }, duration);
    }
    expect(await health()).to.deep.equal({
      ...UNTROUBLED,
      calls: 5,
      failures: 2,
      lastStatus: 201,
      lastError: 'ECONNREFUSED',
      latencyMs: { p50: 20, p95: 301, p99: 301 },
    });
    await service.clock.advance(9 * 60_000);
    expect(await health()).to.include({ calls: 4, failures: 1, lastError: 'ECONNREFUSED' });
    await service.clock.advance(3 * 60_000);
    expect(await health()).to.include({ calls: 0, failures: 0, lastStatus: null, lastError: null });
  });

  // holds: worker-disabling.answers, worker-disabling.hidden
  it('shows since when and why a worker is disabled, which no other answer shows', async () => {
    const post = (action: string, body?: unknown) =>
      service.request('POST', `/workers/${queue}/${action}`, { body });
    const shown = await service.request('GET', `/workers/${queue}`);
    const since = service.clock.now();
    expect(await post('disable', { reason: 'We move' })).to.include({ status: 200, text: 'OK' });
    await service.clock.advance(1000);
    expect(await post('disable', { reason: 'Again' })).to.include({ status: 200, text: 'OK' });
    const disabled = { state: 'disabled', since, until: null, reason: 'We move' };
    expect(await health()).to.include(disabled);
    expect((await service.request('GET', `/workers/${queue}`)).text).to.equal(shown.text);
    for (let time = 0; time < 2; time += 1) {
      expect(await post('enable')).to.include({ status: 200, text: 'OK' });
      expect(await health()).to.include(UNTROUBLED);
    }
    await post('disable');
    expect(await health()).to.include({ state: 'disabled', reason: null });
  });

  // holds: worker-disabling.registering
  it('recovers when the worker is registered again', async () => {
    await service.request('POST', `/workers/${queue}/disable`);
    const body = { queue, endpoint: { url: 'http://localhost:9/', method: 'post' } };
    await service.request('POST', '/workers', { body });
    expect(await health()).to.include(UNTROUBLED);
  });

  for (const [action, body, status, text] of [
    ['disable', { reason: '' }, 400, 'reason must be a string of 1 to 1024 bytes'],
    ['disable', { why: 'x' }, 400, 'why is not a known field'],
    ['disable', '[]', 400, 'The request body must be an object'],
  ] as const) {
    it(`refuses to ${action} with ${JSON.stringify(body)}`, async () => {
      const answer = await service.request('POST', `/workers/${queue}/${action}`, { body });
      expect(answer).to.include({ status, text });
    });
  }

  // holds: worker-disabling.answers
  it('is neither disabled nor enabled where a queue has no worker', async () => {
    for (const action of ['disable', 'enable']) {
      const answer = await service.request('POST', `/workers/none-${queue}/${action}`);
      expect(answer).to.include({ status: 404, text: 'Worker not found' });
    }
  });

  // holds: worker-health.held
  it('shows since and until when the queue is held', async () => {
    const body = { for: 60_000 };
    const { text } = await service.request('POST', `/queues/${queue}/hold`, { body });
    const { until } = JSON.parse(text) as { until: number };
    expect(await health()).to.include({
      state: 'held',
      since: until - 60_000,
      until,
      reason: null,
    });
  });

  // holds: breaker.health, breaker.registering
  it('shows since when and why the breaker is open, and when a probe decides', async () => {
    const verdict = { isDown: true, reason: 'down', failures: 1, openFor: 5000, maxOpenFor: 5000 };
    await call({ kind: 'failed', reason: 'down', verdict }, 5);
    const since = service.clock.now();
    expect(await health()).to.include({
      state: 'open',
      since,
      until: since + 5000,
      reason: 'down',
    });
    await service.clock.advance(5000);
    expect(await health()).to.include({ state: 'probing', since, until: null, reason: 'down' });
    await service.request('POST', `/workers/${queue}/disable`);
    expect(await health()).to.include({ state: 'disabled' });
    const body = { queue, endpoint: { url: 'http://localhost:9/', method: 'post' } };
    await service.request('POST', '/workers', { body });
    expect(await health()).to.include(UNTROUBLED);
  });

  // holds: worker-health.no-worker
  it('answers 404 for a queue without a worker', async () => {
    const answer = await service.request('GET', `/workers/none-${queue}/health`);
    expect(answer).to.include({ status: 404, text: 'Worker not found' });
  });
});
