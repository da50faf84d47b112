import { expect } from 'chai';
import {
  afterFailure,
  tooLateToRetry,
  newJob,
  withFailure,
  type Job,
  type JobInput,
} from '../../../src/domain/jobs/job.ts';
import type { JobOptions } from '../../../src/domain/jobs/job-options.ts';
import { rejection } from './rejection.ts';

describe('new job', () => {
  for (const data of [null, 0, false, '', [], {}, 'text', { a: [1] }]) {
    it(`may have ${JSON.stringify(data)} as data`, () => {
      expect(newJob({ name: 'a', data }, '[0]')).to.deep.equal({
        name: 'a',
        data,
        opts: { attempts: 0, delay: 0 },
      });
    });
  }

  for (const [input, message] of [
    [{ name: 'a' }, '[2].data must be present (any JSON value)'],
    [{ data: 1 }, '[2].name must be a string'],
    [{ name: 5, data: 1 }, '[2].name must be a string'],
    [{ name: 'a\ud800', data: 1 }, '[2].name must be a string'],
    [{ name: 'a\0', data: 1 }, '[2].name must not contain NUL'],
    [{ name: 'a', data: 1, opts: { lifo: 1 } }, '[2].opts.lifo must be true or false'],
  ] as const) {
    it(`may not be ${JSON.stringify(input)}`, () => {
      expect(rejection(() => newJob(input as unknown as JobInput, '[2]'))).to.equal(message);
    });
  }
});

describe('after a failed attempt', () => {
  const backoff = { type: 'exponential', delay: 100 };
  const jobWith = (attemptsMade: number, opts: Partial<JobOptions>): Job =>
    ({ attemptsMade, timestamp: 1000, opts: { attempts: 0, delay: 0, ...opts } }) as Job;

  for (const [attemptsMade, opts, outcome] of [
    [0, {}, { retry: false }],
    [0, { attempts: 1 }, { retry: false }],
    [0, { attempts: 2 }, { retry: true, delay: 0 }],
    [1, { attempts: 2 }, { retry: false }],
    [5, { attempts: 2 }, { retry: false }],
    [0, { attempts: 3, backoff }, { retry: true, delay: 100 }],
    [1, { attempts: 3, backoff }, { retry: true, delay: 200 }],
    [2, { attempts: 3, backoff }, { retry: false }],
    // holds: job-options.retry-for
    [0, { attempts: 3, backoff, retryFor: 600 }, { retry: true, delay: 100 }],
    // holds: job-options.retry-for
    [0, { attempts: 3, backoff, retryFor: 599 }, { retry: false }],
    // holds: job-options.retry-for
    [1, { attempts: 9, retryFor: 499 }, { retry: false }],
    [1, { attempts: 9, retryFor: 'a day' as unknown as number }, { retry: true, delay: 0 }],
  ] as const) {
    const title = `${String(attemptsMade)} made before, ${JSON.stringify(opts)}`;
    // holds: options.attempts
    it(`with ${title}: ${JSON.stringify(outcome)}`, () => {
      expect(afterFailure(jobWith(attemptsMade, opts), 1500)).to.deep.equal(outcome);
    });
  }

  // holds: job-options.retry-for
  it('starts no further attempt once its time is over, but always the first one', () => {
    const job = { ...jobWith(2, { attempts: 9, retryFor: 500 }), failedReason: 'it broke' };
    expect(tooLateToRetry(job, 1500)).to.equal(undefined);
    expect(tooLateToRetry(job, 1501)).to.equal('it broke');
    expect(tooLateToRetry(jobWith(0, job.opts), 9000)).to.equal(undefined);
  });

  it('keeps the last ten reasons, oldest first', () => {
    expect(withFailure(null, 'a')).to.deep.equal(['a']);
    const given = Object.freeze(['a', 'b']) as string[];
    expect(withFailure(given, 'c')).to.deep.equal(['a', 'b', 'c']);
    const ten = Array.from({ length: 10 }, (_, index) => `reason ${String(index)}`);
    expect(withFailure(ten, 'last')).to.deep.equal([...ten.slice(1), 'last']);
  });
});
