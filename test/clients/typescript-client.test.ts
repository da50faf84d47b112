import { once } from 'node:events';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect } from 'chai';
import { stub } from 'sinon';
import {
  createWorker,
  Deferred,
  Fail,
  Jobgate,
  JobgateError,
  NotNow,
  type Context,
  type Handler,
  type Job,
  type WorkerOptions,
} from '../../clients/typescript/src/index.ts';
import { fakeService, signedRequest } from '../../clients/typescript/src/testing.ts';
import { eventually } from '../support/eventually.ts';
import { ServiceProcess } from '../support/service-process.ts';

/** How soon (ms) the signal of a cancelled job ends (the contract of the clients). */
const SIGNAL_ENDS_WITHIN = 1000;

describe('The TypeScript client with the built service', () => {
  let service: ServiceProcess;
  let jobgate: Jobgate;
  const endings: (() => unknown)[] = [];

  before(async () => {
    service = await ServiceProcess.start({ STORE: 'memory' });
    jobgate = new Jobgate({ url: service.url, token: ServiceProcess.token });
  });

  afterEach(async () => {
    for (const end of endings.splice(0)) await end();
  });

  after(() => service.kill());

  /** Starts a worker that verifies its calls, and registers it. */
  async function callable(
    queue: string,
    options: Pick<WorkerOptions, 'handlers' | 'otherwise'>,
    opts?: object,
    endpoint?: object,
  ) {
    let worker = createWorker({ ...options, secret: false, url: service.url });
    const server = createServer((request, response) => {
      worker.node(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    endings.push(() => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as { readonly port: number };
    const { secret } = await jobgate.workers.register({
      queue,
      endpoint: { url: `http://127.0.0.1:${port}/`, method: 'post', signing: true, ...endpoint },
      ...(opts && { opts }),
    });
    worker = createWorker({ ...options, secret, url: service.url });
  }

  it('adds a job, a signed call does it with progress and logs, and its result comes', async () => {
    await callable('called', {
      handlers: {
        add: async (job, context) => {
          for (let step = 1; step <= 10; step += 1) void context.progress(step);
          await context.log('first');
          void context.log('second');
          return (job.data as number[]).reduce((sum, one) => sum + one);
        },
      },
    });
    const queue = jobgate.queue('called');
    const added = queue.add('add', [1, 2, 3]);
    expect(await added.result({ timeout: 10_000 })).to.deep.equal({
      state: 'completed',
      returnvalue: 6,
    });
    const { id } = await added;
    expect(await queue.job(id).get()).to.include({ progress: 10, state: 'completed' });
    expect((await queue.job(id).logs()).logs).to.deep.equal(['first', 'second']);
  });

  it('says how to get a secret when it registers a worker that keeps its own', async () => {
    const worker = {
      queue: 'registered',
      endpoint: { url: 'http://127.0.0.1:9/', method: 'post', signing: true },
    } as const;
    expect((await jobgate.workers.register(worker)).secret).to.match(/^whsec_/);
    expect(await jobgate.workers.register(worker)).to.deep.equal({
      note: 'The worker keeps its secret; rotateSecret(queue) returns a new one',
    });
    const unsigned = {
      queue: 'unsigned',
      endpoint: { url: worker.endpoint.url, method: 'post' },
    } as const;
    expect(await jobgate.workers.register(unsigned)).to.deep.equal({});
  });

  it('changes a worker, whose headers stay, and returns a secret once', async () => {
    const url = 'http://127.0.0.1:9/';
    const headers = { 'X-Key': 'a' };
    await jobgate.workers.register({
      queue: 'changed',
      endpoint: { url, method: 'post', headers },
      opts: { concurrency: 2, breaker: { failures: 5 } },
    });
    const change = { endpoint: { signing: true }, opts: { concurrency: 10, breaker: null } };
    const { secret, ...worker } = await jobgate.workers.change('changed', change);
    expect(secret).to.match(/^whsec_/);
    expect(worker).to.deep.equal({
      queue: 'changed',
      endpoint: { url, method: 'post', headers: { 'X-Key': '[redacted]' }, signing: true },
      opts: { concurrency: 10 },
    });
    expect(await jobgate.workers.change('changed', change)).not.to.have.property('secret');
  });

  it('tests a worker that reports, though the token of a test is good for nothing', async () => {
    await callable('tested', {
      handlers: {
        send: async (job, context) => {
          await context.progress(50);
          await context.log('Sending');
          return context.signal.aborted ? 'lost' : job.data;
        },
      },
    });
    const report = await jobgate.workers.test('tested', { name: 'send', data: 'sent' });
    expect(report).to.deep.include({ outcome: 'completed', status: 200, response: '"sent"' });
  });

  // holds: stops.clients
  it('keeps the groups of a queue', async () => {
    const { groups } = jobgate.queue('grouped');
    await jobgate.queue('grouped').add('work', 1, { group: { id: 'acme' } });
    expect(await groups.put('acme', { weight: 3 })).to.deep.include({ settings: { weight: 3 } });
    await groups.pause('acme', { reason: 'Unpaid' });
    const paused = await groups.get('acme');
    expect(paused).to.include({ waiting: 1, paused: true });
    expect(paused.pause?.reason).to.equal('Unpaid');
    await groups.resume('acme');
    expect((await groups.hold('acme', 60_000, { reason: 'Busy' })).until).to.be.above(Date.now());
    expect((await groups.get('acme')).hold?.reason).to.equal('Busy');
    await groups.endHold('acme');
    await groups.remove('acme');
    const { total, groups: listed } = await groups.list({ id: 'ac*' });
    expect([total, listed[0]?.id, listed[0]?.settings]).to.deep.equal([1, 'acme', null]);
  });

  it('names the address and the cause when there is no answer', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { readonly port: number };
    server.close();
    await once(server, 'close');
    const away = new Jobgate({ url: `http://127.0.0.1:${port}`, token: 'secret', tries: 1 });
    const error: unknown = await away
      .queue('mail')
      .get()
      .catch((error: unknown) => error);
    expect(error)
      .to.be.instanceOf(JobgateError)
      .and.to.include({
        status: 0,
        message: `No answer to GET http://127.0.0.1:${port}/queues/mail: connect ECONNREFUSED 127.0.0.1:${port}`,
      });
  });

  it('fails for good, and puts off', async () => {
    let isFirst = true;
    await callable('thrown', {
      handlers: {
        fail: () => {
          throw new Fail('never');
        },
        wait: () => {
          if (!isFirst) return 'now';
          isFirst = false;
          throw new NotNow({ after: 0, hold: 'job' });
        },
      },
    });
    const queue = jobgate.queue('thrown');
    const failing = queue.add('fail', null, { attempts: 5 });
    expect(await failing.result()).to.deep.include({ state: 'failed', failedReason: 'never' });
    expect((await queue.job((await failing).id).attempts()).count).to.equal(1);
    expect(await queue.add('wait', null).result()).to.include({ returnvalue: 'now' });
  });

  it('leaves a job to another process, which completes it by a text', async () => {
    let carried: (text: string) => void = () => undefined;
    const text = new Promise<string>((resolve) => (carried = resolve));
    const otherwise = (_job: Job, context: Context) => carried(JSON.stringify(context.defer()));
    await callable('deferred', { otherwise }, undefined, { accepted: 'defer' });
    const added = jobgate.queue('deferred').add('later', null);
    await Deferred.from(await text).complete({ done: true });
    expect(await added.result()).to.deep.include({ returnvalue: { done: true } });
  });

  it('ends the signal of a job that is cancelled, and of one at its deadline', async () => {
    const ended: string[] = [];
    let started: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (started = resolve));
    const otherwise = async (job: Job, { signal }: Context): Promise<void> => {
      started();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      ended.push(job.name);
    };
    await callable('ending', { otherwise });
    const queue = jobgate.queue('ending');
    const { id } = await queue.add('cancelled', null);
    await running;
    await queue.job(id).cancel({ reason: 'Not today' });
    const cancelledAt = performance.now();
    await eventually('the signal ends', () => Promise.resolve(ended.includes('cancelled')));
    expect(performance.now() - cancelledAt).to.be.below(SIGNAL_ENDS_WITHIN);
    expect(await queue.result(id)).to.include({ failedReason: 'Not today' });
    await queue.add('late', null, { timeout: 300 }).result();
    await eventually('the deadline ends it', () => Promise.resolve(ended.includes('late')));
  });

  it('cancels a job with those that it waits for, on request', async () => {
    const [queue, name] = ['family', 'label'];
    const children = [{ queue, name, data: 1, opts: { delay: 60_000 } }];
    const { id, children: added } = await jobgate.flow({ queue, name, data: 0, children });
    const family = jobgate.queue(queue);
    await family.job(id).cancel({ reason: 'Not today', children: true });
    const failed = await family.job(added[0]!.id).get();
    expect(failed).to.include({ state: 'failed', failedReason: 'Not today' });
  });

  it('brings letters of a dead letter queue back', async () => {
    const [mail, dead] = [jobgate.queue('failing-mail'), jobgate.queue('dead-mail')];
    const callback = { queue: dead.name, as: 'job' } as const;
    const { id } = await mail.add('lost', null, { attempts: 2, callback });
    await mail.job(id).cancel();
    const {
      jobs: [letter],
    } = await dead.jobs();
    expect(letter?.origin).to.include({ queue: mail.name, id, state: 'failed' });
    expect(letter?.originOpts).to.include({ attempts: 2 });
    const answer = await dead.redrive({ all: true, rate: { max: 100, duration: 1000 } });
    expect(answer).to.deep.equal({ matched: 1, done: 1, remaining: 0 });
    expect(await mail.get()).to.have.nested.property('counts.waiting', 1);
  });

  it('reads the children of a job in calls and in pulls', async () => {
    const read = async (_job: Job, context: Context) =>
      (await context.children()).map(({ queue, name, returnvalue }) => [queue, name, returnvalue]);
    await callable('parents', { otherwise: read });
    const pulled = jobgate.pull('pulled-parents', read, { signals: false });
    await callable('children', { otherwise: ({ data }) => data });
    endings.push(() => pulled.close());
    for (const queue of ['parents', 'pulled-parents']) {
      const children = [1, 2].map((data) => ({ queue: 'children', name: 'child', data }));
      const tree = await jobgate.flow({ queue, name: 'parent', data: null, children });
      const { returnvalue } = await jobgate.queue(queue).result(tree['id']);
      expect(returnvalue).to.have.deep.members(
        children.map(({ data }) => ['children', 'child', data]),
      );
    }
    const { returnvalue } = await jobgate.queue('parents').add('childless', null).result();
    expect(returnvalue).to.deep.equal([]);
  });

  it('keeps a deferred job beyond its handler, whatever its lock', async () => {
    let carried: (deferred: Deferred) => void = () => undefined;
    const deferred = new Promise<Deferred>((resolve) => (carried = resolve));
    const worker = jobgate.pull(
      'kept',
      async (_job, context) => {
        carried(context.defer());
        // Longer than the lock.
        await new Promise((resolve) => setTimeout(resolve, 1500));
      },
      { lock: 1000, signals: false },
    );
    endings.push(() => worker.close());
    const added = jobgate.queue('kept').add('later', null);
    const held = await deferred;
    await worker.close();
    await new Promise((resolve) => setTimeout(resolve, 1200));
    await held.complete('done');
    expect(await added.result()).to.include({ returnvalue: 'done' });
  });

  it('pulls jobs, several at a time, and gives back what is left when it closes', async () => {
    const queue = jobgate.queue('pulled');
    const jobs = await queue.addAll([1, 2, 3, 4].map((data) => ({ name: 'double', data })));
    const worker = jobgate.pull('pulled', ({ data }) => (data as number) * 2, {
      concurrency: 2,
      signals: false,
    });
    for (const job of jobs) {
      expect((await job.result()).returnvalue).to.equal((job.data as number) * 2);
    }
    expect(JSON.stringify(jobs[0])).not.to.include('result"');
    await worker.close();

    const { id } = await queue.add('stuck', null);
    let started: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (started = resolve));
    const stuck = jobgate.pull(
      'pulled',
      (_job, { signal }) => {
        started();
        return new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
      { signals: false },
    );
    await running;
    await stuck.close({ timeout: 0 });
    expect(await queue.job(id).get()).to.include({ state: 'waiting', attemptsMade: 0 });
  });

  /** Charges, rests, waits for a payment and ships. */
  const order: Handler = async ({ data }, { steps }) => {
    const charge = await steps.run('charge', () => ({ id: 'ch_1' }));
    const rested = await steps.sleep('rest', '0.1s');
    const paid = await steps.waitFor('paid', { signal: 'paid:17', timeout: '1m' });
    const labels = [1, 2].map((label) => ({ queue: String(data), name: 'label', data: label }));
    const shipped = await steps.add('ship', labels);
    return [charge, rested > 0, paid, shipped.map(({ returnvalue }) => returnvalue)];
  };

  for (const kind of ['envelope', 'data', 'pull'] as const) {
    it(`goes on where a job was: ${kind}`, async () => {
      const queue = jobgate.queue(`steps-${kind}`);
      const handlers = { order, label: ({ data }: Job) => data };
      if (kind === 'pull') {
        const worker = jobgate.pull(queue.name, { handlers });
        endings.push(() => worker.close());
      } else await callable(queue.name, { handlers }, {}, { steps: true, body: kind });
      const job = await queue.add('order', queue.name);
      await eventually('a wait for the signal', async () => {
        const { signals } = await queue.signals();
        return signals.some(({ waiting }) => waiting > 0);
      });
      expect(await queue.signal('paid:17', { by: 'card' })).to.deep.equal({ woken: 1 });
      const returnvalue = [{ id: 'ch_1' }, true, { by: 'card' }, [1, 2]];
      const result = await job.result({ timeout: 10_000 });
      expect(result).to.deep.equal({ state: 'completed', returnvalue });
      const handle = queue.job(job.id);
      const names = (await handle.steps()).steps.map(({ name }) => name);
      expect(names).to.deep.equal(['charge', 'rest', 'paid', 'ship']);
      await handle.removeStep('rest');
      expect((await handle.steps()).steps).to.have.lengthOf(3);
      await handle.removeSteps();
      expect((await handle.steps()).steps).to.deep.equal([]);
    });
  }

  it('keeps a signal for waits that begin later, and forgets it', async () => {
    const queue = jobgate.queue('signals');
    expect(await queue.signal('go', undefined, { keep: '1h' })).to.deep.equal({ woken: 0 });
    const { total, signals } = await queue.signals({ length: 1 });
    expect([total, signals[0]?.key]).to.deep.equal([1, 'go']);
    await queue.forgetSignal('go');
    expect((await queue.signals()).total).to.equal(0);
  });

  it('tests a worker whose handler saves steps, which saves none', async () => {
    await callable('steps-tested', { handlers: { order } }, {}, { steps: true });
    const { response } = await jobgate.workers.test('steps-tested', { name: 'order' });
    expect(response).to.equal('{"sleep":{"rest":100}}');
  });

  it('searches over pages, repairs, and follows events', async () => {
    const queue = jobgate.queue('repaired');
    const ending = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const { event } of queue.events({ events: ['added'], signal: ending.signal })) {
        if (seen.push(event) === 3) break;
      }
    })();
    endings.push(() => {
      ending.abort();
    });
    await queue.pause();
    const jobs = await queue.addAll(
      [1, 2, 3].map((data) => ({ name: 'send', data, opts: { delay: 1e6 } })),
    );
    await eventually('the stream is open', async () => {
      await queue.add('send', null, { delay: 1e6 });
      return seen.length > 0;
    });
    await eventually('events come', () => Promise.resolve(seen.length > 0));
    const found: string[] = [];
    for await (const { id } of queue.search({ name: 'send', length: 2 })) found.push(id);
    expect(found).to.include.members(jobs.map(({ id }) => id));
    const ids = jobs.map(({ id }) => id);
    expect(await queue.promote({ filter: { ids } })).to.deep.include({ matched: 3, done: 3 });
    ending.abort();
    await following;
    expect(await queue.remove()).to.have.property('removed');
  });

  it('names the field of a mistake, and the time that was up', async () => {
    const queue = jobgate.queue('mistaken');
    const mistake = await queue
      .add('send', null, { priority: -1 })
      .catch((error: unknown) => error);
    expect(mistake).to.be.instanceOf(JobgateError);
    const must = 'must be an integer from 0 to 2097152';
    expect(mistake).to.include({
      ...{ status: 400, field: 'opts.priority', message: `opts.priority ${must}` },
    });
    const two = await queue
      .add('send', null, { priority: -1, delay: -1 })
      .catch((error: unknown) => error);
    const fields = (two as JobgateError).message.split('\n').map((line) => line.split(' ')[0]);
    expect(fields).to.have.members(['opts.priority', 'opts.delay']);
    const job = { name: 'send', data: null, opts: { priority: -1 } };
    const ofAll = await queue.addAll([job]).catch((error: unknown) => error);
    expect(ofAll).to.include({ field: '[0].opts.priority', message: `[0].opts.priority ${must}` });
    const late = await queue
      .add('send', null)
      .result({ timeout: 20 })
      .catch((error: unknown) => error);
    expect(late).to.include({ status: 202 });
  });

  // holds: topics.clients
  it('publishes messages to topics, and changes their subscriptions', async () => {
    const topic = jobgate.topic('orders');
    await topic.subscribe('billing', { queue: 'billing', filter: { name: ['paid'] } });
    await topic.subscribe('audit', { queue: 'audit' });
    const dry = await topic.publish('paid', { n: 1 }, undefined, { dryRun: true });
    expect(dry.matched).to.deep.equal({ audit: { queue: 'audit' }, billing: { queue: 'billing' } });
    const { matched } = await topic.publish('paid', { n: 1 }, { attempts: 3 });
    const id = matched['billing']?.id ?? '';
    expect((await jobgate.queue('billing').job(id).get()).data).to.deep.equal({ n: 1 });
    const [first, second] = await topic.publishAll([
      { name: 'paid', data: 1 },
      { name: 'refunded', data: 2 },
    ]);
    expect(Object.keys(first?.matched ?? {})).to.have.length(2);
    expect(Object.keys(second?.matched ?? {})).to.deep.equal(['audit']);
    expect((await topic.get()).subscriptions.map((each) => each.id)).to.deep.equal([
      'audit',
      'billing',
    ]);
    await topic.unsubscribe('audit');
    expect((await jobgate.topics()).topics).to.deep.equal([{ topic: 'orders', subscriptions: 1 }]);
    await topic.remove();
    expect((await jobgate.topics()).total).to.equal(0);
  });
});

describe('The TypeScript client alone', () => {
  it('repeats an add with the same key, and no other POST', async () => {
    const keys: (string | null)[] = [];
    const jobgate = new Jobgate({
      url: 'http://jobgate.test',
      token: 'secret',
      fetch: (_input, init) => {
        keys.push(new Headers(init?.headers).get('idempotency-key'));
        return Promise.resolve(
          keys.length < 3
            ? new Response('Busy', { status: 503, headers: { 'retry-after': '0' } })
            : Response.json([{ id: '1', name: 'send', data: null }]),
        );
      },
    });
    expect((await jobgate.queue('mail').add('send', null)).id).to.equal('1');
    expect(keys).to.have.length(3);
    expect(new Set(keys).size).to.equal(1);
    keys.length = 0;
    await jobgate.flow({ queue: 'mail', name: 'send', data: null });
    expect(keys).to.have.length(3);
    expect(new Set(keys).size).to.equal(1);
    expect(keys[0]).to.be.a('string');
    keys.length = 0;
    const error = await jobgate
      .queue('mail')
      .pause()
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ status: 503, message: 'Busy' });
    expect(keys).to.deep.equal([null]);
  });

  it('ends the signal of a job whose lock is lost, and reports no outcome of it', async () => {
    const fake = await fakeService();
    fake.add('mail', { id: '7' });
    fake.answerReports(401);
    const worker = new Jobgate({ url: fake.url, token: 'secret' }).pull(
      'mail',
      async (_job, context) => {
        await context.progress(1).catch(() => undefined);
        expect(context.signal.aborted).to.equal(true);
      },
      { signals: false },
    );
    await eventually('it reports', () => Promise.resolve(fake.reports.length > 0));
    await worker.close();
    await fake.close();
    expect(fake.reports.map(({ verb }) => verb)).to.deep.equal(['progress']);
  });

  it('refuses a name that would select another path, before any request', () => {
    const { url, token } = { url: 'http://127.0.0.1:1', token: 'secret' };
    const jobgate = new Jobgate({ url, token });
    for (const name of ['', '.', '..']) {
      const refused = `${name} is not a name`;
      expect(() => jobgate.queue(name)).to.throw(refused);
      expect(() => jobgate.queue('mail').job(name)).to.throw(refused);
      expect(() => jobgate.queue('mail').schedulers.pause(name)).to.throw(refused);
    }
  });

  it('takes a redirection as an error, and lists in queries with commas', async () => {
    const urls: string[] = [];
    const jobgate = new Jobgate({
      url: 'http://jobgate.test/base/',
      token: 'secret',
      fetch: (url, init) => {
        urls.push(url as string);
        const location = { location: 'https://elsewhere.test/' };
        return init?.redirect === 'manual'
          ? Promise.resolve(new Response(null, { status: 302, headers: location }))
          : Promise.reject(new Error('It would be followed'));
      },
    });
    const error = await jobgate
      .queue('mail')
      .jobs({ statuses: ['failed', 'delayed'], start: 5 })
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(JobgateError).and.include({ status: 302 });
    expect(urls).to.deep.equal([
      'http://jobgate.test/base/queues/mail/jobs?statuses=failed%2Cdelayed&start=5',
    ]);
  });

  it('reads events whose text has line separators, and passes over those that are no JSON', async () => {
    const frames = ['{"text":"a\u2028b"}', 'no JSON', '{"text":"c"}'].map(
      (data, index) => `id: ${index}\nevent: log\ndata: ${data}\n\n`,
    );
    const asked: (string | null)[] = [];
    const jobgate = new Jobgate({
      url: 'http://jobgate.test',
      token: 'secret',
      fetch: (_url, init) => {
        const lastId = new Headers(init?.headers).get('last-event-id');
        asked.push(lastId);
        return Promise.resolve(new Response(frames.slice(Number(lastId ?? -1) + 1).join('')));
      },
    });
    const seen: unknown[] = [];
    for await (const { data } of jobgate.queue('mail').events()) {
      if (seen.push(data['text']) === 2) break;
    }
    expect(seen).to.deep.equal(['a\u2028b', 'c']);
    expect(asked).to.deep.equal([null, '1']);
  });

  it('holds no process by a stream of events after an abort, though nothing more is read of it', async () => {
    const frame = new TextEncoder().encode('id: 1\nevent: added\ndata: {}\n\n');
    const open = new ReadableStream({ start: (stream) => stream.enqueue(frame) });
    const fetch = (): Promise<Response> => Promise.resolve(new Response(open));
    const jobgate = new Jobgate({ url: 'http://jobgate.test', token: 'secret', fetch });
    const leaving = new AbortController();
    const events = jobgate.queue('mail').events({ signal: leaving.signal });
    expect((await events.next()).value).to.include({ id: '1', event: 'added' });
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();
    leaving.abort();
    expect(timers()).to.equal(before - 1);
  });

  it('accepts a signature whose bytes begin as a version does', async () => {
    const secret = `whsec_${btoa('a'.repeat(32))}`;
    const worker = createWorker({ otherwise: ({ data }) => data, secret });
    let call: Request;
    let number = 0;
    do {
      number += 1;
      call = await signedRequest({ id: String(number) }, secret);
    } while (!/^v1,v\d/.test(call.headers.get('webhook-signature')!));
    expect((await worker.fetch(call)).status).to.equal(200);
  });

  it('warns when it is created without a URL of the service', () => {
    const warn = stub(console, 'warn');
    try {
      createWorker({ secret: false });
      createWorker({ secret: false, url: 'http://127.0.0.1:8080' });
      expect(warn.args).to.deep.equal([
        [
          'jobgate: Nothing says where to report: give the worker a url, or set JOBGATE_URL, or PUBLIC_URL of the service',
        ],
      ]);
    } finally {
      warn.restore();
    }
  });

  it('accepts what its testing entry signs, and takes no parsed body', async () => {
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const worker = createWorker({ secret, otherwise: ({ data }) => data });
    const answer = await worker.fetch(await signedRequest({ data: 'whole' }, secret));
    expect(await answer.json()).to.equal('whole');
    let passed: unknown;
    const request = { headers: {}, body: {}, [Symbol.asyncIterator]: () => [][Symbol.iterator]() };
    await worker.node(
      request as never,
      { on: () => undefined } as never,
      (error) => (passed = error),
    );
    expect(passed).to.have.property(
      'message',
      'The body was parsed before it could be verified: mount the worker before express.json()',
    );
  });

  it('is at most 10 kB with gzip, and imports nothing', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: ['clients/typescript/src/index.ts'],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'neutral',
      write: false,
      metafile: true,
    });
    expect(gzipSync(outputFiles[0]!.contents).length).to.be.at.most(10240);
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).to.deep.equal([]);
  });
});
