import { expect } from 'chai';
import { lateReportOutcome, reportOf } from '../../../../src/domain/attempts/attempt-report.ts';

describe('a report on an attempt', () => {
  it('is a failure whether or not the job is retried', () => {
    expect(reportOf({ kind: 'completed', returnvalue: 1 })).to.equal('completed');
    expect(reportOf({ kind: 'failed', reason: 'no' })).to.equal('failed');
    expect(reportOf({ kind: 'retry', reason: 'no', delay: 0 })).to.equal('failed');
  });

  it('repeats the report that ended the attempt, or is refused', () => {
    expect(lateReportOutcome('failed', 'failed')).to.equal('repeated');
    expect(lateReportOutcome('failed', 'released')).to.equal('refused');
    expect(lateReportOutcome('failed', undefined)).to.equal('refused');
  });
});
