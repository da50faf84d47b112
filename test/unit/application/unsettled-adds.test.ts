import { expect } from 'chai';
import { UnsettledAdds } from '../../../src/application/running/unsettled-adds.ts';
import { storedOrNot, storeFull, storeUnavailable } from '../../../src/domain/errors.ts';
import { rejection } from '../../support/rejection.ts';

const FIRST = { key: 'key-1', body: 'body-1' };
const GONE = new Error('gone');

describe('adds with an Idempotency-Key that may still be stored', () => {
  let adds: UnsettledAdds;

  beforeEach(() => {
    adds = new UnsettledAdds();
  });

  const refusedWith = (error: Error, key = FIRST.key): Promise<Error> =>
    rejection(adds.run({ ...FIRST, key }, () => Promise.reject(error)));

  for (const refusal of [storeUnavailable(GONE), storeFull('reads still work')]) {
    // holds: idempotency.unsettled
    it(`have repetitions that get ${refusal.code} answered as those of adds in progress`, async () => {
      let end = (): void => undefined;
      const first = adds.run(FIRST, () => new Promise<void>((resolve) => (end = resolve)));
      const inProgress = { code: 'idempotency-key-in-use' };
      expect(await refusedWith(refusal)).to.include(inProgress);
      expect(await refusedWith(refusal, 'key-2')).to.equal(refusal);
      end();
      await first;
      expect(await refusedWith(refusal)).to.equal(refusal);
    });
  }

  // holds: idempotency.unsettled
  it('are so after their commit was lost, until a repetition is answered', async () => {
    const lost = storedOrNot(GONE);
    expect(await refusedWith(lost)).to.equal(lost);
    const inProgress = { code: 'idempotency-key-in-use' };
    expect(await refusedWith(storeUnavailable(GONE))).to.include(inProgress);
    expect(await adds.run(FIRST, () => Promise.resolve('repeated'))).to.equal('repeated');
    const refusal = storeUnavailable(GONE);
    expect(await refusedWith(refusal)).to.equal(refusal);
  });

  it('are forgotten beyond 10,000, the oldest first', async () => {
    for (let count = 0; count <= 10_000; count += 1)
      await refusedWith(storedOrNot(GONE), `${count}`);
    const refusal = storeUnavailable(GONE);
    expect(await refusedWith(refusal, '0')).to.equal(refusal);
    expect(await refusedWith(refusal, '1')).to.include({ code: 'idempotency-key-in-use' });
  });
});
