import { expect } from 'chai';
import { ClaimTokens } from '../../../src/application/running/claim-tokens.ts';
import { rejection } from '../../support/rejection.ts';

describe('ClaimTokens', () => {
  let drawn: number;
  const source = { draw: () => `token-${String((drawn += 1))}` };

  beforeEach(() => {
    drawn = 0;
  });

  const used = (tokens: ClaimTokens): Promise<[string, boolean]> =>
    tokens.use((token, isRepeated) => Promise.resolve([token, isRepeated]));

  async function fails(tokens: ClaimTokens): Promise<void> {
    await rejection(tokens.use(() => Promise.reject(new Error('no answer'))));
  }

  it('gives each claim a token of its own', async () => {
    const tokens = new ClaimTokens(source);
    expect(await used(tokens)).to.deep.equal(['token-1', false]);
    expect(await used(tokens)).to.deep.equal(['token-2', false]);
  });

  it('gives the token of a claim without an answer to the next one, once', async () => {
    const tokens = new ClaimTokens(source);
    await fails(tokens);
    expect(tokens.hasUnanswered).to.equal(true);
    expect(await used(tokens)).to.deep.equal(['token-1', true]);
    expect(await used(tokens)).to.deep.equal(['token-2', false]);
  });

  it('remembers no more tokens than it may', async () => {
    const tokens = new ClaimTokens(source, 1);
    await Promise.all([fails(tokens), fails(tokens)]);
    expect(await used(tokens)).to.deep.equal(['token-1', true]);
    expect(await used(tokens)).to.deep.equal(['token-3', false]);
  });

  it('is idle unless a claim runs or waits to be repeated', async () => {
    const tokens = new ClaimTokens(source);
    const during = await tokens.use(() => Promise.resolve(tokens.isIdle));
    expect([during, tokens.isIdle]).to.deep.equal([false, true]);
    await fails(tokens);
    expect(tokens.isIdle).to.equal(false);
    await used(tokens);
    expect(tokens.isIdle).to.equal(true);
  });
});
