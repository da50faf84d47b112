import { expect } from 'chai';
import { durationClass, percentiles } from '../../../src/domain/calls/call-durations.ts';
import { CallCounter, joinedFigures, NO_CALLS } from '../../../src/domain/calls/call-figures.ts';

function percentilesOf(...durations: readonly number[]) {
  const counter = new CallCounter();
  for (const duration of durations) counter.count({ at: 0, duration });
  return percentiles(counter.figures.durations);
}

describe('percentiles', () => {
  it('are null without a call', () => {
    expect(percentiles({})).to.deep.equal({ p50: null, p95: null, p99: null });
  });

  // holds: worker-health.latency
  it('are those of one call, within two percent', () => {
    for (let duration = 1; duration < 10_000_000; duration = Math.ceil(duration * 1.07)) {
      for (const found of Object.values(percentilesOf(duration))) {
        expect(found).to.be.closeTo(duration, Math.max(0.5, duration * 0.02) + 0.5);
      }
    }
  });

  it('are those of many calls, in any order', () => {
    const durations = Array.from({ length: 1000 }, (_, index) => ((index * 617) % 1000) + 1);
    const { p50, p95, p99 } = percentilesOf(...durations);
    expect(p50).to.be.closeTo(500, 11);
    expect(p95).to.be.closeTo(950, 20);
    expect(p99).to.be.closeTo(990, 21);
  });

  it('count the longest call among many', () => {
    expect(percentilesOf(5, 5, 5, 60_000)).to.include({ p50: 5 });
    expect(percentilesOf(5, 5, 5, 60_000).p95).to.be.closeTo(60_000, 1200);
  });

  it('put every duration into one of few classes', () => {
    expect(durationClass(0)).to.equal(0);
    expect(durationClass(2 ** 31)).to.be.below(600);
  });
});

describe('joined figures', () => {
  it('add up, and have the latest answer and failure of all', () => {
    const [one, two] = [new CallCounter(), new CallCounter()];
    one.count({ at: 5, duration: 10, status: 503, failure: 'late' });
    one.count({ at: 1, duration: 10, status: 200 });
    two.count({ at: 3, duration: 10, failure: 'ECONNREFUSED' });
    two.count({ at: 4, duration: 20, status: 201 });
    const joined = joinedFigures([two.figures, one.figures]);
    expect(joined).to.deep.include({
      calls: 4,
      failures: 2,
      lastAnswer: { at: 4, status: 201 },
      lastFailure: { at: 5, reason: 'late' },
    });
    expect(Object.values(joined.durations)).to.deep.equal([3, 1]);
    expect(joinedFigures([])).to.deep.equal(NO_CALLS);
  });
});
