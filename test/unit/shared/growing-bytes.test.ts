import { expect } from 'chai';
import { GrowingBytes } from '../../../src/adapters/shared/growing-bytes.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { eventually } from '../../support/eventually.ts';

describe('GrowingBytes', () => {
  for (const [chunks, whole] of [
    [[], ''],
    [['abc'], 'abc'],
    [['', 'abc', '', 'de'], 'abcde'],
    [['a', 'bc', 'def', 'ghij', 'klmno'], 'abcdefghijklmno'],
  ] as const) {
    it(`joins ${JSON.stringify(chunks)}`, () => {
      const bytes = new GrowingBytes();
      for (const chunk of chunks) bytes.add(Buffer.from(chunk));
      expect(bytes.bytes().toString()).to.equal(whole);
      expect(bytes.size).to.equal(whole.length);
    });
  }

  it('writes into no chunk that it was given', () => {
    const chunk = Buffer.from('abcdef').subarray(0, 3);
    const bytes = new GrowingBytes();
    bytes.add(chunk);
    bytes.add(Buffer.from('xyz'));
    expect(bytes.bytes().toString()).to.equal('abcxyz');
    expect(Buffer.from(chunk.buffer, chunk.byteOffset, 6).toString()).to.equal('abcdef');
  });

  it('takes little more memory than its bytes, for any number of chunks', async () => {
    const memory = (): number => {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = memory();
    const bytes = new GrowingBytes();
    for (let count = 0; count < 50_000; count += 1) bytes.add(Buffer.from([count]));
    // Free memory is given back in the background, after the collection.
    await eventually('the memory of the chunks is freed', () =>
      Promise.resolve(memory() - before < 2_000_000),
    );
    expect(bytes.size).to.equal(50_000);
  });

  it('keeps only its bytes, not everything that arrived around them', async () => {
    const bytes = new GrowingBytes();
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 1000; count += 1) bytes.add(Buffer.alloc(65_536).subarray(0, 1));
    // Free memory is given back in the background, after the collection.
    await eventually('the memory around the bytes is freed', () => {
      collectGarbage();
      return Promise.resolve(process.memoryUsage().arrayBuffers - before < 1_000_000);
    });
    expect(bytes.bytes()).to.have.lengthOf(1000);
  });
});
