import { expect } from 'chai';
import { groupDefaults } from '../../../src/application/policies/group-defaults.ts';
import { PUSH_QUEUE } from '../../../src/domain/messages/push-id.ts';

describe('the defaults of groups', () => {
  it('of pushed messages are one object while the settings stay, so that claims go together', () => {
    const policy = { groups: { ordered: false } } as const;
    const defaultsIn = (groups: object) =>
      groupDefaults(
        PUSH_QUEUE,
        { endpoint: { url: null, method: 'post', body: 'data' } },
        { of: () => groups },
      );
    const first = defaultsIn(policy);
    expect(first).to.deep.equal({ ordered: false, hasFlows: true });
    expect(defaultsIn(policy)).to.equal(first);
    expect(defaultsIn({})).to.equal(defaultsIn({}));
    expect(defaultsIn({})).to.deep.equal({ hasFlows: true });
  });
});
