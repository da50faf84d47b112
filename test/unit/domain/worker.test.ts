import { queueNamed } from '../../support/queue-named.ts';
import { expect } from 'chai';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import {
  checkWorker,
  shownWorker,
  workerShape,
  type Worker,
} from '../../../src/domain/workers/worker.ts';
import { rejection } from './rejection.ts';

const SHAPE = workerShape(queueName({ min: 3, max: 100 }));
const endpoint = { url: 'http://localhost/', method: 'post' } as const;
const VALID: Worker = { queue: queueNamed('mail'), endpoint };

describe('worker', () => {
  for (const opts of [
    {},
    { concurrency: 1 },
    // holds: limits.concurrency
    { concurrency: Number.MAX_SAFE_INTEGER },
    { limiter: { max: 1, duration: 1 } },
    { removeOnComplete: {}, removeOnFail: { count: 0 } },
    { removeOnComplete: { age: 0 }, removeOnFail: { count: 5, age: 3600 } },
    { maxStalledCount: 0 },
  ]) {
    it(`may have the options ${JSON.stringify(opts)}`, () => {
      const worker = { ...VALID, opts };
      expect(checkWorker(worker, SHAPE)).to.deep.equal(worker);
    });
  }

  // holds: worker.parts
  it('needs no options', () => {
    expect(checkWorker(VALID, SHAPE)).to.deep.equal(VALID);
  });

  for (const method of ['POST', 'Post', 'pOSt']) {
    // holds: calls.method-case
    it(`may have its method written as ${method}, which is stored in lower case`, () => {
      const given = { ...VALID, endpoint: { ...endpoint, method } };
      expect(checkWorker(given, SHAPE)).to.deep.equal(VALID);
      expect(given.endpoint.method).to.equal(method);
    });
  }

  const from1 = 'must be an integer of at least 1';
  const from0 = 'must be an integer of at least 0';
  for (const [opts, message] of [
    [null, 'opts must be an object'],
    [[], 'opts must be an object'],
    [{ concurrency: 0 }, `opts.concurrency ${from1}`],
    [{ concurrency: 1.5 }, `opts.concurrency ${from1}`],
    [{ concurrency: '2' }, `opts.concurrency ${from1}`],
    [{ maxStalledCount: -1 }, `opts.maxStalledCount ${from0}`],
    [{ limiter: null }, 'opts.limiter must be an object of max and duration'],
    [{ limiter: 5 }, 'opts.limiter must be an object of max and duration'],
    [{ limiter: { duration: 1 } }, `opts.limiter.max ${from1}`],
    [{ limiter: { max: 0, duration: 1 } }, `opts.limiter.max ${from1}`],
    [{ limiter: { max: 1 } }, `opts.limiter.duration ${from1}`],
    [{ limiter: { max: 1, duration: 0 } }, `opts.limiter.duration ${from1}`],
    [{ removeOnComplete: true }, 'opts.removeOnComplete must be an object of count and age'],
    [{ removeOnComplete: 5 }, 'opts.removeOnComplete must be an object of count and age'],
    [{ removeOnComplete: { count: -1 } }, `opts.removeOnComplete.count ${from0}`],
    [{ removeOnFail: { count: '1' } }, `opts.removeOnFail.count ${from0}`],
    [{ removeOnFail: { count: 1, age: 0.5 } }, `opts.removeOnFail.age ${from0}`],
  ] as const) {
    it(`may not have the options ${JSON.stringify(opts)}`, () => {
      const worker = { ...VALID, opts } as unknown as Worker;
      expect(rejection(() => checkWorker(worker, SHAPE))).to.equal(message);
    });
  }

  // holds: worker.parts
  it('has its queue name and endpoint checked too', () => {
    expect(rejection(() => checkWorker({ ...VALID, queue: queueNamed('a:b') }, SHAPE))).to.match(
      /^queue must/,
    );
    const without = { queue: 'mail' } as Worker;
    expect(rejection(() => checkWorker(without, SHAPE))).to.equal('endpoint must be an object');
    const bad = { ...VALID, endpoint: { ...endpoint, timeout: 0 } };
    expect(rejection(() => checkWorker(bad, SHAPE))).to.match(/^endpoint\.timeout must/);
  });

  it('is shown as it was registered, without the values of its headers', () => {
    const headers = { Authorization: 'Bearer secret', 'X-Empty': '' };
    const worker = { ...VALID, endpoint: { ...endpoint, headers }, opts: { concurrency: 2 } };
    expect(shownWorker(worker)).to.deep.equal({
      ...worker,
      endpoint: {
        ...endpoint,
        headers: { Authorization: '[redacted]', 'X-Empty': '[redacted]' },
      },
    });
    const disabled = { since: 1, reason: null };
    expect(shownWorker({ ...VALID, registration: 'one', disabled })).to.deep.equal(VALID);
    expect(headers.Authorization).to.equal('Bearer secret');
    expect(shownWorker(VALID)).to.deep.equal(VALID);
  });
});
