import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

const KINDS = ['retry', 'promote', 'clean', 'cancel'] as const;

describe('Bulk repair', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
  });

  after(() => service.stop());

  const repair = (kind: string, queue: string, body?: unknown) =>
    service.request('POST', `/queues/${queue}/${kind}`, { body });

  const add = (queue: string, count: number, opts: object = {}) =>
    service.request('POST', `/queues/${queue}/jobs`, {
      body: Array(count).fill({ name: 'work', data: 1, opts }),
    });

  // holds: repair.filter, repair.limit, repair.dry-run
  it('retries by the cause of failures', async () => {
    await add('broken', 3);
    for (const reason of ['Order 1 not found', 'Order 2 not found', 'it broke']) {
      await service.settle('broken', await service.claim('broken'), { kind: 'failed', reason });
      await service.clock.advance(1);
    }
    const filter = { cause: 'Order # not found' };
    for (const [body, answer] of [
      [
        { filter, dryRun: true },
        { matched: 2, done: 0, remaining: 2, samples: ['1', '2'] },
      ],
      [
        { filter, limit: 1 },
        { matched: 2, done: 1, remaining: 1 },
      ],
      [{ filter }, { matched: 1, done: 1, remaining: 0 }],
      [{ filter }, { matched: 0, done: 0, remaining: 0 }],
    ] as const) {
      const { status, text } = await repair('retry', 'broken', body);
      expect([status, JSON.parse(text)]).to.deep.equal([200, answer]);
    }
  });

  // holds: repair.all
  it('promotes, cancels and cleans all matching jobs', async () => {
    await add('all', 3, { delay: 60_000 });
    for (const kind of ['promote', 'cancel', 'clean'] as const) {
      const { status, text } = await repair(kind, 'all', { all: true });
      expect([status, text], kind).to.deep.equal([200, '{"matched":3,"done":3,"remaining":0}']);
    }
  });

  // holds: repair.no-queue
  it('answers empty for a queue that does not exist', async () => {
    for (const kind of KINDS) {
      const { text } = await repair(kind, 'nothing', { filter: { name: 'a' } });
      expect(text).to.equal('{"matched":0,"done":0,"remaining":0}');
    }
    expect((await service.request('GET', '/queues/nothing')).status).to.equal(404);
  });

  for (const kind of KINDS) {
    for (const body of [undefined, {}, { filter: {} }, { olderThan: 5 }, { dryRun: true }]) {
      // holds: repair.required
      it(`refuses to ${kind} with ${JSON.stringify(body)}`, async () => {
        const answer = await repair(kind, 'mail', body);
        expect(answer).to.include({ status: 400, text: 'filter or all is required' });
      });
    }
  }

  for (const [body, mistake] of [
    [{ all: true, filter: { name: 'a' } }, 'all must not be given with filter'],
    [{ all: true, filter: {} }, 'all must not be given with filter'],
    [{ all: false }, 'all must be true'],
    [{ all: true, limit: 0 }, 'limit must be an integer from 1 to 10000'],
    [{ all: true, limit: 10_001 }, 'limit must be an integer from 1 to 10000'],
    [{ all: true, olderThan: -1 }, 'olderThan must be an integer of at least 0'],
    [{ all: true, dryRun: 'yes' }, 'dryRun must be true or false'],
    [{ all: true, reason: 'a' }, 'reason is not a known field'],
    [{ filter: [] }, 'filter must be an object'],
    [{ filter: { data: 'a:1' } }, 'filter.data is not a known field'],
    [{ filter: { ids: 'a' } }, 'filter.ids must be an array of at most 1000 strings'],
    [{ filter: { ids: Array(1001).fill('1') } }, 'filter.ids must be an array of at most 1000'],
    [
      { filter: { statuses: ['paused'] } },
      'filter.statuses must be an array; each item must be active, waiting,',
    ],
    [{ filter: { status: 99 } }, 'filter.status must be an integer from 100 to 599'],
    [{ filter: { from: '1' } }, 'filter.from must be an integer of at least 0'],
    [[], 'The request body must be an object'],
  ] as const) {
    // holds: repair.required
    it(`refuses ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const { status, text } = await repair('retry', 'mail', body);
      expect(status).to.equal(400);
      expect(text).to.satisfy((words: string) => words.startsWith(mistake), text);
    });
  }
});
