import { expect } from 'chai';
import {
  afterChildEnded,
  afterChildRemoved,
  waitsAgain,
} from '../../../../src/domain/flows/family.ts';
import { FAILURE_RULES } from '../../../../src/domain/flows/flow.ts';
import { JOB_STATES, type JobState } from '../../../../src/domain/jobs/job-status.ts';

const LAST = { state: 'waiting-children', waitsFor: 1 } as const;
const MORE = { state: 'waiting-children', waitsFor: 2 } as const;

describe('a family', () => {
  it('starts the parent with the end of the last child that it waits for', () => {
    for (const rule of FAILURE_RULES) {
      const last = afterChildEnded(LAST, 'completed', rule);
      expect(last).to.deep.equal({ ending: 'completed', parent: 'starts' });
      const more = afterChildEnded(MORE, 'completed', rule);
      expect(more).to.deep.equal({ ending: 'completed', parent: 'stays' });
    }
  });

  it('keeps the parent waiting when a child fails that may be retried', () => {
    expect(afterChildEnded(LAST, 'failed', 'wait')).to.deep.equal({ parent: 'stays' });
  });

  it('treats a child whose failure is ignored as completed', () => {
    const last = afterChildEnded(LAST, 'failed', 'ignore');
    expect(last).to.deep.equal({ ending: 'failed', parent: 'starts' });
    expect(afterChildEnded(MORE, 'failed', 'ignore').parent).to.equal('stays');
  });

  it('starts the parent at once when a child fails that lets it continue', () => {
    const more = afterChildEnded(MORE, 'failed', 'continue');
    expect(more).to.deep.equal({ ending: 'failed', parent: 'starts' });
  });

  it('fails the parent with a child, wherever it is', () => {
    const moves = new Map<JobState, string>([
      ['waiting-children', 'starts'],
      ['delayed', 'is-due'],
    ]);
    for (const state of JOB_STATES) {
      const { parent, mustFail = false } = afterChildEnded(
        { state, waitsFor: 2 },
        'failed',
        'fail',
      );
      expect(parent).to.equal(moves.get(state) ?? 'stays');
      expect(mustFail).to.equal(state !== 'failed');
    }
  });

  it('moves no parent that does not wait', () => {
    for (const state of JOB_STATES) {
      if (state === 'waiting-children') continue;
      const parent = { state, waitsFor: 1 };
      expect(afterChildEnded(parent, 'completed', 'wait').parent).to.equal('stays');
      expect(afterChildEnded(parent, 'failed', 'continue').parent).to.equal('stays');
      expect(afterChildRemoved(parent, true)).to.equal('stays');
    }
  });

  it('starts the parent when its last child is removed, or removes it with its queue', () => {
    expect(afterChildRemoved(LAST, false)).to.equal('starts');
    expect(afterChildRemoved(LAST, true)).to.equal('removed');
    expect(afterChildRemoved(MORE, true)).to.equal('stays');
  });

  it('makes a retried parent wait again for children that have not ended', () => {
    const waited = { onFailure: 'wait' } as const;
    const ended = { onFailure: 'continue', ending: { state: 'completed' } } as const;
    const failed = { onFailure: 'continue', ending: { state: 'failed' } } as const;
    expect(waitsAgain([ended, waited])).to.equal(true);
    expect(waitsAgain([failed, waited])).to.equal(false);
    expect(waitsAgain([ended])).to.equal(false);
    expect(waitsAgain([])).to.equal(false);
  });
});
