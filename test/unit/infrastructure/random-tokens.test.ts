import { expect } from 'chai';
import { RandomTokens } from '../../../src/infrastructure/random-tokens.ts';

describe('random tokens', () => {
  it('differ, and none begins as an option of a command does', () => {
    const tokens = new RandomTokens();
    const drawn = Array.from({ length: 5000 }, () => tokens.draw());
    expect(new Set(drawn).size).to.equal(drawn.length);
    expect(drawn.filter((token) => !/^[\w][\w-]{31}$/.test(token))).to.deep.equal([]);
  });
});
