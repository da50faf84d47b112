import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { NOBODY, type Caller } from '../../../src/domain/access/caller.ts';
import { authenticationWith } from '../../support/authentication-with.ts';
import { environmentTokens } from '../../../src/adapters/inbound/http/api/environment-tokens.ts';

const ADDRESS = '127.0.0.1';

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

describe('Authentication', () => {
  for (const token of ['first', 'third', 'neither', 'f', 'grün', 'x'.repeat(5000)]) {
    // holds: tokens.constant-time
    it(`looks up "${token.slice(0, 12)}" only by its digest`, () => {
      const digests: string[] = [];
      const find = (digest: string) => {
        digests.push(digest);
        return NOBODY;
      };
      const authentication = authenticationWith({ all: [], isEmpty: false, find });
      const asHeader = Buffer.from(token).toString('latin1');
      expect(authentication.callerOf(`Bearer ${asHeader}`, ADDRESS, {})).to.equal(NOBODY);
      expect(digests).to.deep.equal([digestOf(token)]);
    });
  }

  for (const length of [1, 63, 64, 65, 5000]) {
    it(`distinguishes a token of ${String(length)} bytes from longer and shorter ones`, () => {
      const tokens = environmentTokens(['x'.repeat(length), 'y'.repeat(20)], []);
      const authentication = authenticationWith(tokens);
      const presented = (size: number) => () =>
        authentication.callerOf(`Bearer ${'x'.repeat(size)}`, ADDRESS, {}) as Caller;
      expect(presented(length)().name).to.equal('environment:1');
      for (const other of [length - 1, length + 1, 2 * length].filter((size) => size > 0)) {
        expect(presented(other), String(other)).to.throw('not valid');
      }
    });
  }

  // holds: rights.environment
  it('numbers the digests of the environment after its tokens, all with one space of keys', () => {
    const tokens = environmentTokens(['one', 'two'], [digestOf('three')]);
    const authentication = authenticationWith(tokens);
    const callers = ['one', 'two', 'three'].map(
      (token) => authentication.callerOf(`Bearer ${token}`, ADDRESS, {}) as Caller,
    );
    expect(callers.map(({ name }) => name)).to.deep.equal([
      'environment:1',
      'environment:2',
      'environment:3',
    ]);
    expect(new Set(callers.map(({ keySpace }) => keySpace)).size).to.equal(1);
    expect(callers.every((caller) => caller.may('admin') && caller.queues === null)).to.equal(true);
  });
});
