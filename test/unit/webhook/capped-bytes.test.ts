import { expect } from 'chai';
import { CappedBytes } from '../../../src/adapters/outbound/webhook/capped-bytes.ts';

describe('CappedBytes', () => {
  const added = (limit: number, ...chunks: readonly string[]): CappedBytes => {
    const bytes = new CappedBytes(limit);
    for (const chunk of chunks) bytes.add(Buffer.from(chunk));
    return bytes;
  };

  for (const [limit, chunks, kept, exceeded] of [
    [5, [], '', false],
    [5, ['abc'], 'abc', false],
    [5, ['', 'abc', '', 'de'], 'abcde', false],
    [5, ['abcdef'], 'abcde', true],
    [5, ['a', 'bcd', 'ef', 'gh'], 'abcde', true],
    [100, ['a', 'bc', 'def', 'ghij', 'klmno'], 'abcdefghijklmno', false],
  ] as const) {
    it(`keeps "${kept}" of ${JSON.stringify(chunks)} with a limit of ${limit}`, () => {
      const bytes = added(limit, ...chunks);
      expect(bytes.bytes().toString()).to.equal(kept);
      expect(bytes.exceeded).to.equal(exceeded);
    });
  }
});
