import { expect } from 'chai';
import type { JobEndingsPort } from '../../../src/application/ports/job-endings-port.ts';
import { eventually } from '../../support/eventually.ts';
import { HttpService, TOKEN } from './support/http-service.ts';

describe('The result of a job', () => {
  let service: HttpService;

  beforeEach(async () => {
    service = await new HttpService().start();
  });

  afterEach(() => service.stop());

  const add = async (queue: string, opts: object = {}): Promise<string> => {
    const body = [{ name: 'work', data: 1, opts }];
    const { text } = await service.request('POST', `/queues/${queue}/jobs`, { body });
    const [{ id }] = JSON.parse(text) as [{ id: string }];
    return `/queues/${queue}/jobs/${id}`;
  };

  /** Sends a call, and returns once it waits. */
  const waiting = async (path: string, query = '') => {
    const answer = service.request('GET', `${path}/result${query}`);
    await waits(1);
    return { answer };
  };

  const waits = (count: number) =>
    eventually(`${count} calls wait`, () => Promise.resolve(service.clock.sleepers === count));

  // holds: result.ended
  it('is returned at once when the job has ended', async () => {
    const completed = await add('ended');
    const returnvalue = { some: 'value' };
    await service.settle('ended', await service.claim('ended'), { kind: 'completed', returnvalue });
    const failed = await add('ended');
    await service.settle('ended', await service.claim('ended'), { kind: 'failed', reason: 'no' });
    for (const [path, body] of [
      [completed, { state: 'completed', returnvalue }],
      [failed, { state: 'failed', failedReason: 'no' }],
    ] as const) {
      for (const query of ['', '?timeout=0', '?timeout=60000']) {
        const { status, text } = await service.request('GET', `${path}/result${query}`);
        expect([status, JSON.parse(text)]).to.deep.equal([200, body]);
      }
    }
  });

  // holds: result.wait
  it('is waited for', async () => {
    const path = await add('waited');
    const { answer } = await waiting(path);
    await service.settle('waited', await service.claim('waited'), {
      kind: 'completed',
      returnvalue: 7,
    });
    expect(await answer).to.include({ status: 200, text: '{"state":"completed","returnvalue":7}' });
  });

  // holds: result.removed
  it('is returned for a job that is removed when it ends', async () => {
    const path = await add('removed', { removeOnComplete: true });
    const { answer } = await waiting(path);
    await service.settle('removed', await service.claim('removed'), {
      kind: 'completed',
      returnvalue: [1],
    });
    expect((await answer).text).to.equal('{"state":"completed","returnvalue":[1]}');
    expect((await service.request('GET', path)).status).to.equal(404);
  });

  // holds: result.time-up
  it('is missing when the wait is over', async () => {
    const path = await add('late', { delay: 3_600_000 });
    expect(await service.request('GET', `${path}/result?timeout=0`)).to.include({
      status: 202,
      text: '{"state":"delayed"}',
    });
    const { answer } = await waiting(path, '?timeout=500');
    await service.clock.advance(500);
    expect(await answer).to.include({ status: 202, text: '{"state":"delayed"}' });
  });

  // holds: result.unknown
  it('is 404 for an unknown job', async () => {
    await add('known');
    for (const path of ['known/jobs/99', 'known/jobs/meta', 'none/jobs/1']) {
      const answer = await service.request('GET', `/queues/${path}/result`);
      expect(answer).to.include({ status: 404, text: 'Job not found' });
    }
  });

  // holds: result.unknown
  it('is 404 for a job that is removed before it ends', async () => {
    const path = await add('gone');
    const { answer } = await waiting(path, '?timeout=60000');
    await service.request('DELETE', path);
    await service.clock.advance(1000);
    await waits(1);
    await service.clock.advance(250);
    expect(await answer).to.include({ status: 404, text: 'Job not found' });
  });

  // holds: result.shutdown
  it('is 202 when the service begins to shut down', async () => {
    const path = await add('ending');
    const { answer } = await waiting(path);
    await service.server.drain(AbortSignal.abort());
    expect(await answer).to.include({ status: 202, text: '{"state":"waiting"}' });
    expect(await service.request('GET', `${path}/result`)).to.include({ status: 202 });
  });

  // holds: result.left
  it('is not waited for once the client has left', async () => {
    const path = await add('left');
    const left = new AbortController();
    const answer = fetch(`${service.url}${path}/result`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
      signal: left.signal,
    });
    await waits(1);
    left.abort();
    await answer.catch(() => undefined);
    await waits(0);
  });

  // holds: result.lost-wake-up
  it('is found by polling when no end is announced', async () => {
    await service.stop();
    const deaf: JobEndingsPort = {
      subscribe: () => Promise.resolve({ listen: () => undefined, end: () => undefined }),
    };
    service = await new HttpService({ endings: deaf }).start();
    const path = await add('untold');
    const { answer } = await waiting(path);
    await service.settle('untold', await service.claim('untold'), {
      kind: 'failed',
      reason: 'no',
    });
    await service.clock.advance(1000);
    expect((await answer).text).to.equal('{"state":"failed","failedReason":"no"}');
  });

  for (const [query, mistake] of [
    ['timeout=60001', 'timeout must be an integer from 0 to 60000'],
    ['timeout=soon', 'timeout must be a whole decimal number, 0 or greater'],
    ['wait=1', 'wait is not a known query parameter'],
  ] as const) {
    // holds: result.wait
    it(`refuses ${query}`, async () => {
      const answer = await service.request('GET', `/queues/any/jobs/1/result?${query}`);
      expect(answer).to.include({ status: 400, text: mistake });
    });
  }
});
