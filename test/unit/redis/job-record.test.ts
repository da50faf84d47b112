import { queueNamed } from '../../support/queue-named.ts';
import { expect } from 'chai';
import type { JobFacts } from '../../../src/domain/jobs/job.ts';
import {
  jobFromRecord,
  storedOptions,
} from '../../../src/adapters/outbound/redis/layout/job-record.ts';

const FIELDS = {
  name: 'mail',
  data: '{"to":"a"}',
  opts: '{"attempts":3,"delay":0}',
  timestamp: '1700000000000',
};

function jobWith(fields: Readonly<Record<string, string>>): JobFacts {
  return jobFromRecord('7', new Map(Object.entries({ ...FIELDS, ...fields })), queueNamed('mail'));
}

function nested(levels: number): string {
  return '{"a":['.repeat(levels / 2) + '0' + ']}'.repeat(levels / 2);
}

const ODD_TEXTS = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '-1.5e300',
  '1e999',
  'NaN',
  '"text"',
  '{broken',
  '[]',
  '[1]',
  '{}',
  '{"toString":1}',
  '[{"toString":1},null,[[]]]',
  '{"__proto__":1,"constructor":2,"toJSON":3}',
  '\ud800',
  nested(20_000),
  `["${'['.repeat(20_000)}"]`,
];

const FIELD_NAMES = [
  'name',
  'data',
  'opts',
  'progress',
  'returnvalue',
  'failedReason',
  'stacktrace',
  'ats',
  'atm',
  'attemptsMade',
  'delay',
  'timestamp',
  'processedOn',
  'finishedOn',
];

describe('a job from its hash in the store', () => {
  for (const field of FIELD_NAMES) {
    // holds: security.broken-record-shown
    it(`is shown with any value of ${field}`, () => {
      for (const text of ODD_TEXTS) {
        const job = jobWith({ [field]: text });
        expect(JSON.parse(JSON.stringify({ jobs: [job] }))).to.have.nested.property(
          'jobs[0].id',
          '7',
        );
        expect(job).to.deep.include({ id: '7', queue: 'mail' });
        for (const name of ['attemptsStarted', 'attemptsMade', 'delay', 'timestamp'] as const) {
          expect(job[name]).to.satisfy(Number.isFinite);
        }
      }
    });
  }

  it('shows options as stored, of any type', () => {
    const opts = { attempts: {}, delay: [1], backoff: null, priority: 'high', kl: { a: 1 } };
    const { kl, ...plain } = opts;
    expect(jobWith({ opts: JSON.stringify(opts) }).opts).to.deep.equal({ ...plain, keepLogs: kl });
  });

  // holds: job-options.backoff-native
  it('stores options as the library names them, and reads them back', () => {
    const opts = {
      attempts: 3,
      delay: 0,
      keepLogs: 5,
      backoff: { type: 'linear', delay: 100, jitter: 0.5, maxDelay: 250 },
    };
    const stored = JSON.parse(storedOptions(opts)) as Record<string, unknown>;
    expect(stored).to.include({ attempts: 3, kl: 5 }).and.not.have.property('keepLogs');
    expect(stored['backoff']).to.include({ type: 'fixed', delay: 100, jitter: 0.5 });
    expect(jobWith({ opts: JSON.stringify(stored) }).opts).to.deep.equal(opts);
    const before = { ...opts, backoff: { type: 'linear', delay: 5 } };
    expect(jobWith({ opts: JSON.stringify(before) }).opts).to.deep.equal(before);
  });

  it('shows entries of a stacktrace that are not strings as text', () => {
    const traces: Record<string, string[] | null> = {
      null: null,
      '[]': [],
      '["one","two"]': ['one', 'two'],
      '[{"toString":1},null,7]': ['{"toString":1}', 'null', '7'],
      '{"toString":1}': ['{"toString":1}'],
      'Error: no JSON': ['Error: no JSON'],
    };
    for (const [text, trace] of Object.entries(traces)) {
      expect(jobWith({ stacktrace: text }).stacktrace, text).to.deep.equal(trace);
    }
  });

  it('shows a value nested too deep to be written again as its text', () => {
    expect(JSON.stringify(jobWith({ data: nested(2000) }).data)).to.equal(nested(2000));
    expect(jobWith({ data: nested(2002) }).data).to.equal(nested(2002));
    expect(jobWith({ returnvalue: nested(100_000) }).returnvalue).to.equal(nested(100_000));
  });

  it('does not count brackets within strings as nesting', () => {
    const strings = ['['.repeat(9000), '\\"['.repeat(9000), '\\'.repeat(9000), '"{'.repeat(9000)];
    for (const text of strings) {
      expect(jobWith({ data: JSON.stringify([text, { [text]: 1 }]) }).data).to.deep.equal([
        text,
        { [text]: 1 },
      ]);
    }
  });
});
