import { expect } from 'chai';
import { newJob, type Job } from '../../../src/domain/jobs/job.ts';
import { missingField, unusableOption } from '../../../src/domain/jobs/usable-job.ts';

function stored(opts: Record<string, unknown>): Job {
  const { name, data, opts: sound } = newJob({ name: 'job', data: null }, '');
  return { name, data, opts: { ...sound, ...opts } } as unknown as Job;
}

describe('a job that another producer stored', () => {
  for (const opts of [
    {},
    { attempts: -1 },
    { attempts: 2.5 },
    { backoff: { type: 'custom' } },
    { backoff: { delay: 5 } },
    { backoff: { type: 'fixed', delay: -1 } },
    { backoff: { type: 'exponential', delay: 1.5, jitter: 0.5 } },
    { priority: 'x', unknown: {} },
  ]) {
    it(`is usable with ${JSON.stringify(opts)}`, () => {
      expect(unusableOption(stored(opts))).to.equal(undefined);
    });
  }

  for (const [opts, problem] of [
    [{ attempts: {} }, 'opts.attempts of the stored job must be a number'],
    [{ attempts: '3' }, 'opts.attempts of the stored job must be a number'],
    [{ attempts: null }, 'opts.attempts of the stored job must be a number'],
    [{ attempts: Number.NaN }, 'opts.attempts of the stored job must be a number'],
    [{ backoff: null }, 'opts.backoff of the stored job must be a number or an object'],
    [{ backoff: [] }, 'opts.backoff of the stored job must be a number or an object'],
    [{ backoff: 'fixed' }, 'opts.backoff of the stored job must be a number or an object'],
    [{ backoff: { type: 5 } }, 'opts.backoff.type of the stored job must be a string'],
    [{ backoff: { delay: '1' } }, 'opts.backoff.delay of the stored job must be a number'],
  ] as const) {
    // holds: security.broken-record
    it(`is not usable with ${JSON.stringify(opts)}`, () => {
      expect(unusableOption(stored(opts))).to.equal(problem);
    });
  }

  it('is not a job without a name', () => {
    expect(missingField(new Map([['name', '']]))).to.equal(undefined);
    expect(missingField(new Map([['ats', '1']]))).to.equal('The stored job has no name');
  });
});
