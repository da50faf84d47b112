import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { claimedJobs } from '../../../src/adapters/inbound/http/api/claimed-jobs.ts';
import { EventLoopTurns } from '../../../src/adapters/inbound/http/messages/event-loop-turns.ts';
import { entitled } from '../../../src/domain/access/visible.ts';
import type { JobJson } from '../../../src/domain/jobs/job-json.ts';
import { eventually } from '../../support/eventually.ts';
import { HttpService, TOKEN } from './support/http-service.ts';

interface Claimed {
  readonly job: Readonly<Record<string, unknown>>;
  readonly token: string;
  readonly children?: readonly object[];
}

describe('Claims of clients', () => {
  let service: HttpService;

  beforeEach(async () => {
    service = await new HttpService({ keptIn: 'postgres' }).start();
  });

  afterEach(() => service.stop());

  const add = async (queue: string, ...jobs: readonly object[]): Promise<void> => {
    const body = jobs.map((opts) => ({ name: 'work', data: { n: 1 }, opts }));
    expect(await service.request('POST', `/queues/${queue}/jobs`, { body })).to.include({
      status: 200,
    });
  };

  const claim = async (queue: string, body?: object): Promise<readonly Claimed[]> => {
    const answer = await service.request('POST', `/queues/${queue}/jobs/claim`, { body });
    expect([answer.status, answer.text]).to.deep.equal([200, answer.text]);
    return JSON.parse(answer.text) as readonly Claimed[];
  };

  const ids = (claimed: readonly Claimed[]) => claimed.map(({ job }) => job['id']);

  const stateOf = async (queue: string, id: string) => {
    const { text } = await service.request('GET', `/queues/${queue}/jobs/${id}`);
    return (JSON.parse(text) as { readonly state: string }).state;
  };

  /** Sends a claim, and returns once it waits. */
  const waiting = async (queue: string, body: object = {}) => {
    const before = service.clock.sleepers;
    const answer = claim(queue, { wait: 60_000, ...body });
    await eventually('the claim waits', () => Promise.resolve(service.clock.sleepers > before));
    return { answer };
  };

  const register = async (queue: string, opts: object): Promise<void> => {
    const endpoint = { url: 'http://127.0.0.1:1/', method: 'post' };
    await service.request('POST', '/workers', { body: { queue, endpoint, opts } });
  };

  // holds: flows.pull
  it('contain the results of the children of the job, as its call would', async () => {
    const part = { queue: 'pulled-parts', name: 'part', data: 1 };
    const tree = { queue: 'pulled', name: 'whole', data: 2, children: [part, part] };
    await service.request('POST', '/flows', { body: tree });
    for (const { job, token } of await claim('pulled-parts', { count: 2 })) {
      const path = `/queues/pulled-parts/jobs/${String(job['id'])}/complete`;
      const done = await service.request('POST', path, { token, body: { of: job['id'] } });
      expect(done.status).to.equal(200);
    }
    const [claimed] = await claim('pulled');
    expect(claimed).to.have.all.keys('job', 'token', 'children');
    const path = `/queues/pulled/jobs/${String(claimed!.job['id'])}/children`;
    const { text } = await service.request('GET', path);
    expect(claimed!.children).to.deep.equal(JSON.parse(text));
    expect(claimed!.children![0]).to.deep.include({ state: 'completed', name: 'part' });
  });

  // holds: pull.claim
  it('are answered with the job, as its call would have it, and the token', async () => {
    await add('given', {}, {});
    const [claimed] = await claim('given');
    expect(claimed).to.have.all.keys('job', 'token');
    expect(claimed!.job).to.deep.include({
      id: '1',
      name: 'work',
      data: { n: 1 },
      attemptsStarted: 1,
      attemptsMade: 0,
      queueQualifiedName: 'bull:given',
    });
    expect(claimed!.job).not.to.have.property('state');
    expect(claimed!.token).to.match(/^[\w-]{32}$/);
    expect(await stateOf('given', '1')).to.equal('active');
    const { token } = claimed!;
    const progress = await service.request('POST', '/queues/given/jobs/1/progress', {
      token,
      body: 5,
    });
    expect(progress.status).to.equal(200);
  });

  // holds: pull.claim, pull.order
  it('take as many jobs as they ask for, in the order in which calls would', async () => {
    await add('ordered', { priority: 2 }, {}, { priority: 1 }, {}, { delay: 5000 });
    expect(ids(await claim('ordered', { count: 3 }))).to.deep.equal(['2', '4', '3']);
    expect(ids(await claim('ordered', { count: 100 }))).to.deep.equal(['1']);
    await service.clock.advance(5000);
    expect(ids(await claim('ordered', { count: 100 }))).to.deep.equal(['5']);
    expect(await claim('ordered', { count: 100 })).to.deep.equal([]);
  });

  // holds: pull.no-queue
  it('are answered with nothing when there is no queue, and create none', async () => {
    expect(await claim('nowhere')).to.deep.equal([]);
    expect(await service.request('GET', '/queues/nowhere')).to.include({ status: 404 });
  });

  for (const [body, mistake] of [
    [{ count: 0 }, 'count must be an integer from 1 to 100'],
    [{ count: 101 }, 'count must be an integer from 1 to 100'],
    [{ count: '1' }, 'count must be an integer from 1 to 100'],
    [{ wait: 60_001 }, 'wait must be an integer from 0 to 60000'],
    [{ lock: 999 }, 'lock must be an integer from 1000 to 43200000'],
    [{ lock: 43_200_001 }, 'lock must be an integer from 1000 to 43200000'],
    [{ limit: 1 }, 'limit is not a known field'],
    [[], 'The request body must be an object'],
  ] as const) {
    // holds: pull.claim
    it(`are refused as ${JSON.stringify(body)}`, async () => {
      const answer = await service.request('POST', '/queues/wrong/jobs/claim', { body });
      expect(answer).to.include({ status: 400, text: mistake });
    });
  }

  it('need an API token', async () => {
    const answer = await service.request('POST', '/queues/mail/jobs/claim', { token: 'no' });
    expect(answer.status).to.equal(401);
  });

  // holds: pull.pause
  it('take no job from a paused queue', async () => {
    await add('paused', {});
    await service.request('POST', '/queues/paused/pause');
    expect(await claim('paused')).to.deep.equal([]);
    const { answer } = await waiting('paused');
    await service.request('POST', '/queues/paused/resume');
    expect(ids(await answer)).to.deep.equal(['1']);
  });

  // holds: pull.hold
  it('take no job from a held queue, and get jobs once its hold ends', async () => {
    await add('held', {});
    await service.request('POST', '/queues/held/hold', { body: { for: 60_000 } });
    expect(await claim('held')).to.deep.equal([]);
    const { answer } = await waiting('held');
    await service.request('DELETE', '/queues/held/hold');
    expect(ids(await answer)).to.deep.equal(['1']);
  });

  // holds: pull.concurrency
  it('obey the limits of the registered worker', async () => {
    await register('limited', { concurrency: 2 });
    await add('limited', {}, {}, {});
    expect(ids(await claim('limited', { count: 9 }))).to.deep.equal(['1', '2']);
    await register('paced', { concurrency: 9, limiter: { max: 1, duration: 1000 } });
    await add('paced', {}, {});
    expect(ids(await claim('paced', { count: 9 }))).to.deep.equal(['1']);
    const { answer } = await waiting('paced');
    await service.clock.advance(1050);
    expect(ids(await answer)).to.deep.equal(['2']);
  });

  // holds: pull.must-fail
  it('are given no job that must fail without a call', async () => {
    await add('failing', { attempts: 3, retryFor: 1 }, {});
    const first = await service.claim('failing');
    await service.settle('failing', first, { kind: 'retry', reason: 'no', delay: 50 });
    await service.clock.advance(100);
    expect(ids(await claim('failing', { count: 2 }))).to.deep.equal(['2']);
    expect(await stateOf('failing', '1')).to.equal('failed');
    expect(service.logger.lines.map(({ message }) => message)).to.include('Job failed');
  });

  describe('that wait', () => {
    // holds: pull.wait
    it('get a job as soon as it is added, even from a queue that did not exist', async () => {
      const { answer } = await waiting('waited', { count: 5 });
      await add('waited', {}, {});
      expect(ids(await answer)).to.deep.equal(['1', '2']);
    });

    // holds: pull.wait
    it('get a delayed job when it falls due', async () => {
      await add('due', { delay: 7000 });
      const { answer } = await waiting('due');
      await service.clock.advance(7000);
      expect(ids(await answer)).to.deep.equal(['1']);
    });

    // holds: pull.time-up
    it('get nothing when their time is up', async () => {
      const { answer } = await waiting('empty', { wait: 500 });
      await service.clock.advance(500);
      expect(await answer).to.deep.equal([]);
      await eventually('nobody waits', () => Promise.resolve(service.clock.sleepers === 0));
    });

    // holds: pull.first-come
    it('are served in the order in which they came', async () => {
      const answers: Promise<readonly Claimed[]>[] = [];
      for (let client = 0; client < 4; client += 1) {
        answers.push((await waiting('line', { count: 2 })).answer);
      }
      await add('line', ...Array.from({ length: 7 }, () => ({})));
      expect((await Promise.all(answers)).map(ids)).to.deep.equal([
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
        ['7'],
      ]);
    });

    // holds: pull.vanished
    it('take no job once their client has left', async () => {
      const left = new AbortController();
      const before = service.clock.sleepers;
      const answer = fetch(`${service.url}/queues/left/jobs/claim`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${TOKEN}` },
        body: '{"wait":60000}',
        signal: left.signal,
      });
      await eventually('it waits', () => Promise.resolve(service.clock.sleepers > before));
      // The store answers claims in order, so it has found no job for the first one either.
      expect(await claim('left')).to.deep.equal([]);
      left.abort();
      await answer.catch(() => undefined);
      await eventually('nobody waits', () => Promise.resolve(service.clock.sleepers === 0));
      await add('left', {});
      expect(await stateOf('left', '1')).to.equal('waiting');
    });

    // holds: pull.shutdown
    it('end first, with nothing, when the service begins to shut down', async () => {
      const { answer } = await waiting('ending');
      await service.server.drain(AbortSignal.abort());
      expect(await answer).to.deep.equal([]);
      expect(await claim('ending', { wait: 60_000 })).to.deep.equal([]);
    });
  });

  describe('whose answer is not delivered', () => {
    const JOBS = 40;

    for (const [when, gone] of [
      ['before it', (): Promise<unknown> => Promise.resolve()],
      ['in the middle of it', (socket: Socket): Promise<unknown> => once(socket, 'readable')],
    ] as const) {
      // holds: pull.unwritten
      it(`give their jobs back at once, in order, if the client has left ${when}`, async () => {
        const data = 'x'.repeat(200_000);
        const body = Array.from({ length: JOBS }, () => ({ name: 'work', data }));
        await service.request('POST', '/queues/unread/jobs', { body });
        const request = '{"count":100}';
        // A client that reads next to nothing: its answer is longer than the system buffers.
        const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
        const isGone = gone(socket);
        socket.write(
          `POST /queues/unread/jobs/claim HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\n` +
            `Content-Length: ${request.length}\r\n\r\n${request}`,
        );
        await eventually('the jobs are taken', async () => {
          return (await stateOf('unread', String(JOBS))) === 'active';
        });
        await isGone;
        socket.resetAndDestroy();
        await eventually('the jobs are back', async () => {
          return (await stateOf('unread', '1')) === 'waiting';
        });
        expect(ids(await claim('unread', { count: 3 }))).to.deep.equal(['1', '2', '3']);
      });
    }

    // holds: pull.unwritten
    it('leave jobs where they were that would make the answer too long', async () => {
      const job = { id: '1', data: 'x'.repeat(6_000_000) } as unknown as JobJson;
      const jobs = Array.from({ length: 6 }, () => entitled({ job, token: 't' }));
      let back: readonly [number, number] | undefined;
      const giveBack = (from: number, to: number): void => {
        back = [from, to];
      };
      const reply = await claimedJobs({ length: 6, jobs, giveBack }, new EventLoopTurns());
      expect(back).to.deep.equal([3, 6]);
      expect(JSON.parse('body' in reply ? reply.body.toString() : '')).to.have.lengthOf(3);
    });
  });
});
