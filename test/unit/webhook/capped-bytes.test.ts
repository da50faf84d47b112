import { expect } from 'chai';
import { CappedBytes } from '../../../src/adapters/outbound/webhook/capped-bytes.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { eventually } from '../../support/eventually.ts';

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

  it('writes into no chunk that it was given', () => {
    const chunk = Buffer.from('abcdef').subarray(0, 3);
    const bytes = new CappedBytes(100);
    bytes.add(chunk);
    bytes.add(Buffer.from('xyz'));
    expect(bytes.bytes().toString()).to.equal('abcxyz');
    expect(Buffer.from(chunk.buffer, chunk.byteOffset, 6).toString()).to.equal('abcdef');
  });

  it('keeps its bytes alone, not all that arrived around them', async () => {
    const bytes = new CappedBytes(1_000_000);
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 1000; count += 1) bytes.add(Buffer.alloc(65_536).subarray(0, 1));
    // What is free is given back in the background, after the collection.
    await eventually('the memory around the bytes is freed', () => {
      collectGarbage();
      return Promise.resolve(process.memoryUsage().arrayBuffers - before < 1_000_000);
    });
    expect(bytes.bytes()).to.have.lengthOf(1000);
  });
});
