import { expect } from 'chai';
import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import type { LogLine, ServiceProcess } from '../support/service-process.ts';
import { lasting, LedgerEndpoint } from './support/ledger-endpoint.ts';
import { Ledger } from './support/ledger.ts';
import { Replicas } from './support/replicas.ts';

/** How many workers are registered, replaced or removed at once. */
const BURST = 200;

/** In which time every replica runs what is stored, in milliseconds. */
const PROMISED = 2000;

const CHANGES: ReadonlySet<string> = new Set([
  'Worker started',
  'Worker replaced',
  'Worker stopped',
]);

describe(`${BURST} workers at once`, () => {
  let store: RedisServer;
  let replicas: Replicas;
  let ledger: Ledger;
  let first: LedgerEndpoint;
  let second: LedgerEndpoint;

  beforeEach(async () => {
    store = await RedisServer.start();
    replicas = await Replicas.start(3, { STORE_URI: store.uri });
    ledger = new Ledger();
    first = await LedgerEndpoint.start(ledger, lasting(0));
    second = await LedgerEndpoint.start(ledger, lasting(0));
  });
  afterEach(async () => {
    await Promise.all([first.close(), second.close(), replicas.kill()]);
    await store.stop();
  });

  const queues = Array.from({ length: BURST }, (_, index) => `queue-${index}`);

  /** Makes all the calls at once and expects all of them to succeed. */
  async function burst(calls: readonly ReturnType<ServiceProcess['call']>[]): Promise<void> {
    for (const { status } of await Promise.all(calls)) expect(status).to.equal(200);
  }

  function register(service: ServiceProcess, endpoint: LedgerEndpoint): Promise<void> {
    return burst(
      queues.map((queue) => {
        const url = `${endpoint.origin}/${queue}`;
        return service.call('POST', '/workers', { queue, endpoint: { url, method: 'post' } });
      }),
    );
  }

  function remove(service: ServiceProcess, names: readonly string[]): Promise<void> {
    return burst(names.map((queue) => service.call('DELETE', `/workers/${queue}`)));
  }

  /** Waits until every replica runs exactly these workers, with that endpoint. */
  async function allRun(names: readonly string[], endpoint: LedgerEndpoint): Promise<void> {
    const expected = names.map((queue) => `${queue} ${endpoint.origin}`).toSorted();
    for (const service of replicas.running) {
      await eventually('the replica runs what is stored', () =>
        Promise.resolve(JSON.stringify(runningWorkers(service)) === JSON.stringify(expected)),
      );
    }
  }

  /** Resolves to the time that all the work takes, in milliseconds. */
  async function timed(...work: readonly (() => Promise<void>)[]): Promise<number> {
    const started = performance.now();
    for (const step of work) await step();
    return performance.now() - started;
  }

  /** Has every queue process a job, and expects each to be called at the path of its worker. */
  async function processes(names: readonly string[], endpoint: LedgerEndpoint): Promise<void> {
    const wrong: string[] = [];
    const queueOf = new Map<number, string>();
    endpoint.onCall(({ number, path }) => {
      if (path !== `/${queueOf.get(number) ?? ''}`) wrong.push(path);
    });
    for (const queue of names) {
      const number = ledger.next();
      queueOf.set(number, queue);
      const jobs = [{ name: 'job', data: number }];
      expect((await replicas.next.call('POST', `/queues/${queue}/jobs`, jobs)).status).to.equal(
        200,
      );
      ledger.answered(number, 'accepted');
    }
    await eventually('every job is processed', () =>
      Promise.resolve(ledger.numbers('accepted').every((number) => ledger.calls(number) > 0)),
    );
    for (const queue of names) {
      await eventually('the job is completed', () => isCompleted(replicas.next, queue));
      await ledger.audit(replicas.next, queue);
    }
    expect(wrong).to.deep.equal([]);
  }

  it('registered, replaced and removed: three replicas run what is stored', async () => {
    const [one] = replicas.running;
    const registered = await timed(
      () => register(one!, first),
      () => allRun(queues, first),
    );
    const replaced = await timed(
      () => register(one!, second),
      () => allRun(queues, second),
    );
    await processes(queues, second);
    const removed = await timed(
      () => remove(one!, queues),
      () => allRun([], second),
    );
    ledger.print({
      'registered after ms': registered.toFixed(0),
      'replaced after ms': replaced.toFixed(0),
      'removed after ms': removed.toFixed(0),
    });
    expect(Math.max(registered, replaced, removed)).to.be.below(PROMISED);
    ledger.expectEachOnce();
  }).timeout(90_000);

  it('while one replica is paused: it catches up when it goes on', async () => {
    const [one, , paused] = replicas.running;
    paused!.signal('SIGSTOP');
    try {
      await register(one!, first);
      await register(one!, second);
      await remove(one!, queues.slice(BURST / 2));
    } finally {
      paused!.signal('SIGCONT');
    }
    const kept = queues.slice(0, BURST / 2);
    const caughtUp = await timed(() => allRun(kept, second));
    // From now on it is alone, so that whatever is processed is processed by it.
    for (const service of replicas.running.filter((each) => each !== paused)) {
      replicas.drop(service);
      expect((await service.stop()).code).to.equal(0);
    }
    await processes(kept, second);
    ledger.print({ 'caught up after ms': caughtUp.toFixed(0) });
    expect(caughtUp).to.be.below(PROMISED);
    ledger.expectEachOnce();
  }).timeout(90_000);

  it('among corrupt and foreign records: those are reported, and stop nothing', async () => {
    const [one] = replicas.running;
    const redis = new Redis(store.uri);
    const skipped: Readonly<Record<string, string | Buffer>> = {
      'not-json': '{"queue":',
      'not-text': Buffer.from([0xff, 0xfe, 0x00]),
      'no-object': '[1,2,3]',
      'no-endpoint': '{"queue":"no-endpoint"}',
      'other-queue': '{"queue":"queue-0","endpoint":{"url":"http://127.0.0.1:9/","method":"post"}}',
      'bad-url': '{"queue":"bad-url","endpoint":{"url":"nowhere","method":"post"}}',
      'deep-json': '['.repeat(100_000),
      ['__proto__']: 'a name that means something to JavaScript',
      'a:b': '{"queue":"a:b","endpoint":{"url":"http://127.0.0.1:9/","method":"post"}}',
      '': 'no name',
    };
    for (const [queue, record] of Object.entries(skipped)) {
      await redis.hset('jobgate:workers', queue, record);
    }
    await redis.publish('jobgate:workers:changed', Buffer.from([0xff]));
    redis.disconnect();
    const registered = await timed(
      () => register(one!, first),
      () => allRun(queues, first),
    );
    await processes(queues, first);
    ledger.print({ 'registered after ms': registered.toFixed(0) });
    expect(registered).to.be.below(PROMISED);
    ledger.expectEachOnce();
    const message = 'A stored worker is invalid and is skipped';
    for (const service of replicas.running) {
      const lines = service.logs.filter((line) => line.message === message);
      expect([...new Set(lines.map(({ queue }) => queue))]).to.have.members(Object.keys(skipped));
    }
    expect((await one!.call('GET', '/workers')).body).to.have.all.keys(queues);
    expect((await fetch(`${one!.url}/health/ready`)).status).to.equal(200);
  }).timeout(90_000);
});

/** What the replica runs, going by its log: queue and endpoint of each worker, in order. */
function runningWorkers(service: ServiceProcess): string[] {
  const running = new Map<unknown, string>();
  for (const line of service.logs.filter(isChange)) {
    const { message, queue, endpoint } = line;
    if (message === 'Worker stopped') running.delete(queue);
    else running.set(queue, `${String(queue)} ${String(endpoint)}`);
  }
  return [...running.values()].toSorted();
}

function isChange({ message }: LogLine): boolean {
  return message !== undefined && CHANGES.has(message);
}

async function isCompleted(service: ServiceProcess, queue: string): Promise<boolean> {
  const { body } = await service.call('GET', `/queues/${queue}/jobs?length=0`);
  const { counts } = body as { readonly counts: Readonly<Record<string, number>> };
  return counts['completed'] === 1 && counts['active'] === 0;
}
