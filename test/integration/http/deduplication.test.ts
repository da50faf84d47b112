import { expect } from 'chai';
import { HttpService, type Answer } from './support/http-service.ts';

describe('Deduplication of jobs', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
  });
  after(() => service.stop());

  const add = (queue: string, deduplication: unknown, data = 1): Promise<Answer> => {
    const body = [{ name: 'work', data, opts: { deduplication } }];
    return service.request('POST', `/queues/${queue}/jobs`, { body });
  };

  const jobOf = ({ text }: Answer): Record<string, unknown> => {
    const [job = {}] = JSON.parse(text) as Record<string, unknown>[];
    return job;
  };

  // holds: deduplication.answer
  it('answers the job that stands for the id', async () => {
    const deduplication = { id: 'customer-17' };
    const first = jobOf(await add('answered', deduplication));
    expect(first['opts']).to.deep.equal({ attempts: 0, delay: 0, deduplication });
    expect(first).not.to.have.property('deduplicated');
    const second = await add('answered', deduplication, 2);
    expect(second.status).to.equal(200);
    expect(jobOf(second)).to.deep.equal({ ...first, deduplicated: true });
    const { text } = await service.request('GET', `/queues/answered/jobs/${String(first['id'])}`);
    expect(JSON.parse(text)).not.to.have.property('deduplicated');
  });

  const EVERY_RULE = {
    id: 'a/b c:ü',
    ttl: 60_000,
    extend: true,
    replace: false,
    keepLastIfActive: false,
    reschedule: true,
  };

  // holds: deduplication.read, deduplication.delete
  it('is read and ended under its id, with any characters in it', async () => {
    const path = `/queues/addressed/deduplication/${encodeURIComponent(EVERY_RULE.id)}`;
    for (const method of ['GET', 'DELETE']) {
      expect(await service.request(method, path)).to.include({
        status: 404,
        text: 'Deduplication not found',
      });
    }
    const { id } = jobOf(await add('addressed', EVERY_RULE));
    const read = await service.request('GET', path);
    expect(read.status).to.equal(200);
    expect(JSON.parse(read.text)).to.deep.equal({ id: EVERY_RULE.id, jobId: id, ttl: 60_000 });
    expect(await service.request('DELETE', path)).to.include({ status: 200, text: 'OK' });
    expect((await service.request('GET', path)).status).to.equal(404);
    expect(jobOf(await add('addressed', EVERY_RULE))).not.to.have.property('deduplicated');
  });

  for (const [deduplication, mistake] of [
    ['customer-17', '[0].opts.deduplication must be an object'],
    [
      {},
      '[0].opts.deduplication.id must be a string of 1 to 255 characters without control characters',
    ],
    [
      { id: '' },
      '[0].opts.deduplication.id must be a string of 1 to 255 characters without control characters',
    ],
    [
      { id: 'a\nb' },
      '[0].opts.deduplication.id must be a string of 1 to 255 characters without control characters',
    ],
    [
      { id: 'x'.repeat(256) },
      '[0].opts.deduplication.id must be a string of 1 to 255 characters without control characters',
    ],
    [{ id: 'a', ttl: -1 }, '[0].opts.deduplication.ttl must be an integer of at least 0'],
    [{ id: 'a', ttl: 1.5 }, '[0].opts.deduplication.ttl must be an integer of at least 0'],
    [{ id: 'a', extend: 1 }, '[0].opts.deduplication.extend must be true or false'],
    [{ id: 'a', replace: 'yes' }, '[0].opts.deduplication.replace must be true or false'],
    [
      { id: 'a', keepLastIfActive: null },
      '[0].opts.deduplication.keepLastIfActive must be true or false',
    ],
    [{ id: 'a', reschedule: 0 }, '[0].opts.deduplication.reschedule must be true or false'],
    [{ id: 'a', debounce: 1 }, '[0].opts.deduplication.debounce is not a known field'],
  ] as const) {
    it(`refuses ${JSON.stringify(deduplication).slice(0, 60)}`, async () => {
      expect(await add('refused', deduplication)).to.include({ status: 400, text: mistake });
    });
  }
});
