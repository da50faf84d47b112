import { expect } from 'chai';
import { jobJson } from '../../../src/domain/jobs/job-json.ts';
import type { JobFacts } from '../../../src/domain/jobs/job.ts';
import { jobOfLetter, originOfLetter } from '../../../src/domain/jobs/letter.ts';
import { redactedOptions } from '../../../src/domain/records/redaction.ts';

const callback = { url: 'https://a.example.com/', headers: { 'X-Key': 'secret' } };

/** The options of a letter. @param opts those of its original. */
function letterOf(opts?: object) {
  const origin = { queue: 'mail', id: '1', failedReason: 'Ada is away', ...(opts && { opts }) };
  return { attempts: 0, delay: 0, group: { id: 'a' }, message: { sender: 'ada' }, origin };
}

describe('Letters', () => {
  // holds: dead-letters.origin
  it('hide the header values of the callback of their original', () => {
    const job = { opts: letterOf({ attempts: 2, delay: 0, callback }) } as unknown as JobFacts;
    const { opts, originOpts } = jobJson(job, 'bull');
    expect(JSON.stringify({ opts, originOpts })).not.to.include('secret');
    expect(originOpts?.callback).to.deep.equal({ ...callback, headers: { 'X-Key': '[redacted]' } });
    expect(opts['origin']).to.deep.equal({ queue: 'mail', id: '1', failedReason: 'Ada is away' });
  });

  // holds: payloads.causes
  it('lose the reason and the callback of their original when they are redacted', () => {
    const opts = JSON.stringify(letterOf({ attempts: 2, callback }));
    expect(JSON.parse(redactedOptions(opts))).to.deep.include({
      origin: { queue: 'mail', id: '1', opts: { attempts: 2 } },
    });
  });

  // holds: dead-letters.redrive-options
  it('come back with what clients set, and with nothing that others stored beside it', () => {
    const kept = { attempts: 2, delay: 5, jobId: 'repeat:a:1', parent: { id: '2' }, tm: 'x' };
    const letter = { name: 'work', data: 1, opts: letterOf(kept) };
    expect(jobOfLetter(letter).opts).to.deep.equal({ attempts: 2, delay: 5 });
  });

  // holds: dead-letters.redrive-options
  it('of earlier versions come back with the group and the message that they have', () => {
    const { opts } = jobOfLetter({ name: 'work', data: 1, opts: letterOf() });
    const { group, message } = letterOf();
    expect(opts).to.deep.equal({ attempts: 0, delay: 0, group, message });
  });

  it('are known by their origin, whatever other programs store there', () => {
    for (const opts of [null, 'x', {}, { origin: 1 }, { origin: { queue: 1, id: '1' } }]) {
      expect(originOfLetter(opts), JSON.stringify(opts)).to.equal(undefined);
    }
  });
});
