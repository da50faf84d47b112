import type { KeptWorkers } from '../../../src/application/kept/workers.ts';
import { expect } from 'chai';
import { workersInMemory } from '../../support/collections.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { HttpService } from './support/http-service.ts';

const worker = {
  queue: 'mail',
  endpoint: {
    url: 'http://localhost:9000/hook',
    method: 'post',
    headers: { 'X-Key': 'secret', 'X-Team': 'a' },
    signing: true,
  },
  opts: { concurrency: 5, limiter: { max: 10, duration: 1000 }, breaker: { failures: 5 } },
};

describe('PATCH /workers/:queue', () => {
  let service: HttpService;
  let keptWorkers: KeptWorkers;

  beforeEach(async () => {
    keptWorkers = workersInMemory();
    service = await new HttpService({ keptWorkers }).start();
    await service.request('POST', '/workers', { body: worker });
  });
  afterEach(() => service.stop());

  const change = (body: unknown, queue = 'mail') =>
    service.request('PATCH', `/workers/${queue}`, { body });
  const changed = async (body: unknown): Promise<unknown> => {
    const { status, text } = await change(body);
    expect(status, text).to.equal(200);
    return JSON.parse(text);
  };
  const stored = () => keptWorkers.find(queueNamed('mail'));

  const hidden = {
    ...worker.endpoint,
    headers: { 'X-Key': '[redacted]', 'X-Team': '[redacted]' },
  };

  // holds: workers.change
  it('changes what the body names, and keeps header values, secrets and the registration', async () => {
    const before = await stored();
    expect(await changed({ opts: { concurrency: 10, limiter: { max: 20 } } })).to.deep.equal({
      queue: 'mail',
      endpoint: hidden,
      opts: { ...worker.opts, concurrency: 10, limiter: { max: 20, duration: 1000 } },
    });
    const after = await stored();
    expect(after).to.deep.equal({
      ...before,
      opts: { ...worker.opts, concurrency: 10, limiter: { max: 20, duration: 1000 } },
    });
    expect(before?.endpoint.secrets?.current).to.match(/^whsec_/);
  });

  // holds: workers.change
  it('removes a field with null', async () => {
    await changed({ opts: { breaker: null, limiter: null } });
    await changed({ endpoint: { headers: { 'x-team': null, 'X-New': 'b' }, signing: null } });
    const after = await stored();
    expect(after?.opts).to.deep.equal({ concurrency: 5 });
    expect(after?.endpoint).to.deep.equal({
      url: worker.endpoint.url,
      method: 'post',
      headers: { 'X-Key': 'secret', 'X-New': 'b' },
    });
    await changed({ opts: null, endpoint: { headers: null } });
    expect(await stored()).not.to.have.any.keys('opts');
    expect((await stored())?.endpoint).not.to.have.property('headers');
  });

  // holds: workers.change
  it('replaces a header whose name is written in another case', async () => {
    await changed({ endpoint: { headers: { 'x-key': 'other' } } });
    expect((await stored())?.endpoint.headers).to.deep.equal({ 'X-Team': 'a', 'x-key': 'other' });
  });

  // holds: workers.change
  it('answers a new secret once when calls become signed, and keeps one that is there', async () => {
    const kept = (await stored())?.endpoint.secrets;
    expect(await changed({ endpoint: { timeout: 5000, signing: true } })).not.to.have.property(
      'secret',
    );
    expect((await stored())?.endpoint.secrets).to.deep.equal(kept);
    await changed({ endpoint: { signing: false } });
    const { secret } = (await changed({ endpoint: { signing: true } })) as { secret: string };
    expect(secret)
      .to.match(/^whsec_/)
      .and.not.to.equal(kept?.current);
    expect((await stored())?.endpoint.secrets).to.deep.equal({ current: secret, former: [] });
  });

  // holds: workers.change
  it('sends header values to another origin only when they are given anew', async () => {
    const url = 'http://localhost:9001/hook';
    expect(await change({ endpoint: { url, headers: { 'X-Team': 'b' } } })).to.include({
      status: 400,
      text: 'endpoint.headers.X-Key must be given anew, or removed, for another origin',
    });
    await changed({ endpoint: { url: 'http://localhost:9000/other' } });
    await changed({ endpoint: { url, headers: { 'X-Team': 'b', 'x-key': null } } });
    await changed({ endpoint: { url: `${url}2`, headers: null } });
    await changed({ endpoint: { url: 'http://localhost:9002/' } });
    await changed({ endpoint: { url, headers: { 'X-Team': 'b' } } });
    expect((await stored())?.endpoint).to.deep.include({ url, headers: { 'X-Team': 'b' } });
  });

  // holds: workers.change
  it('leaves a disabled worker disabled', async () => {
    await service.request('POST', '/workers/mail/disable', { body: { reason: 'We move' } });
    await changed({ opts: { concurrency: 1 } });
    const health = await service.request('GET', '/workers/mail/health');
    expect(JSON.parse(health.text)).to.include({ state: 'disabled', reason: 'We move' });
  });

  // holds: workers.change
  it('refuses mistakes of the change and of its result, naming the field', async () => {
    for (const [body, message] of [
      [{}, 'There is nothing to change: give endpoint or opts'],
      [{ queue: 'mail' }, 'queue is not a known field'],
      [{ endpoint: null }, 'endpoint must be an object'],
      [{ endpoint: { url: null } }, /^endpoint\.url must be a valid http or https URL/],
      [{ endpoint: { headers: { Host: 'a' } } }, /^endpoint\.headers\.Host must be left out/],
      [{ endpoint: { secrets: {} } }, 'endpoint.secrets is not a known field'],
      [{ opts: { concurrency: 0 } }, 'opts.concurrency must be an integer of at least 1'],
      [
        { opts: { limiter: { duration: null } } },
        'opts.limiter.duration must be an integer of at least 1',
      ],
      [{ opts: { batch: { wait: 1 } } }, 'opts.batch.size must be an integer from 2 to 1000'],
    ] as const) {
      const { status, text } = await change(body);
      expect(status, JSON.stringify(body)).to.equal(400);
      if (typeof message === 'string') expect(text).to.equal(message);
      else expect(text).to.match(message);
    }
    expect(await change({ opts: null }, 'none')).to.include({
      status: 404,
      text: 'Worker not found',
    });
  });
});
