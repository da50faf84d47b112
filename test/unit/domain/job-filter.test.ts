import { expect } from 'chai';
import { dataMatch } from '../../../src/domain/jobs/data-match.ts';
import {
  filteredFields,
  matchesFilter,
  type FilteredJob,
  type JobFilter,
} from '../../../src/domain/jobs/job-filter.ts';

const JOB: FilteredJob = {
  id: '7',
  state: 'failed',
  name: 'welcome',
  data: { customer: { id: 17, tags: ['a', null] }, ok: true, 'odd:key': 1 },
  failedReason: 'HTTP 503 Busy with 42',
  timestamp: 1000,
};

const FILTERS: readonly (readonly [filter: JobFilter, matches: boolean])[] = [
  [{}, true],
  [{ ids: ['1', '7'] }, true],
  [{ ids: ['1'] }, false],
  [{ ids: [] }, false],
  [{ statuses: ['completed', 'failed'] }, true],
  [{ statuses: ['completed'] }, false],
  [{ name: 'welcome' }, true],
  [{ name: 'welc' }, false],
  [{ reason: '503 Busy' }, true],
  [{ reason: 'idle' }, false],
  [{ status: 503 }, true],
  [{ status: 500 }, false],
  [{ cause: 'HTTP 503 Busy with #' }, true],
  [{ cause: 'HTTP 503 Busy with 42' }, false],
  [{ from: 1000, to: 1000 }, true],
  [{ from: 1001 }, false],
  [{ to: 999 }, false],
  [{ name: 'welcome', status: 500 }, false],
];

const DATA: readonly (readonly [text: string, matches: boolean])[] = [
  ['customer.id:17', true],
  ['customer.id:1', false],
  ['customer.id:17.0', false],
  ['customer.tags.0:a', true],
  ['customer.tags.1:null', true],
  ['customer.tags:a', false],
  ['customer:17', false],
  ['ok:true', true],
  ['ok.a:true', false],
  ['toString:x', false],
  ['nothing:', false],
  ['nothing:undefined', false],
];

describe('The filter of jobs', () => {
  for (const [filter, matches] of FILTERS) {
    // holds: search.filter
    it(`${matches ? 'takes' : 'leaves'} a job by ${JSON.stringify(filter)}`, () => {
      expect(matchesFilter(filter, JOB)).to.equal(matches);
    });
  }

  for (const [text, matches] of DATA) {
    // holds: search.filter
    it(`${matches ? 'takes' : 'leaves'} a job by the data ${text}`, () => {
      expect(matchesFilter({ data: dataMatch(text)! }, JOB)).to.equal(matches);
    });
  }

  it('matches no job without the field that it looks for', () => {
    const bare = { id: '1', state: 'waiting' } as const;
    for (const filter of [{ name: 'a' }, { from: 0 }, { to: 9 }, { reason: '' }, { status: 500 }]) {
      expect(matchesFilter(filter, bare), JSON.stringify(filter)).to.equal(false);
    }
  });

  it('reads a path up to the first colon', () => {
    expect(dataMatch('a.b:c:d')).to.deep.equal({ path: ['a', 'b'], value: 'c:d' });
    for (const text of ['', ':', ':a', 'a']) expect(dataMatch(text)).to.equal(undefined);
  });

  it('reads no more fields than it needs', () => {
    expect(filteredFields({ ids: ['1'], statuses: ['failed'] })).to.deep.equal([]);
    expect(filteredFields({ name: 'a', cause: 'b', status: 500, to: 1 })).to.deep.equal([
      'name',
      'failedReason',
      'answerStatus',
      'timestamp',
    ]);
  });
});
