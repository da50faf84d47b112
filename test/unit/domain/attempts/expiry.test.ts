import { expect } from 'chai';
import { expiredReason, expiryOf, hasExpired } from '../../../../src/domain/attempts/expiry.ts';

describe('the expiry of a job', () => {
  it('comes a given time after the job was added', () => {
    expect(expiryOf(1000, 500)).to.equal(1500);
    expect(expiryOf(1000, undefined)).to.equal(undefined);
  });

  it('lets no first attempt start from then on', () => {
    expect(hasExpired(1500, 1499)).to.equal(false);
    expect(hasExpired(1500, 1500)).to.equal(true);
    expect(hasExpired(undefined, 1500)).to.equal(false);
  });

  it('names the time that the job was given', () => {
    expect(expiredReason(500)).to.equal('Expired after 500 ms');
  });
});
