import { expect } from 'chai';
import { RecentPayloads } from '../../../src/adapters/outbound/memory/state/recent-payloads.ts';
import { StoredJob } from '../../../src/adapters/outbound/memory/state/stored-job.ts';
import { newJobRecord } from '../../../src/domain/records/job-record.ts';
import { queueNamed } from '../../support/queue-named.ts';

/** Room for two of the jobs. */
const MOST = 2500;

describe('RecentPayloads', () => {
  const queue = queueNamed('mail');
  const unstored = new Set<string>();
  let payloads: RecentPayloads;
  const jobWith = (id: string): StoredJob => {
    const opts = { attempts: 1, delay: 0 };
    const job = { name: 'send', data: 'x'.repeat(900), opts };
    return StoredJob.of(newJobRecord(id, job, 0));
  };

  beforeEach(() => {
    unstored.clear();
    payloads = new RecentPayloads(MOST, ({ id }) => !unstored.has(id));
  });

  const kept = (...ids: readonly string[]): readonly StoredJob[] => {
    const jobs = ids.map(jobWith);
    for (const job of jobs) payloads.keep(queue, job);
    payloads.makeRoom();
    return jobs;
  };

  it('keeps those of the newest jobs', () => {
    expect(kept('1', '2', '3').map(({ isWhole }) => isWhole)).to.deep.equal([false, true, true]);
  });

  it('keeps what is not stored, until it is stored and kept anew', () => {
    unstored.add('1');
    const [first] = kept('1', '2', '3');
    expect(first?.isWhole).to.equal(true);
    unstored.clear();
    if (first !== undefined) payloads.keep(queue, first);
    kept('4', '5');
    expect(first?.isWhole).to.equal(false);
  });

  it('counts what failed attempts left', () => {
    const [first] = kept('1');
    if (first !== undefined) {
      first.write({ stacktrace: ['x'.repeat(500), 'x'.repeat(500)] });
      payloads.keep(queue, first);
    }
    kept('2');
    expect(first?.isWhole).to.equal(false);
  });

  it('has room again for those that are gone', () => {
    const [first, second] = kept('1', '2');
    for (const job of [first, second]) if (job !== undefined) payloads.forget(job);
    expect(kept('3', '4').every(({ isWhole }) => isWhole)).to.equal(true);
  });
});
