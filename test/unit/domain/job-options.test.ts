import { expect } from 'chai';
import { checkShape } from '../../../src/domain/values/check-shape.ts';
import { jobOptions, jobOptionsShape } from '../../../src/domain/jobs/job-options.ts';
import { rejection } from './rejection.ts';

describe('job options', () => {
  it('have attempts and delay of 0 when unset', () => {
    expect(jobOptions({})).to.deep.equal({ attempts: 0, delay: 0 });
  });

  it('keep the given values', () => {
    const given = {
      attempts: 3,
      backoff: { type: 'exponential', delay: 1000, jitter: 0.5, maxDelay: 9000 },
      delay: 5,
      priority: 0,
      lifo: false,
      jobId: 'a',
      removeOnComplete: true,
      removeOnFail: { count: 3, age: 60 },
      keepLogs: 5,
      timeout: 1000,
      ttl: 30_000,
      retryFor: 60_000,
    };
    expect(jobOptions(given)).to.deep.equal(given);
  });

  for (const backoff of [0, 1500]) {
    // holds: backoff.number
    it(`read a backoff of ${String(backoff)} as that many milliseconds each time`, () => {
      expect(jobOptions({ backoff })).to.deep.equal({
        attempts: 0,
        delay: 0,
        backoff: { type: 'fixed', delay: backoff },
      });
    });
  }

  // holds: limits.priority
  it('accept every value at the bounds', () => {
    for (const input of [
      { priority: 1 },
      { priority: 2_097_152 },
      { attempts: Number.MAX_SAFE_INTEGER },
      { delay: Number.MAX_SAFE_INTEGER },
      { removeOnComplete: false },
      { removeOnComplete: 0 },
      { removeOnFail: {} },
      { removeOnFail: { age: 0 } },
      { keepLogs: 1 },
      { timeout: 1 },
      { timeout: 2_147_483_647 },
    ]) {
      expect(jobOptions(input)).to.deep.equal({ attempts: 0, delay: 0, ...input });
    }
  });

  it('do not change the input', () => {
    const input = Object.freeze({ backoff: 5 });
    jobOptions(input);
    expect(input).to.deep.equal({ backoff: 5 });
  });

  const integer = 'must be an integer of at least 0';
  const priority = '[3].opts.priority must be an integer from 0 to 2097152';
  const retention = 'must be true, false, a number of jobs, or an object of count and age';
  const jobId =
    '[3].opts.jobId must be a string of 1 to 255 characters that is not a number, has no ":", control or ' +
    'invisible characters and is not a reserved name';
  for (const [input, message] of [
    [{ attempts: -1 }, `[3].opts.attempts ${integer}`],
    [{ attempts: 1.5 }, `[3].opts.attempts ${integer}`],
    [{ attempts: '3' }, `[3].opts.attempts ${integer}`],
    [{ attempts: null }, `[3].opts.attempts ${integer}`],
    [{ delay: -1 }, `[3].opts.delay ${integer}`],
    [{ delay: Infinity }, `[3].opts.delay ${integer}`],
    [{ priority: -1 }, priority],
    // holds: options.priority
    [{ priority: 2_097_153 }, priority],
    [{ priority: 0.5 }, priority],
    [{ priority: '1' }, priority],
    [{ lifo: 1 }, '[3].opts.lifo must be true or false'],
    [{ lifo: null }, '[3].opts.lifo must be true or false'],
    [{ jobId: '17' }, jobId],
    [{ jobId: '' }, jobId],
    [{ jobId: 'meta' }, jobId],
    [{ jobId: 5 }, jobId],
    [{ removeOnComplete: 'yes' }, `[3].opts.removeOnComplete ${retention}`],
    [{ removeOnComplete: null }, `[3].opts.removeOnComplete ${retention}`],
    [{ removeOnFail: -1 }, `[3].opts.removeOnFail ${integer}`],
    [{ removeOnFail: { count: -1 } }, `[3].opts.removeOnFail.count ${integer}`],
    [{ removeOnFail: { age: 0.5 } }, `[3].opts.removeOnFail.age ${integer}`],
    [{ keepLogs: 0 }, '[3].opts.keepLogs must be an integer of at least 1'],
    [{ keepLogs: true }, '[3].opts.keepLogs must be an integer of at least 1'],
    [{ timeout: 0 }, '[3].opts.timeout must be an integer from 1 to 2147483647'],
    [{ timeout: 2_147_483_648 }, '[3].opts.timeout must be an integer from 1 to 2147483647'],
    [{ ttl: 0 }, '[3].opts.ttl must be an integer of at least 1'],
    [{ retryFor: -1 }, `[3].opts.retryFor ${integer}`],
    [{ backoff: -1 }, `[3].opts.backoff ${integer}`],
    [{ backoff: 0.5 }, `[3].opts.backoff ${integer}`],
    [{ backoff: { type: 'fixed', delay: -1 } }, `[3].opts.backoff.delay ${integer}`],
    [
      { backoff: { type: 'x', delay: 1 } },
      '[3].opts.backoff.type must be exponential, linear or fixed',
    ],
  ] as const) {
    it(`may not be ${JSON.stringify(input)}`, () => {
      const check = (): void => checkShape(jobOptionsShape, input, '[3].opts');
      expect(rejection(check)).to.equal(message);
    });
  }
});
