import { expect } from 'chai';
import { queueNamed } from '../../support/queue-named.ts';
import { HttpService } from './support/http-service.ts';

describe('Payloads', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
  });

  after(() => service.stop());

  const json = async (method: string, path: string, body?: unknown): Promise<unknown> =>
    JSON.parse((await service.request(method, path, { body })).text);

  /** Adds a job, has it fail, and removes its values. @returns its path. */
  async function redacted(queue: string): Promise<string> {
    const [{ id }] = (await json('POST', `/queues/${queue}/jobs`, [
      { name: 'work', data: { to: 'ada' }, opts: {} },
    ])) as [{ id: string }];
    await service.settle(queue, await service.claim(queue), { kind: 'failed', reason: 'broken' });
    await service.redaction.redactBeyond([{ queue: queueNamed(queue), keep: 0 }]);
    return `/queues/${queue}/jobs/${id}`;
  }

  // holds: payloads.read
  it('shows that a job is redacted, and since when', async () => {
    const path = await redacted('shown');
    expect(await json('GET', path)).to.include({
      data: null,
      redacted: true,
      redactedOn: service.clock.now(),
      failedReason: 'broken',
    });
    expect(await json('GET', `${path}/data`)).to.equal(null);
    expect(await json('GET', `${path}/result`)).to.deep.equal({
      state: 'failed',
      failedReason: 'broken',
    });
    await json('POST', '/queues/shown/jobs', [{ name: 'work', data: { to: 'eve' } }]);
    const found = await json('GET', '/queues/shown/jobs/search?data=to:eve');
    expect((found as { jobs: unknown[] }).jobs).to.have.length(1);
  });

  // holds: payloads.retry
  it('refuses to retry a redacted job, and passes over it in bulk', async () => {
    const path = await redacted('refused');
    const retried = await service.request('POST', `${path}/retry`);
    expect(retried).to.include({ status: 409, text: 'Job is redacted' });
    await json('POST', '/queues/refused/jobs', [{ name: 'work', data: 1, opts: {} }]);
    const attempt = await service.claim('refused');
    await service.settle('refused', attempt, { kind: 'failed', reason: 'broken' });
    expect(await json('POST', '/queues/refused/retry', { all: true })).to.deep.equal({
      matched: 2,
      done: 1,
      remaining: 0,
      skipped: 1,
    });
  });

  it('takes the policy, and refuses what is none', async () => {
    const save = (payloads: unknown) =>
      service.request('PUT', '/queues/kept/policy', { body: { payloads } });
    expect((await save({ keep: 0 })).status).to.equal(200);
    for (const wrong of [{}, { keep: -1 }, { keep: '1 d' }, 1]) {
      const { status, text } = await save(wrong);
      expect([status, text.includes('payloads')], text).to.deep.equal([400, true]);
    }
  });
});
