import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import type { FigureSeries } from '../../../src/domain/figures/figure-series.ts';
import { HttpService } from './support/http-service.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;

const COMPLETED: AttemptEnding = {
  kind: 'completed',
  returnvalue: null,
  call: { outcome: 'completed', status: 200 },
};
const FAILED: AttemptEnding = {
  kind: 'failed',
  reason: 'Order 17 is unknown',
  call: { outcome: 'failed', status: 404 },
};

interface Row {
  readonly name: string;
  readonly worker: { readonly url: string; readonly state: string } | null;
  readonly blocked: { readonly reason: string } | null;
  readonly rates: { readonly completed: number; readonly failed: number };
  readonly failureRate: number | null;
  readonly failing: object | null;
  readonly attention: object | null;
  readonly spark: readonly number[];
}

describe('Figures', () => {
  let service: HttpService;
  let queue: string;
  /** The start of the minute in which a test starts. */
  let minute: number;

  before(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
  });

  after(() => service.stop());

  beforeEach(async () => {
    queue = `mail-${randomUUID()}`;
    await service.clock.advance(2 * HOUR - (service.clock.now() % HOUR));
    minute = service.clock.now();
  });

  async function add(...names: readonly string[]): Promise<void> {
    const body = names.map((name) => ({ name, data: null }));
    await service.request('POST', `/queues/${queue}/jobs`, { body });
  }

  async function attempt(ending: AttemptEnding): Promise<void> {
    await add('a');
    const claimed = await service.claim(queue);
    await service.settle(queue, claimed, ending);
    const result = { ending };
    const ended = { kind: 'ended', queue, attempt: claimed, result, duration: 20 };
    service.figures.observe({ kind: 'started', queue, attempt: claimed } as never);
    service.figures.observe(ended as never);
  }

  async function read<Body>(path: string): Promise<Body> {
    const { status, text } = await service.request('GET', path);
    expect(status, text).to.equal(200);
    return JSON.parse(text) as Body;
  }

  const seriesOf = async (path: string): Promise<FigureSeries> =>
    (await read<{ series: FigureSeries }>(path)).series;

  // holds: figures.steps, figures.backlog
  it('report what happened in a queue, and its current backlog', async () => {
    await attempt(COMPLETED);
    await attempt(FAILED);
    await service.clock.advance(MINUTE);
    await add('b', 'c');
    await service.clock.advance(1000);
    const answer = await read<{ step: number; from: number; series: FigureSeries }>(
      `/queues/${queue}/figures?from=${minute}`,
    );
    expect(answer).to.include({ step: MINUTE, from: minute });
    const { added, completed, failed, waiting, oldestWaiting, status, callMs } = answer.series;
    expect([added, completed, failed]).to.deep.equal([
      [2, 2],
      [1, 0],
      [1, 0],
    ]);
    expect([waiting[1], oldestWaiting[1]]).to.deep.equal([2, 1000]);
    expect([status['2xx'], status['4xx']]).to.deep.equal([
      [1, 0],
      [1, 0],
    ]);
    expect(callMs.p50).to.deep.equal([20, null]);
  });

  // holds: figures.query
  it('are of the last hour by minutes unless a client asks for others', async () => {
    await attempt(COMPLETED);
    const { from, series } = await read<{ from: number; series: FigureSeries }>(
      `/queues/${queue}/figures`,
    );
    expect(from).to.equal(minute - 59 * MINUTE);
    expect(series.completed).to.have.length(60);
    expect(series.completed.at(-1)).to.equal(1);
    const hours = await seriesOf(`/queues/${queue}/figures?step=${HOUR}&from=${minute - 5 * HOUR}`);
    expect(hours.completed).to.have.length(6);
    expect(hours.completed.at(-1)).to.equal(1);
  });

  // holds: figures.query
  it('begin with the step that contains the time a client asks for', async () => {
    await attempt(COMPLETED);
    const path = `/queues/${queue}/figures`;
    const query = `from=${minute - 2 * MINUTE + 5}&to=${minute + 7}`;
    const { from, series } = await read<{ from: number; series: FigureSeries }>(`${path}?${query}`);
    expect([from, series.completed.length]).to.deep.equal([minute - 2 * MINUTE, 3]);
    await read(`${path}?from=${minute + 5 - 1500 * MINUTE}&to=${minute + 5}`);
  });

  // holds: figures.query
  it('refuse impossible queries', async () => {
    await add('a');
    for (const [query, problem] of [
      ['step=5', 'step must be 60000 or 3600000'],
      [`from=${minute}&to=${minute - 1}`, 'to must not be before from'],
      [`from=0`, 'from and to must be at most 1500 steps apart'],
      ['from=-1', 'from must be an integer of at least 0'],
    ] as const) {
      const { status, text } = await service.request('GET', `/queues/${queue}/figures?${query}`);
      expect([status, text]).to.deep.equal([400, problem]);
    }
    expect((await service.request('GET', '/queues/none-such/figures')).status).to.equal(404);
  });

  // holds: figures.all
  it('report all queues together', async () => {
    await attempt(COMPLETED);
    queue += '-other';
    await attempt(COMPLETED);
    const { completed } = await seriesOf(`/figures?from=${minute}`);
    expect(completed).to.deep.equal([2]);
  });

  // holds: figures.recent
  it('are part of the list of queues', async () => {
    const endpoint = { url: 'http://localhost:9/', method: 'post' };
    await service.request('POST', '/workers', { body: { queue, endpoint } });
    for (let job = 0; job < 9; job += 1) await attempt(COMPLETED);
    await attempt(FAILED);
    await service.clock.advance(MINUTE);
    await service.figures.flush(queue as never);
    const page = await read<{ at: number; total: number; queues: Row[] }>(
      `/queues?view=figures&name=${queue}`,
    );
    expect(page).to.include({ total: 1, at: minute + MINUTE });
    const [row] = page.queues;
    expect(row).to.deep.include({
      name: queue,
      worker: { url: 'http://localhost:9/', state: 'healthy' },
      blocked: null,
      rates: { added: 10, completed: 9, failed: 1 },
      failureRate: 0.1,
      failing: null,
      attention: null,
    });
    expect(row?.spark).to.have.length(30);
    expect(row?.spark.at(-1)).to.equal(9);
    const bare = await read<{ queues: Row[] }>(`/queues?name=${queue}`);
    expect(bare.queues[0]).to.include({ worker: 'http://localhost:9/' });
  });

  it('say which queues need attention, and how severely', async () => {
    await attempt(FAILED);
    await attempt(FAILED);
    await attempt(FAILED);
    await service.figures.flush(queue as never);
    const attention = async (): Promise<unknown> => {
      await service.clock.advance(MINUTE);
      const { queues } = await read<{ queues: Row[] }>(`/queues?view=figures&name=${queue}`);
      return queues[0]?.attention;
    };
    expect(await attention()).to.deep.equal({ reason: 'failing', severity: 6 });
    await add('a');
    expect(await attention()).to.deep.equal({ reason: 'no-worker', severity: 3 });
  });

  // holds: figures.lists
  it('sort the queues, and filter them by state', async () => {
    const prefix = `sorted-${randomUUID()}`;
    const queues = { busy: ['a', 'b', 'c'], calm: ['a'], done: [] as string[] };
    for (const [name, jobs] of Object.entries(queues)) {
      queue = `${prefix}-${name}`;
      await attempt(COMPLETED);
      await add(...jobs);
      await service.clock.advance(10);
    }
    for (let job = 0; job < 10; job += 1) await attempt(FAILED);
    await service.figures.flush(queue as never);
    await service.request('POST', `/queues/${prefix}-calm/pause`);
    await service.clock.advance(5000);
    const names = async (query: string): Promise<string[]> => {
      const { queues: rows } = await read<{ queues: Row[] }>(
        `/queues?view=figures&name=${prefix}*&${query}`,
      );
      return rows.map(({ name }) => name.slice(prefix.length + 1));
    };
    expect(await names('sort=waiting')).to.deep.equal(['busy', 'calm', 'done']);
    expect(await names('sort=waiting&order=asc')).to.deep.equal(['done', 'calm', 'busy']);
    expect(await names('sort=oldest')).to.deep.equal(['busy', 'calm', 'done']);
    expect(await names('sort=failed&length=1')).to.deep.equal(['done']);
    expect(await names('sort=name&order=desc')).to.deep.equal(['done', 'calm', 'busy']);
    expect(await names('state=paused')).to.deep.equal(['calm']);
    expect(await names('state=idle')).to.deep.equal(['done']);
    expect(await names('state=failing')).to.deep.equal(['done']);
    expect(await names('state=blocked')).to.deep.equal(['busy', 'calm']);
    expect(await names('state=open')).to.deep.equal([]);
    const { status, text } = await service.request('GET', '/queues?sort=waiting');
    expect([status, text]).to.deep.equal([400, 'sort needs view=figures']);
  });

  // holds: figures.failing
  it('tell which queues fail: many jobs of an hour, or all of the few of a day', async () => {
    const prefix = `failing-${randomUUID()}`;
    const failing = async (): Promise<object> => {
      await service.clock.advance(5000);
      const { queues } = await read<{ queues: Row[] }>(
        `/queues?view=figures&name=${prefix}*&state=failing`,
      );
      return Object.fromEntries(
        queues.map(({ name, failing: why }) => [name.slice(prefix.length + 1), why]),
      );
    };
    const attempts = async (name: string, failed: number, completed: number): Promise<void> => {
      queue = `${prefix}-${name}`;
      for (let job = 0; job < failed; job += 1) await attempt(FAILED);
      for (let job = 0; job < completed; job += 1) await attempt(COMPLETED);
      await service.figures.flush(queue as never);
    };
    await attempts('few', 3, 0);
    await attempts('fewer', 2, 0);
    await attempts('recovered', 3, 1);
    await attempts('many', 10, 1);
    const few = { window: 24 * HOUR, ended: 3, failed: 3 };
    expect(await failing()).to.deep.equal({
      few,
      many: { window: HOUR, ended: 11, failed: 10 },
    });
    await service.clock.advance(22 * HOUR);
    expect(await failing()).to.deep.equal({ few });
    await attempts('fewer', 1, 0);
    expect(await failing()).to.deep.equal({ few, fewer: few });
    await attempts('few', 0, 1);
    expect(await failing()).to.deep.equal({ fewer: few });
    await service.clock.advance(2 * HOUR);
    expect(await failing()).to.deep.equal({});
  });

  // holds: failures.all
  it('report why jobs of all queues failed lately', async () => {
    await attempt(FAILED);
    await attempt({ ...FAILED, reason: 'Order 18 is unknown' });
    queue += '-other';
    await attempt(FAILED);
    await service.figures.flush(queue as never);
    await service.figures.flush(queue.slice(0, -6) as never);
    await service.clock.advance(30_000);
    const failures = await read<readonly Record<string, unknown>[]>('/failures?window=1');
    expect(failures).to.deep.equal([
      {
        queue: queue.slice(0, -6),
        cause: 'Order # is unknown',
        reason: 'Order 17 is unknown',
        status: 404,
        count: 2,
        first: minute,
        last: minute,
        samples: ['1', '2'],
      },
      {
        queue,
        cause: 'Order # is unknown',
        reason: 'Order 17 is unknown',
        status: 404,
        count: 1,
        first: minute,
        last: minute,
        samples: ['1'],
      },
    ]);
    await service.clock.advance(MINUTE);
    expect(await read('/failures?window=1')).to.deep.equal([]);
    expect((await service.request('GET', '/failures?window=86400001')).status).to.equal(400);
  });

  // holds: failures.all
  it('report why jobs failed without an attempt: they were cancelled', async () => {
    const path = `/queues/${queue}`;
    const body = Array.from({ length: 3 }, () => ({ name: 'job', data: 1 }));
    await service.request('POST', `${path}/jobs`, { body });
    const reason = { reason: 'Order 17 was returned' };
    await service.request('POST', `${path}/jobs/1/cancel`, { body: reason });
    await service.request('POST', `${path}/cancel`, { body: { all: true } });
    await service.figures.flush(queue as never);
    const failures =
      await read<readonly { cause: string; count: number; samples: unknown }[]>(
        '/failures?window=1',
      );
    expect(failures.map(({ cause, count, samples }) => [cause, count, samples])).to.deep.equal([
      ['Cancelled', 2, ['2', '3']],
      ['Order # was returned', 1, ['1']],
    ]);
  });
});
