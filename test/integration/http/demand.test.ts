import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';
import { restrictedTokens } from './support/restricted-tokens.ts';

const HOUR = 3_600_000;

describe('The demand of queues', () => {
  let service: HttpService;

  before(async () => {
    const knownTokens = restrictedTokens({
      scraper: { rights: ['metrics'], queues: null },
      mails: { rights: ['metrics'], queues: ['mail-*'] },
      adder: { rights: ['add'], queues: null },
    });
    service = await new HttpService({ knownTokens }).start();
  });

  after(() => service.stop());

  beforeEach(() => service.clock.advance(1000));

  const call = (method: string, path: string, body?: unknown, token?: string) =>
    service.request(method, path, {
      ...(body !== undefined && { body }),
      ...(token !== undefined && { token }),
    });
  const add = (queue: string, count: number, opts: object = {}) => {
    const jobs = Array.from({ length: count }, () => ({ name: 'work', data: 1, opts }));
    return call('POST', `/queues/${queue}/jobs`, jobs);
  };
  const read = async (path: string, token?: string): Promise<unknown> => {
    const { status, text } = await call('GET', path, undefined, token);
    expect(status, text).to.equal(200);
    return JSON.parse(text);
  };

  // holds: demand.counts, demand.wanted
  it('is that of one queue, with how many workers it wants', async () => {
    await add('single', 21);
    await add('single', 2, { delay: HOUR });
    await service.claim('single');
    expect(await read('/queues/single/demand')).to.deep.equal({
      demand: 21,
      waiting: 20,
      due: 0,
      active: 1,
      oldest: 0,
      wanted: 3,
    });
    await service.clock.advance(2 * HOUR);
    expect(await read('/queues/single/demand?perWorker=23')).to.deep.equal({
      demand: 23,
      waiting: 20,
      due: 2,
      active: 1,
      oldest: 2 * HOUR,
      wanted: 1,
    });
  });

  // holds: demand.counts
  it('is 404 for a queue that is not there, and nothing for one that has only a worker', async () => {
    expect(await call('GET', '/queues/nowhere/demand')).to.include({ status: 404 });
    const endpoint = { url: 'http://127.0.0.1:9/', method: 'post' };
    await call('POST', '/workers', { queue: 'served', endpoint });
    expect(await read('/queues/served/demand')).to.include({ demand: 0, wanted: 0 });
    await call('DELETE', '/workers/served');
  });

  // holds: demand.total
  it('adds up over the queues that match', async () => {
    await add('mail-a', 5);
    await add('mail-b', 7);
    await add('news', 11);
    const mails = { demand: 12, waiting: 12, due: 0, active: 0, oldest: 0, queues: 2 };
    expect(await read('/demand?queues=mail-*&perWorker=5')).to.deep.equal({ ...mails, wanted: 3 });
    expect(await read('/demand?queues=mail-a,news')).to.include({ demand: 16, queues: 2 });
    expect(await read('/demand?queues=none-*')).to.include({ demand: 0, wanted: 0, queues: 0 });
    const all = (await read('/demand')) as { demand: number; queues: number };
    expect(all.queues).to.be.at.least(3);
    expect(all.demand).to.be.at.least(23);
  });

  // holds: demand.rights
  it('is read with the right read or metrics, over the queues of the token', async () => {
    expect(await read('/queues/news/demand', 'scraper')).to.include({ demand: 11 });
    expect(await read('/demand', 'mails')).to.include({ demand: 12, queues: 2 });
    expect(await read('/demand?queues=news', 'mails')).to.include({ demand: 0, queues: 0 });
    expect(await call('GET', '/queues/news/demand', undefined, 'mails')).to.include({
      status: 403,
      text: 'This token may not use this queue',
    });
    expect(await call('GET', '/demand', undefined, 'adder')).to.include({
      status: 403,
      text: 'This token lacks the right read',
    });
  });

  // holds: demand.rule
  it('leaves out what no worker could start', async () => {
    await add('shut', 4);
    const demand = async () => ((await read('/queues/shut/demand')) as { demand: number }).demand;
    expect(await demand()).to.equal(4);
    await call('POST', '/queues/shut/pause');
    expect(await demand()).to.equal(0);
    await call('POST', '/queues/shut/resume');
    await call('POST', '/queues/shut/hold', { for: HOUR });
    expect(await demand()).to.equal(0);
    await call('DELETE', '/queues/shut/hold');
    const never = { open: [{ from: '00:00', to: '00:01', days: ['sun'] }], tz: 'UTC' };
    await call('PUT', '/queues/shut/policy', { window: never });
    expect(await demand()).to.equal(0);
    await call('PUT', '/queues/shut/policy', { groups: { concurrency: 1 } });
    expect(await demand()).to.equal(4);
    await add('shut', 5, { group: { id: 'a' } });
    expect(await demand()).to.equal(5);
    await call('POST', '/queues/shut/groups/a/pause');
    expect(await demand()).to.equal(4);
  });

  // holds: demand.rule
  it('counts all of a queue whose worker is disabled or at its limits', async () => {
    const endpoint = { url: 'http://127.0.0.1:9/', method: 'post' };
    const opts = { concurrency: 1, limiter: { max: 1, duration: HOUR } };
    await call('POST', '/workers', { queue: 'limited', endpoint, opts });
    await call('POST', '/workers/limited/disable', { reason: 'for the night' });
    await add('limited', 6);
    await service.claim('limited');
    expect(await read('/queues/limited/demand')).to.include({ demand: 6, active: 1, waiting: 5 });
    await call('DELETE', '/workers/limited');
  });

  it('refuses a perWorker that is no whole number from 1 up, and too many names', async () => {
    for (const path of ['/demand', '/queues/news/demand']) {
      for (const value of ['0', '-1', '1.5', 'ten', '1000001', '']) {
        const { status, text } = await call('GET', `${path}?perWorker=${value}`);
        expect([status, text.includes('perWorker')], `${path} ${value}`).to.deep.equal([400, true]);
      }
    }
    const names = (count: number): string => Array.from({ length: count }, () => 'a*').join(',');
    expect(await call('GET', `/demand?queues=${names(10)}`)).to.include({ status: 200 });
    expect(await call('GET', `/demand?queues=${names(11)}`)).to.include({ status: 400 });
    expect(await call('GET', '/demand?queues=')).to.include({ status: 400 });
  });
});
