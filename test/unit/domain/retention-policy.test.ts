import { expect } from 'chai';
import { checkPolicy, joinedPolicy, type Policy } from '../../../src/domain/policies/policy.ts';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import { beyondRetention, isLimiting } from '../../../src/domain/policies/retention-policy.ts';

const NAME = queueName({ min: 3, max: 100 });

describe('The retention of a policy', () => {
  for (const [retention, message] of [
    [1, 'retention must be an object'],
    [{ completed: 5 }, 'retention.completed must be an object of count and age'],
    [{ completed: { age: -1 } }, 'retention.completed.age must be an integer of at least 0'],
    [{ failed: { count: 1.5 } }, 'retention.failed.count must be an integer of at least 0'],
  ] as const) {
    it(`is refused where it is wrong: ${JSON.stringify(retention)}`, () => {
      expect(() => {
        checkPolicy({ retention } as unknown as Policy, NAME);
      }).to.throw(message);
    });
  }

  it('may bound either, both or nothing', () => {
    for (const retention of [{}, { completed: {} }, { failed: { age: 0, count: 0 } }]) {
      expect(() => {
        checkPolicy({ retention }, NAME);
      }).not.to.throw();
    }
  });

  // holds: retention.policies
  it('replaces that of all queues for completed and for failed jobs', () => {
    const ofAll = { retention: { completed: { age: 5, count: 5 }, failed: { age: 6 } } };
    expect(joinedPolicy({ retention: { completed: { count: 1 } } }, ofAll).retention).to.deep.equal(
      {
        completed: { count: 1 },
        failed: { age: 6 },
      },
    );
    expect(joinedPolicy({ maxJobSize: 1 }, ofAll)).to.deep.include(ofAll);
    expect(joinedPolicy({ retention: { failed: {} } }, ofAll).retention).to.deep.equal({
      completed: { age: 5, count: 5 },
      failed: {},
    });
    expect(joinedPolicy({ maxJobSize: 1 }, { maxWaiting: 1 })).not.to.have.property('retention');
  });

  it('says which jobs are beyond it', () => {
    const retention = { completed: { age: 2, count: 0 }, failed: {} };
    expect(beyondRetention(retention, 'completed', 5000)).to.deep.equal({
      endedBy: 3000,
      downTo: 0,
    });
    expect(beyondRetention(retention, 'failed', 5000)).to.equal(undefined);
    expect(isLimiting(retention)).to.equal(true);
    expect(isLimiting({ failed: {} })).to.equal(false);
  });
});
