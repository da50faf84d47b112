import { expect } from 'chai';
import sinon from 'sinon';
import type { JobEndingsPort } from '../../../src/application/ports/job-endings-port.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { eventually } from '../../support/eventually.ts';
import { HttpService, TOKEN, type Answer } from './support/http-service.ts';

const QUEUE = 'preferred';
const PATH = `/queues/${QUEUE}/jobs`;

describe('An add that prefers to wait', () => {
  let service: HttpService;

  beforeEach(async () => {
    service = await new HttpService().start();
  });

  afterEach(async () => {
    sinon.restore();
    await service.stop();
  });

  const add = (
    prefer = 'wait=30',
    opts: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const body = [{ name: 'work', data: 1, opts }];
    return service.request('POST', PATH, { body, headers: { Prefer: prefer, ...headers } });
  };

  const waits = (count: number) =>
    eventually(`${count} calls wait`, () => Promise.resolve(service.clock.sleepers === count));

  /** Sends an add, and returns once it waits. */
  const waiting = async (...request: Parameters<typeof add>) => {
    const answer = add(...request);
    await waits(1);
    return { answer };
  };

  const complete = async (returnvalue: number): Promise<void> => {
    const attempt = await service.claim(QUEUE);
    await service.settle(QUEUE, attempt, { kind: 'completed', returnvalue });
  };

  const jobIn = ({ text }: Answer): object => {
    const [job, ...others] = JSON.parse(text) as object[];
    expect(others).to.deep.equal([]);
    return job ?? {};
  };

  const read = async (id: string): Promise<object> => {
    const { text } = await service.request('GET', `${PATH}/${id}`);
    const { state, ...job } = JSON.parse(text) as { state: string };
    expect(state).to.be.oneOf(['completed', 'failed']);
    return job;
  };

  // holds: prefer-wait.ended
  it('is answered with the job as it ended', async () => {
    const { answer } = await waiting();
    await complete(7);
    const completed = await answer;
    expect(completed.status).to.equal(200);
    expect(completed.headers.get('preference-applied')).to.equal('wait=30');
    expect({ ...jobIn(completed), suspended: null }).to.deep.equal(await read('1'));
    expect(jobIn(completed)).to.include({ returnvalue: 7, attemptsMade: 1 });

    const { answer: next } = await waiting();
    const attempt = await service.claim(QUEUE);
    await service.settle(QUEUE, attempt, { kind: 'failed', reason: 'no' });
    const failed = await next;
    expect(failed.status).to.equal(200);
    expect({ ...jobIn(failed), suspended: null }).to.deep.equal(await read('2'));
    expect(jobIn(failed)).to.include({ failedReason: 'no' });
  });

  // holds: prefer-wait.ended
  it('is answered with the job as it ended if it ends while it is being read', async () => {
    await service.stop();
    service = await new HttpService({ keptIn: 'memory' }).start();
    const find = sinon.stub(service.queues, 'find');
    let job: Promise<object> | undefined;
    find.callsFake(async (...of) => {
      const beforeItsEnd = await find.wrappedMethod(...of);
      job ??= complete(7).then(() => read('1'));
      find.restore();
      await job;
      return beforeItsEnd;
    });
    const answer = await add();
    expect(answer.status).to.equal(200);
    expect({ ...jobIn(answer), suspended: null }).to.deep.equal(await job);
  });

  // holds: prefer-wait.ended
  it('is accepted on both paths', async () => {
    const body = [{ name: 'work', data: 1 }];
    const headers = { Prefer: 'wait=5' };
    const answer = service.request('POST', `/queues/${QUEUE}`, { body, headers });
    await waits(1);
    await complete(1);
    expect((await answer).status).to.equal(200);
  });

  // holds: prefer-wait.removed
  it('is answered with the announced end if the job is not kept', async () => {
    const { answer } = await waiting('wait=30', { removeOnComplete: true });
    await complete(7);
    const { status, ...rest } = await answer;
    expect(status).to.equal(200);
    expect(jobIn({ status, ...rest })).to.deep.include({ id: '1', data: 1, returnvalue: 7 });
  });

  // holds: prefer-wait.time-up
  it('is answered with the job as it was added when the wait is over', async () => {
    const opts = { attempts: 5, backoff: 60_000 };
    const { answer } = await waiting('wait=3', opts);
    const attempt = await service.claim(QUEUE);
    await service.settle(QUEUE, attempt, { kind: 'retry', reason: 'no', delay: 60_000 });
    await service.clock.advance(3000);
    const late = await answer;
    expect(late.status).to.equal(202);
    expect(late.headers.get('preference-applied')).to.equal('wait=3');
    expect(jobIn(late)).to.include({ id: '1', attemptsMade: 0, stacktrace: null });
    const atOnce = await add('wait=0', { delay: 1000 });
    expect(atOnce.status).to.equal(202);
    expect(jobIn(atOnce)).to.include({ id: '2', delay: 1000 });
  });

  // holds: prefer-wait.time-up
  it('is answered with 202 when the job is removed before it ends', async () => {
    const { answer } = await waiting();
    await service.request('DELETE', `${PATH}/1`);
    await service.clock.advance(1000);
    await waits(1);
    await service.clock.advance(250);
    expect((await answer).status).to.equal(202);
  });

  // holds: prefer-wait.bounds
  it('waits for a minute at most, and says so', async () => {
    const { answer } = await waiting('wait=3600');
    await service.clock.advance(60_000);
    const late = await answer;
    expect(late.status).to.equal(202);
    expect(late.headers.get('preference-applied')).to.equal('wait=60');
  });

  for (const [prefer, applied] of [
    ['respond-async, Wait = "2"; foo=bar', 'wait=2'],
    ['a="x, wait=1", wait=4, wait=9', 'wait=4'],
  ] as const) {
    // holds: prefer-wait.header
    it(`understands ${prefer}`, async () => {
      const { answer } = await waiting(prefer);
      await complete(1);
      expect((await answer).headers.get('preference-applied')).to.equal(applied);
    });
  }

  for (const prefer of ['wait', 'wait=', 'wait=-1', 'wait=1.5', 'wait=soon', 'a="wait=1', '']) {
    // holds: prefer-wait.header
    it(`ignores ${prefer === '' ? 'an empty preference' : prefer}`, async () => {
      const answer = await add(prefer);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('preference-applied')).to.equal(null);
    });
  }

  // holds: prefer-wait.one-job
  it('does not wait when it has several jobs, or none', async () => {
    const job = { name: 'work', data: 1 };
    for (const body of [[], [job, job]]) {
      const headers = { Prefer: 'wait=30' };
      const answer = await service.request('POST', PATH, { body, headers });
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('preference-applied')).to.equal(null);
    }
  });

  // holds: prefer-wait.existing
  it('waits for the job that exists, or that holds its deduplication id', async () => {
    const opts = { jobId: 'mine', deduplication: { id: 'd' } };
    const { answer } = await waiting('wait=30', opts);
    const again = add('wait=30', opts);
    const standing = add('wait=30', { deduplication: { id: 'd' } });
    await waits(3);
    await complete(7);
    for (const each of [answer, again, standing]) {
      expect(jobIn(await each)).to.include({ id: 'mine', returnvalue: 7 });
    }
    expect(jobIn(await standing)).to.include({ deduplicated: true });
    expect(jobIn(await add('wait=30', opts))).to.include({ id: 'mine', returnvalue: 7 });
  });

  // holds: prefer-wait.idempotency
  it('may be repeated, with or without a wait', async () => {
    const key = { 'Idempotency-Key': 'order-17' };
    const first = await add('wait=0', {}, key);
    expect(first.status).to.equal(202);
    const { answer } = await waiting('wait=30', {}, key);
    await complete(7);
    const repeat = await answer;
    expect(repeat.status).to.equal(200);
    expect(repeat.headers.get('idempotent-replayed')).to.equal('true');
    expect(jobIn(repeat)).to.include({ id: '1', returnvalue: 7 });
    const asAdded = await add('', {}, key);
    expect(jobIn(asAdded)).to.include({ id: '1', returnvalue: null });
  });

  // holds: prefer-wait.refused
  it('is refused like any other add', async () => {
    expect((await add('wait=30', { lifo: 1 })).status).to.equal(400);
    await service.request('PUT', `/queues/${QUEUE}/policy`, { body: { maxWaiting: 0 } });
    expect((await add()).status).to.equal(429);
    await service.stop();
    const away: JobEndingsPort = {
      subscribe: () => Promise.reject(storeUnavailable(new Error('gone'))),
    };
    service = await new HttpService({ endings: away }).start();
    expect((await add()).status).to.equal(503);
    expect((await service.request('GET', `/queues/${QUEUE}`)).status).to.equal(404);
  });

  // holds: prefer-wait.left
  it('stops waiting once the client has left, or the service begins to shut down', async () => {
    const left = new AbortController();
    const answer = fetch(service.url + PATH, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, Prefer: 'wait=30' },
      body: JSON.stringify([{ name: 'work', data: 1 }]),
      signal: left.signal,
    });
    await waits(1);
    left.abort();
    await answer.catch(() => undefined);
    await waits(0);
    const { answer: ending } = await waiting();
    await service.server.drain(AbortSignal.abort());
    expect((await ending).status).to.equal(202);
  });
});
