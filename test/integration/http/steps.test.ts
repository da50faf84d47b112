import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

describe('Steps of jobs over HTTP', () => {
  let service: HttpService;
  let count = 0;
  let queue: string;

  before(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
  });
  after(() => service.stop());
  beforeEach(() => {
    queue = `steps-${(count += 1)}`;
  });

  interface Held {
    readonly path: string;
    readonly token: string;
    readonly steps?: object;
  }

  const read = async (path: string): Promise<Record<string, unknown>> =>
    JSON.parse((await service.request('GET', path)).text) as Record<string, unknown>;

  const claim = async (): Promise<Held> => {
    const { text } = await service.request('POST', `/queues/${queue}/jobs/claim`, { body: {} });
    const [{ job, token, steps }] = JSON.parse(text) as [
      { job: { id: string }; token: string; steps?: object },
    ];
    return { path: `/queues/${queue}/jobs/${job.id}`, token, ...(steps && { steps }) };
  };

  const begun = async (opts: object = {}): Promise<Held> => {
    const body = [{ name: 'order', data: 1, opts }];
    await service.request('POST', `/queues/${queue}/jobs`, { body });
    return claim();
  };

  const put = ({ path, token }: Held, name: string, body: unknown) =>
    service.request('PUT', `${path}/steps/${name}`, { body: JSON.stringify(body), token });

  const suspend = ({ path, token }: Held, body: unknown) =>
    service.request('POST', `${path}/suspend`, { body, token });

  // holds: steps.put
  it('are saved by the holder of the job, and come with its next claim', async () => {
    const held = await begun();
    expect(held.steps).to.equal(undefined);
    expect(await put(held, 'charge', { id: 'ch_1' })).to.include({ status: 201, text: 'OK' });
    const again = await put(held, 'charge', 'other');
    expect(again).to.include({ status: 200, text: '{"id":"ch_1"}' });
    await service.request('POST', `${held.path}/release`, { body: {}, token: held.token });
    expect((await claim()).steps).to.deep.equal({ charge: { id: 'ch_1' } });
  });

  // holds: steps.put
  it('are as new for clients that ask for JSON', async () => {
    const held = await begun();
    const headers = { accept: 'application/json' };
    const saved = await service.request('PUT', `${held.path}/steps/charge`, {
      body: '1',
      token: held.token,
      headers,
    });
    expect(saved).to.include({ status: 201, text: '"OK"' });
  });

  for (const [name, body, status, text] of [
    ['a b', 1, 400, 'step must be 1 to 100 characters of A-Za-z0-9._:-'],
    ['x', null, 400, 'The request body must be any JSON value but null'],
    ['x', 'x'.repeat(256 * 1024 + 10), 413, 'Step x exceeds 256 kB'],
  ] as const) {
    // holds: steps.bounds
    it(`are refused: ${name} with ${JSON.stringify(body).slice(0, 20)}`, async () => {
      const held = await begun();
      expect(await put(held, encodeURIComponent(name), body)).to.include({ status, text });
    });
  }

  // holds: steps.token
  it('need the token that holds the job, to be saved', async () => {
    const held = await begun();
    expect((await put({ ...held, token: 'other' }, 'charge', 1)).status).to.equal(401);
  });

  // holds: steps.read
  it('are read by the holder of the job, and with the right `read`; values need `data`', async () => {
    const held = await begun();
    await put(held, 'charge', 17);
    const path = `${held.path}/steps`;
    const { steps } = (await read(path)) as { steps: object[] };
    expect(steps).to.have.lengthOf(1);
    expect(steps[0]).to.include({ name: 'charge', kind: 'value', size: 2, value: 17 });
    const byHolder = await service.request('GET', path, { token: held.token });
    expect(JSON.parse(byHolder.text)).to.deep.equal({ steps });
    expect((await service.request('GET', path, { token: 'no-such-token' })).status).to.equal(401);
    const made = await service.request('POST', '/tokens', {
      body: { name: 'reader', rights: ['read'] },
    });
    const { token: reader } = JSON.parse(made.text) as { token: string };
    const shown = await service.request('GET', path, { token: reader });
    const [step] = (JSON.parse(shown.text) as { steps: object[] }).steps;
    expect(step).to.include({ name: 'charge', size: 2 }).and.not.to.have.property('value');
    expect((await service.request('GET', `${held.path}0/steps`)).status).to.equal(404);
  });

  // holds: steps.repair
  it('are removed by operators while no attempt holds the job', async () => {
    const held = await begun();
    await put(held, 'one', 1);
    await put(held, 'two', 2);
    const path = `${held.path}/steps`;
    const refused = await service.request('DELETE', `${path}/one`);
    expect(refused).to.include({ status: 409, text: 'Job is active' });
    await suspend(held, { sleep: { rest: 60_000 } });
    expect(await service.request('DELETE', `${path}/one`)).to.include({ status: 200, text: 'OK' });
    expect((await service.request('DELETE', `${path}/one`)).status).to.equal(404);
    expect(await service.request('DELETE', path)).to.include({ status: 200, text: 'OK' });
    expect(await read(path)).to.deep.equal({ steps: [] });
    expect((await read(held.path))['state']).to.equal('delayed');
  });

  // holds: steps.erase
  it('lose values that an erasure by data finds, as kept signals do; those of erased jobs go', async () => {
    const [held, other] = [await begun(), await begun()];
    await put(held, 'customer', { email: 'ada@example.com' });
    await put(held, 'charge', 17);
    await suspend(held, { sleep: { rest: 60_000 } });
    await put(other, 'customer', { email: 'bob@example.com' });
    await suspend(other, { sleep: { rest: 60_000 } });
    const body = { email: 'ada@example.com' };
    await service.request('POST', `/queues/${queue}/signals/hello?keep=60000`, { body });
    const erase = async (filter: object): Promise<unknown> => {
      const { text } = await service.request('POST', '/erase', { body: { filter } });
      return (JSON.parse(text) as { places: unknown }).places;
    };
    expect(await erase({ data: body })).to.include({ jobs: 0, steps: 1, signals: 1 });
    const { steps } = (await read(`${held.path}/steps`)) as { steps: { value: unknown }[] };
    expect(steps.map(({ value }) => value)).to.deep.equal([null, 17]);
    const id = held.path.split('/').at(-1);
    expect(await erase({ queue, ids: [id] })).to.include({ jobs: 1, steps: 2, signals: 0 });
    const left = (await read(`${other.path}/steps`)) as { steps: object[] };
    expect(left.steps[0]).to.deep.include({ value: { email: 'bob@example.com' } });
  });

  describe('a suspension by report', () => {
    // holds: steps.report, steps.shown
    it('lets the job rest, which shows what it awaits', async () => {
      const held = await begun();
      const body = {
        steps: { charge: 1 },
        waitFor: { paid: { signal: 'paid:17', timeout: 60_000 } },
      };
      expect(await suspend(held, body)).to.include({ status: 200, text: 'OK' });
      expect(await suspend(held, body)).to.include({ status: 200, text: 'OK' });
      const job = await read(held.path);
      expect(job['state']).to.equal('delayed');
      expect(job['suspended']).to.deep.include({
        steps: ['paid'],
        signals: ['paid:17'],
        children: [],
      });
      const { blocked } = (await read(`${held.path}/blocked`)) as { blocked: object };
      expect(blocked).to.include({ reason: 'suspended', detail: 'waits for the signal paid:17' });
      expect((await read(`/queues/${queue}`))['suspended']).to.equal(1);
      const sent = await service.request('POST', `/queues/${queue}/signals/paid:17`);
      expect(sent.text).to.equal('{"woken":1}');
      expect((await claim()).steps).to.deep.equal({ charge: 1, paid: true });
      expect((await read(held.path))['suspended']).to.equal(null);
    });

    for (const [body, text] of [
      [{ steps: { 'a b': 1 } }, 'steps.a b must be 1 to 100 characters of A-Za-z0-9._:-'],
      [{ steps: { a: null } }, 'steps.a must be any JSON value but null'],
      [{ sleep: { a: 0 } }, 'sleep.a must be an integer from 1 to 31536000000'],
      [{ sleep: { a: 1 }, waitFor: {} }, 'waitFor must not be given with sleep'],
      [
        { waitFor: { a: { signal: '' } } },
        'waitFor.a.signal must be 1 to 200 characters from ! to ~',
      ],
      [{ rest: 1 }, 'rest is unknown'],
      [{}, '206 names no new step'],
      [[], '206 needs a JSON object of steps to save or to await'],
      [
        { add: { ship: [{ queue: 'ship', name: 'a', data: 1 }] } },
        'add.ship[0].queue ship is not allowed by the policy of <queue>',
      ],
      [
        { add: { ship: [{ queue: 'ship', name: 'a', data: 1, opts: { jobId: 'a' } }] } },
        'add.ship[0].opts.jobId is unknown',
      ],
      [
        { add: { ship: [{ queue: 'ship', name: 'a', data: 1, opts: { deduplication: {} } }] } },
        'add.ship[0].opts.deduplication is unknown',
      ],
    ] as const) {
      // holds: steps.sentences
      it(`is refused, and the job stays held: ${JSON.stringify(body)}`, async () => {
        const held = await begun();
        const expected = { status: 400, text: text.replace('<queue>', queue) };
        expect(await suspend(held, body)).to.include(expected);
        expect((await put(held, 'still', 1)).status).to.equal(201);
      });
    }

    // holds: steps.times
    it('is over for `ttl`, and for `retryFor` no attempt', async () => {
      const { path, token } = await begun({ attempts: 2, ttl: 1000, retryFor: 1000 });
      await service.request('POST', `${path}/fail`, { body: { reason: 'down' }, token });
      expect((await suspend(await claim(), { sleep: { rest: 5000 } })).status).to.equal(200);
      await service.clock.advance(6000);
      const { steps } = await claim();
      expect(steps).to.have.all.keys('rest');
    });

    // holds: steps.deduplication
    it('leaves the deduplication id with the job', async () => {
      const deduplication = { id: 'customer-17' };
      const held = await begun({ deduplication });
      await suspend(held, { sleep: { rest: 5000 } });
      const body = [{ name: 'order', data: 2, opts: { deduplication } }];
      const { text } = await service.request('POST', `/queues/${queue}/jobs`, { body });
      const [{ id }] = JSON.parse(text) as [{ id: string }];
      expect(held.path).to.equal(`/queues/${queue}/jobs/${id}`);
    });

    // holds: steps.max-calls
    it('beyond `maxCalls` is 413, and leaves the job held', async () => {
      const held = await begun({ maxCalls: 1 });
      await suspend(held, { steps: { one: 1 } });
      const again = await claim();
      const refused = await suspend(again, { steps: { two: 2 } });
      expect(refused).to.include({ status: 413, text: 'Suspended 1 times' });
      expect((await put(again, 'still', 1)).status).to.equal(201);
      for (const maxCalls of [0, 10_001]) {
        const body = [{ name: 'order', data: 1, opts: { maxCalls } }];
        const { status, text } = await service.request('POST', `/queues/${queue}/jobs`, { body });
        expect(status).to.equal(400);
        expect(text).to.include('[0].opts.maxCalls');
      }
    });

    for (const [title, job, text] of [
      [
        'a callback to an origin that no policy allows',
        { data: 1, opts: { callback: { url: 'http://a.example/' } } },
        'opts.callback.url is not allowed by the policy of ship-<queue>',
      ],
      [
        'a callback to a queue that the policy does not allow',
        { data: 1, opts: { callback: { queue: 'elsewhere' } } },
        'opts.callback.queue elsewhere is not allowed by the policy of <queue>',
      ],
      [
        'a priority for an ordered group',
        { data: 1, opts: { group: { id: 'a' }, priority: 1 } },
        'opts.priority must not be given for a job of an ordered group',
      ],
      [
        'data that is too large for its queue',
        { data: 'x'.repeat(100) },
        'data must be of at most 100 bytes (maxJobSize of the policy)',
      ],
    ] as const) {
      // holds: steps.add-policy
      it(`adds no job with ${title}`, async () => {
        const held = await begun();
        const to = `ship-${queue}`;
        const policies = {
          [queue]: { steps: { queues: ['ship-*'] } },
          [to]: { maxJobSize: 100, groups: { ordered: 'skip' } },
        };
        for (const [of, body] of Object.entries(policies)) {
          await service.request('PUT', `/queues/${of}/policy`, { body });
        }
        const refused = await suspend(held, { add: { ship: [{ queue: to, name: 'a', ...job }] } });
        const expected = `add.ship[0].${text.replace('<queue>', queue)}`;
        expect(refused).to.include({ status: 400, text: expected });
      });
    }

    // holds: steps.add-policy
    it('adds jobs to the queues that the policy allows', async () => {
      const held = await begun();
      await service.request('PUT', `/queues/${queue}/policy`, {
        body: { steps: { queues: ['ship-*'] } },
      });
      const jobs = [{ queue: `ship-${queue}`, name: 'label', data: 1 }];
      expect((await suspend(held, { add: { ship: jobs } })).status).to.equal(200);
      const { state, suspended } = (await read(held.path)) as {
        state: string;
        suspended: { children: object[] };
      };
      expect(state).to.equal('waiting-children');
      expect(suspended.children).to.have.lengthOf(1);
    });
  });

  describe('signals', () => {
    // holds: steps.signal-kept, steps.signal-list
    it('are kept, listed and forgotten', async () => {
      const path = `/queues/${queue}/signals`;
      const kept = await service.request('POST', `${path}/go?keep=60000`, { body: { by: 'me' } });
      expect(kept.text).to.equal('{"woken":0}');
      const { total, signals } = (await read(path)) as { total: number; signals: object[] };
      expect([total, signals.length]).to.deep.equal([1, 1]);
      expect(signals[0]).to.include({ key: 'go', waiting: 0 });
      expect(await service.request('DELETE', `${path}/go`)).to.include({ status: 200, text: 'OK' });
      expect((await service.request('DELETE', `${path}/go`)).status).to.equal(404);
    });

    // holds: steps.signal-repeated
    it('are sent once for an Idempotency-Key, and are in no audit', async () => {
      const send = (body: unknown) =>
        service.request('POST', `/queues/${queue}/signals/go`, {
          body,
          headers: { 'Idempotency-Key': 'once' },
        });
      await suspend(await begun(), { waitFor: { go: { signal: 'go' } } });
      expect((await send(1)).text).to.equal('{"woken":1}');
      await suspend(await begun(), { waitFor: { go: { signal: 'go' } } });
      const repeated = await send(1);
      expect(repeated.text).to.equal('{"woken":1}');
      expect(repeated.headers.get('idempotent-replayed')).to.equal('true');
      expect((await send(2)).status).to.equal(422);
      const { text } = await service.request('GET', '/audit');
      expect(text).not.to.include('signal.send');
    });

    for (const [path, body, status] of [
      ['a%20b', 1, 400],
      ['go', null, 400],
      ['go?keep=604800001', 1, 400],
      ['go', 'x'.repeat(65_536), 413],
    ] as const) {
      // holds: steps.signal-bounds
      it(`are refused: ${path} with ${JSON.stringify(body).slice(0, 10)}`, async () => {
        const sent = await service.request('POST', `/queues/${queue}/signals/${path}`, {
          body: JSON.stringify(body),
        });
        expect(sent.status, sent.text).to.equal(status);
      });
    }
  });
});
