import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect } from 'chai';
import sinon from 'sinon';
import { Authentication } from '../../../src/adapters/inbound/http/api/authentication.ts';

describe('Authentication', () => {
  afterEach(() => {
    sinon.restore();
    syncBuiltinESMExports();
  });

  for (const token of ['first', 'second', 'third', 'neither', 'f', 'x'.repeat(5000)]) {
    // holds: tokens.constant-time
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

  for (const length of [1, 62, 63, 64, 65, 127, 128, 5000]) {
    it(`distinguishes a token of ${String(length)} bytes from longer and shorter ones`, () => {
      const authentication = new Authentication(['x'.repeat(length), 'y'.repeat(20)]);
      const presented = (size: number) => () =>
        authentication.authenticate('api', `Bearer ${'x'.repeat(size)}`);
      expect(presented(length)()).to.have.lengthOf(length);
      for (const other of [length - 1, length + 1, 2 * length, 20].filter((size) => size > 0)) {
        if (other !== length) expect(presented(other), String(other)).to.throw('not valid');
      }
    });
  }
});
