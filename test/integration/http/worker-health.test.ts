import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AttemptEnding } from '../../../src/application/ports/attempt-port.ts';
import { HttpService } from './support/http-service.ts';

const UNTROUBLED = { state: 'healthy', since: null, until: null, reason: null };

describe('GET /workers/:queue/health', () => {
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
    const worker = { queue: attempt.job.queue, endpoint: { url: 'http://x/', method: 'post' } };
    service.calls.ended({ attempt, worker, result: { ending }, duration } as never);
  }

  // holds: worker-health.answer
  it('tells nothing of calls before the first', async () => {
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
  it('tells of the calls of the last ten minutes', async () => {
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

  // holds: worker-health.no-worker
  it('answers 404 for a queue without a worker', async () => {
    const answer = await service.request('GET', `/workers/none-${queue}/health`);
    expect(answer).to.include({ status: 404, text: 'Worker not found' });
  });
});
