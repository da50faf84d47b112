import { expect } from 'chai';
import { loadConfig } from '../../src/infrastructure/config/load-config.ts';
import { createService, type Service } from '../../src/infrastructure/service.ts';
import { EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { MetricsPage } from '../support/metrics-page.ts';
import { freshSchema } from '../support/postgres/test-postgres.ts';
import { testStore } from '../support/redis/test-store.ts';
import { silentLogger } from '../support/silent-logger.ts';

const STORES: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  memory: () => Promise.resolve({ STORE: 'memory' }),
  PostgreSQL: async () => {
    const { uri, schema } = await freshSchema();
    return { STORE: 'postgres', STORE_URI: uri, STORE_SCHEMA: schema };
  },
  Redis: async () => ({
    STORE_URI: (await testStore()).uri,
    QUEUE_PREFIX: `held-${process.pid}`,
    WORKER_METADATA_KEY: `held:${process.pid}:workers`,
  }),
};

/** How they came to be held: a client claimed them, or their endpoint accepted them. */
type Way = 'claimed' | 'accepted';

const WAYS: readonly Way[] = ['claimed', 'accepted'];

const OK = { status: 200, body: 'OK' };
const DEAD = { status: 401, body: 'The token is not that of a running attempt of this job' };

interface HeldJob {
  readonly id: string;
  readonly token: string;
}

for (const [name, store] of Object.entries(STORES)) {
  describe(`Jobs that are held by their tokens alone, with ${name}`, () => {
    let service: Service;
    let endpoint: EndpointServer;
    let queue: string;
    let queues = 0;

    before(async () => {
      const environment = {
        PORT: '0',
        AUTH_TOKENS: 'secret',
        DRAIN_TIME: '0',
        STALLED_INTERVAL: '200',
        ...(await store()),
      };
      const config = loadConfig(environment, { readFile: () => '', isTerminal: false });
      service = await createService(config, silentLogger);
      await service.start();
    });
    beforeEach(async () => {
      endpoint = await EndpointServer.start((_call, response) => {
        response.writeHead(202).end();
      });
      queue = `held-${(queues += 1)}`;
    });
    afterEach(async () => {
      await call('DELETE', `/workers/${queue}`);
      await endpoint.close();
    });
    after(() => service.stop());

    const call = async (method: string, path: string, body?: unknown, token = 'secret') => {
      const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text };
    };

    const jobs = (): string => `/queues/${queue}/jobs`;

    const report = ({ id, token }: HeldJob, verb: string, body?: unknown) =>
      call('POST', `${jobs()}/${id}/${verb}`, body, token);

    const read = async ({ id }: HeldJob) =>
      (await call('GET', `${jobs()}/${id}`)).body as Record<string, unknown>;

    const add = async (count: number, opts: object = {}): Promise<void> => {
      const body = Array.from({ length: count }, () => ({ name: 'work', data: null, opts }));
      expect((await call('POST', jobs(), body)).status).to.equal(200);
    };

    /** A worker that is disabled is not called, and what it says of its queue holds for clients all the same. */
    const register = async (way: Way, opts: object = {}): Promise<void> => {
      const accepting = { url: endpoint.url, method: 'post', accepted: 'defer' };
      const worker = { queue, endpoint: accepting, opts: { concurrency: 10, ...opts } };
      expect((await call('POST', '/workers', worker)).status).to.equal(200);
      if (way === 'claimed') await call('POST', `/workers/${queue}/disable`);
    };

    const claimed = async (): Promise<readonly HeldJob[]> => {
      const { body } = await call('POST', `${jobs()}/claim`, { count: 10, wait: 5000 });
      const answer = body as readonly { readonly job: { id: string }; readonly token: string }[];
      return answer.map(({ job: { id }, token }) => ({ id, token }));
    };

    /** The next job that the endpoint accepts, once that is stored. */
    const accepted = async (): Promise<HeldJob> => {
      const { job, token } = (await endpoint.nextCall()).body;
      await eventually('the job is accepted', async () => {
        const page = new MetricsPage((await call('GET', '/metrics')).body as string);
        const calls = page.by('queue', 'jobgate_call_seconds_count')[queue];
        return calls === endpoint.calls.length;
      });
      return { id: job.id, token };
    };

    /** The next jobs, as many as there must be, held by their tokens alone. */
    const held = async (way: Way, count = 1): Promise<readonly HeldJob[]> => {
      const found: HeldJob[] = [];
      while (found.length < count) {
        found.push(...(way === 'claimed' ? await claimed() : [await accepted()]));
      }
      expect(found).to.have.lengthOf(count);
      return found;
    };

    const heldOne = async (way: Way): Promise<HeldJob> => {
      const [job] = await held(way);
      return job!;
    };

    /** Fails the test unless a job that waits starts after what lets it start, and not before. */
    const startsAfter = async (way: Way, letStart: () => Promise<unknown>): Promise<HeldJob> => {
      const before = Date.now();
      await letStart();
      const job = await heldOne(way);
      expect((await read(job))['processedOn']).to.be.at.least(before);
      return job;
    };

    const attemptsAt = async ({ id }: HeldJob) => {
      const { body } = await call('GET', `${jobs()}/${id}/attempts`);
      return body as { readonly count: number; readonly attempts: readonly object[] };
    };

    for (const way of WAYS) {
      describe(way, () => {
        // holds: cancel.token, cancel.fails
        it('are cancelled as others are, and leave nothing to their token', async () => {
          await register(way);
          await add(1, { attempts: 3 });
          const job = await heldOne(way);
          const cancelled = await call('POST', `${jobs()}/${job.id}/cancel`, { reason: 'no more' });
          expect(cancelled).to.deep.equal(OK);
          for (const [verb, body] of [
            ['complete', 1],
            ['fail', { reason: 'no' }],
            ['extend', { lock: 1000 }],
            ['release', {}],
          ] as const) {
            expect(await report(job, verb, body), verb).to.deep.equal(DEAD);
          }
          expect(await read(job)).to.include({
            state: 'failed',
            failedReason: 'no more',
            returnvalue: null,
            attemptsMade: 1,
          });
          const { count, attempts } = await attemptsAt(job);
          expect(count).to.equal(1);
          expect(attempts[0]).to.include({ number: 1, outcome: 'cancelled', reason: 'no more' });
        });

        for (const [what, close, open] of [
          ['paused', ['POST', 'pause'], ['POST', 'resume']],
          ['held', ['POST', 'hold', { for: 60_000 }], ['DELETE', 'hold']],
        ] as const) {
          // holds: pull.pause, pull.hold, queues.pause, hold.running
          it(`complete although their queue is ${what}, and no other starts meanwhile`, async () => {
            await register(way);
            await add(1);
            const job = await heldOne(way);
            const act = ([method, verb, body]: readonly [string, string, object?]) =>
              call(method, `/queues/${queue}/${verb}`, body);
            await act(close);
            await add(1);
            expect(await report(job, 'complete', 7)).to.deep.equal(OK);
            expect(await read(job)).to.include({ state: 'completed', returnvalue: 7 });
            expect(await read({ id: '2', token: '' })).to.include({ state: 'waiting' });
            await startsAfter(way, () => act(open));
          });
        }

        // holds: pull.concurrency, deferred.concurrency
        it('count for the concurrency of their worker until they end', async () => {
          await register(way, { concurrency: 1 });
          await add(3);
          const first = await heldOne(way);
          const second = await startsAfter(way, () => report(first, 'complete', 1));
          await startsAfter(way, () => report(second, 'fail', { reason: 'no paper' }));
          expect((await call('GET', `/queues/${queue}`)).body).to.deep.nested.include({
            'counts.active': 1,
            'counts.completed': 1,
            'counts.failed': 1,
          });
        });

        // holds: pull.concurrency, limits.limiter
        it('start no sooner than the limiter of their worker allows', async () => {
          await register(way, { limiter: { max: 1, duration: 300 } });
          await add(2);
          const starts: number[] = [];
          for (let job = 0; job < 2; job += 1) {
            const { processedOn } = await read(await heldOne(way));
            starts.push(processedOn as number);
          }
          expect(starts[1]! - starts[0]!).to.be.at.least(300);
        });

        for (const [verb, rule, status] of [
          ['complete', 'removeOnComplete', 'completed'],
          ['fail', 'removeOnFail', 'failed'],
        ] as const) {
          // holds: job-options.retention, states.removed
          it(`stay as the worker or they themselves say when they are ended by ${verb}`, async () => {
            await register(way, { [rule]: { count: 1 } });
            await add(3);
            await add(1, { [rule]: true });
            const ended = await held(way, 4);
            const inOrder = ended.toSorted((a, b) => Number(a.id) - Number(b.id));
            for (const job of inOrder) {
              expect(await report(job, verb, { reason: 'no paper' })).to.deep.equal(OK);
            }
            const { body } = await call('GET', `${jobs()}?statuses=${status}`);
            const { jobs: left } = body as { readonly jobs: readonly HeldJob[] };
            expect(left.map(({ id }) => id)).to.deep.equal(['3']);
          });
        }

        // holds: reports.on-record, attempts.record
        it('have their attempts on record, however they end', async () => {
          await register(way);
          await add(2);
          const [one, other] = await held(way, 2);
          await report(one!, 'complete', { done: true });
          await report(other!, 'fail', { reason: 'no paper' });
          for (const [job, outcome, reason] of [
            [one!, 'completed', null],
            [other!, 'failed', 'no paper'],
          ] as const) {
            const { count, attempts } = await attemptsAt(job);
            expect(count).to.equal(1);
            expect(attempts).to.have.lengthOf(1);
            const attempt = attempts[0] as Record<string, unknown>;
            const made = { number: 1, outcome, reason, status: null, response: null };
            expect(attempt).to.include(made);
            expect(attempt['durationMs']).to.be.at.least(0);
            expect(attempt['replica']).to.be.a('string');
            const { processedOn, finishedOn } = await read(job);
            expect(attempt).to.include({ startedAt: processedOn, endedAt: finishedOn });
          }
        });
      });
    }

    // holds: deferred.overdue, job-options.retention
    it('stay as they say when their endpoint lets their time pass', async () => {
      endpoint.respond = (_call, response) => {
        response.writeHead(202, { 'jobgate-deadline': '1' }).end();
      };
      await register('accepted');
      await add(1, { removeOnFail: true });
      await eventually('the job is removed', async () => {
        return (await call('GET', `${jobs()}/1`)).status === 404;
      });
      expect(
        (await report({ id: '1', token: (await endpoint.nextCall()).body.token }, 'complete'))
          .status,
      ).to.equal(401);
    });
  });
}
