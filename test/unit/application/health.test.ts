import { expect } from 'chai';
import sinon from 'sinon';
import { Health } from '../../../src/application/health/health.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';

describe('Health', () => {
  const check = sinon.stub<[], Promise<void>>();
  let health: Health;

  beforeEach(() => {
    check.reset();
    health = new Health({ check }, { reconciled: true });
  });

  // holds: security.readiness
  it('asks the store once for concurrent callers, and again for later ones', async () => {
    let answer = (): void => undefined;
    check.returns(new Promise((resolve) => (answer = resolve)));
    const first = Array.from({ length: 1000 }, () => health.readiness());
    answer();
    for (const readiness of await Promise.all(first))
      expect(readiness).to.deep.equal({ ready: true });
    expect(check.callCount).to.equal(1);
    await health.readiness();
    expect(check.callCount).to.equal(2);
  });

  // holds: security.readiness
  it('reports to all concurrent callers that the store is away, and asks it again', async () => {
    check.onFirstCall().rejects(storeUnavailable('down')).onSecondCall().resolves();
    const away = { ready: false, reason: 'The store is unavailable' };
    expect(await Promise.all([health.readiness(), health.readiness()])).to.deep.equal([away, away]);
    expect(await health.readiness()).to.deep.equal({ ready: true });
  });
});
