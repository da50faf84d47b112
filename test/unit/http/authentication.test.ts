import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect } from 'chai';
import sinon from 'sinon';
import { Authentication } from '../../../src/adapters/inbound/http/authentication.ts';

describe('Authentication', () => {
  afterEach(() => {
    sinon.restore();
    syncBuiltinESMExports();
  });

  for (const token of ['first', 'second', 'third', 'neither', 'f', 'x'.repeat(5000)]) {
    it(`compares "${token.slice(0, 12)}" with every token, in constant time`, () => {
      const authentication = new Authentication(['first', 'second', 'third']);
      const comparison = sinon.spy(crypto, 'timingSafeEqual');
      syncBuiltinESMExports();
      try {
        authentication.authenticate('api', `Bearer ${token}`);
      } catch {
        // Whether it is accepted is for other tests: this one looks at how that is found out.
      }
      expect(comparison.callCount).to.equal(3);
    });
  }
});
