import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import {
  createWorker,
  Jobgate,
  ok,
  type Context,
  type Handler,
} from '../../clients/typescript/src/index.ts';
import {
  fakeService,
  signedRequest,
  type FakeService,
} from '../../clients/typescript/src/testing.ts';

const OUTCOMES = ['complete', 'fail', 'suspend'];
const SECRET = `whsec_${Buffer.from('a'.repeat(32)).toString('base64')}`;

describe('The steps of the TypeScript client', () => {
  let service: FakeService;

  beforeEach(async () => {
    service = await fakeService();
  });
  afterEach(() => service.close());

  /** The answer to one call. @param steps those of earlier calls. */
  async function called(handler: Handler, steps?: Readonly<Record<string, unknown>>) {
    const worker = createWorker({ otherwise: handler, secret: SECRET, url: service.url });
    const answer = await worker.fetch(await signedRequest({}, SECRET, steps && { steps }));
    const text = await answer.text();
    return { status: answer.status, body: JSON.parse(text || '{}') as Record<string, unknown> };
  }

  const reports = () => service.reports.map(({ verb, body }) => [verb, body]);

  // holds: steps.clients
  it('are saved as their work returns, and are not run again', async () => {
    let charged = 0;
    const handler: Handler = async (_, { steps }) => {
      const charge = await steps.run('charge', () => {
        charged += 1;
        return { id: 'ch_1', at: new Date(0) };
      });
      const again = await steps.run('charge', () => 'again');
      await steps.run('mail', () => undefined);
      return [charge, again];
    };
    const saved = { id: 'ch_1', at: '1970-01-01T00:00:00.000Z' };
    expect(await called(handler)).to.deep.equal({ status: 200, body: [saved, saved] });
    expect(reports()).to.deep.equal([
      ['steps/charge', saved],
      ['steps/mail', true],
    ]);
    const answer = await called(handler, { charge: 1, mail: true });
    expect(answer).to.deep.equal({ status: 200, body: [1, 1] });
    expect([charged, service.reports.length]).to.deep.equal([1, 2]);
  });

  it('run once when two of a name are started together', async () => {
    let runs = 0;
    const work = async (): Promise<number> => {
      await sleep(10);
      return (runs += 1);
    };
    const { body } = await called((_, { steps }) =>
      Promise.all([steps.run('one', work), steps.run('one', work)]),
    );
    expect([body, reports()]).to.deep.equal([[1, 1], [['steps/one', 1]]]);
  });

  it('run again after an error, which fails the attempt', async () => {
    const { status, body } = await called(async (_, { steps }) => {
      await steps.run('charge', () => Promise.reject(new Error('No money'))).catch(() => undefined);
      return steps.run('charge', () => {
        throw new Error('Still none');
      });
    });
    expect([status, body['detail'], service.reports]).to.deep.equal([500, 'Still none', []]);
  });

  for (const name of ['', 'a b', '..', 'a/b', 'x'.repeat(101)]) {
    it(`does no work for a name that no step may have: ${name.slice(0, 9)}`, async () => {
      let runs = 0;
      const { status } = await called((_, { steps }) => steps.run(name, () => (runs += 1)));
      expect([status, runs, service.reports.length]).to.deep.equal([500, 0, 0]);
    });
  }

  // holds: steps.clients
  it('end the call by a wait that no try of the handler sees', async () => {
    const seen: unknown[] = [];
    const answer = await called(async (_, { steps }) => {
      try {
        seen.push(await steps.sleep('rest', '1h30m'));
      } catch (error) {
        seen.push(error);
      } finally {
        seen.push('finally');
      }
    });
    expect(answer).to.deep.equal({ status: 206, body: { sleep: { rest: 5_400_000 } } });
    await sleep(10);
    expect(seen).to.deep.equal([]);
  });

  it('go into one answer when they are started together', async () => {
    const { body } = await called(
      (_, { steps }) =>
        Promise.all([steps.sleep('one', 1000), steps.sleep('two', '2s'), steps.sleep('done', 1)]),
      { done: 17 },
    );
    expect(body).to.deep.equal({ sleep: { one: 1000, two: 2000 } });
  });

  it('of several kinds wait one after the other', async () => {
    const handler: Handler = (_, { steps }) =>
      Promise.all([steps.waitFor('paid', { signal: 'paid:17' }), steps.sleep('rest', 1000)]);
    const first = await called(handler);
    expect(first.body).to.deep.equal({ waitFor: { paid: { signal: 'paid:17' } } });
    const second = await called(handler, { paid: null });
    expect(second.body).to.deep.equal({ sleep: { rest: 1000 } });
    expect((await called(handler, { paid: null, rest: 5 })).body).to.deep.equal([null, 5]);
  });

  it('that run are saved before the call ends, and none begins after that', async () => {
    const begun: string[] = [];
    let goOn = (): void => undefined;
    const later = new Promise<void>((resolve) => (goOn = resolve));
    const { status } = await called((_, { steps }) =>
      Promise.all([
        steps.sleep('rest', 1000),
        steps.run('slow', async () => {
          await sleep(30);
          return 'saved';
        }),
        later.then(() => steps.run('late', () => begun.push('late'))),
      ]),
    );
    expect([status, reports()]).to.deep.equal([206, [['steps/slow', 'saved']]]);
    goOn();
    await sleep(10);
    expect([begun, service.reports.length]).to.deep.equal([[], 1]);
  });

  it('that nobody awaits do not keep the handler from its outcome', async () => {
    const answer = await called((_, { steps }) => {
      void steps.sleep('rest', 1000);
      return 'done';
    });
    expect(answer).to.deep.equal({ status: 200, body: 'done' });
  });

  it('fail the attempt by a wait that is wrong', async () => {
    const { status, body } = await called((_, { steps }) => steps.sleep('rest', '1 fortnight'));
    expect([status, body['detail']]).to.deep.equal([
      500,
      '1 fortnight is not a duration such as 30s, 5m, 1h30m or 7d',
    ]);
  });

  it('are reported after a deferral, whose answer was given before', async () => {
    const { status } = await called(async (_, context) => {
      context.defer();
      await sleep(5);
      return context.steps.sleep('rest', 1000);
    });
    expect(status).to.equal(202);
    while (service.reports.length === 0) await sleep(5);
    expect(reports()).to.deep.equal([['suspend', { sleep: { rest: 1000 } }]]);
  });

  it('are saved by jobs of a batch, each its own', async () => {
    const worker = createWorker({
      secret: SECRET,
      url: service.url,
      batch: (jobs) =>
        Promise.all(
          jobs.map(async ({ job, steps }) => ok(await steps.run('save', () => job.data))),
        ),
    });
    const job = (id: string) => ({ id, name: 'row', data: id, attemptsMade: 0 });
    const jobs = [
      { job: job('1'), token: 'one', steps: { save: 'saved' } },
      { job: job('2'), token: 'two' },
    ];
    const body = JSON.stringify({ jobs });
    const answer = await worker.fetch(await signedRequest({}, SECRET, { body }));
    expect(await answer.json()).to.deep.equal({
      results: [
        { id: '1', status: 'completed', value: 'saved' },
        { id: '2', status: 'completed', value: '2' },
      ],
    });
    expect(reports()).to.deep.equal([['steps/save', '2']]);
    expect(service.reports[0]).to.include({ id: '2', token: 'two' });
  });

  describe('of a pull worker', () => {
    /** Has a job pulled until its outcome is reported. */
    async function pulled(
      handler: (context: Context) => unknown,
      steps?: Readonly<Record<string, unknown>>,
    ): Promise<void> {
      const jobgate = new Jobgate({ url: service.url, token: 'api-token' });
      service.add('orders', {}, [], steps);
      const worker = jobgate.pull('orders', (_, context) => handler(context), { wait: 100 });
      const isOver = (): boolean => service.reports.some(({ verb }) => OUTCOMES.includes(verb));
      while (!isOver()) await sleep(5);
      await worker.close();
    }

    it('end its hold by a report', async () => {
      await pulled(
        async (context) => {
          await context.log('Charging');
          await context.steps.run('charge', () => 1);
          await context.steps.add('ship', [{ queue: 'ship', name: 'label', data: 1 }]);
        },
        { charge: 1 },
      );
      expect(reports()).to.deep.equal([
        ['logs', 'Charging'],
        ['suspend', { add: { ship: [{ queue: 'ship', name: 'label', data: 1 }] } }],
      ]);
    });

    it('are reported after a deferral', async () => {
      await pulled((context) => {
        context.defer();
        return context.steps.sleep('rest', 1000);
      });
      const [extend, suspend] = service.reports;
      expect([extend?.verb, suspend?.verb]).to.deep.equal(['extend', 'suspend']);
    });
  });
});
