import { expect } from 'chai';
import { BodyBytes } from '../../../src/adapters/inbound/http/messages/body-bytes.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { eventually } from '../../support/eventually.ts';

describe('BodyBytes', () => {
  for (const [chunks, whole] of [
    [[], ''],
    [['abc'], 'abc'],
    [['', 'abc', '', 'de'], 'abcde'],
    [['a', 'bc', 'def', 'ghij', 'klmno'], 'abcdefghijklmno'],
  ] as const) {
    it(`joins ${JSON.stringify(chunks)}`, () => {
      const body = new BodyBytes();
      for (const chunk of chunks) body.add(Buffer.from(chunk));
      expect(body.bytes().toString()).to.equal(whole);
      expect(body.size).to.equal(whole.length);
    });
  }

  it('writes into no chunk that it was given', () => {
    const chunk = Buffer.from('abcdef').subarray(0, 3);
    const body = new BodyBytes();
    body.add(chunk);
    body.add(Buffer.from('xyz'));
    expect(body.bytes().toString()).to.equal('abcxyz');
    expect(Buffer.from(chunk.buffer, chunk.byteOffset, 6).toString()).to.equal('abcdef');
  });

  it('takes little more than its bytes, in however many chunks they come', async () => {
    const memory = (): number => {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = memory();
    const body = new BodyBytes();
    for (let count = 0; count < 200_000; count += 1) body.add(Buffer.from([count]));
    // What is free is given back in the background, after the collection.
    await eventually('the memory of the chunks is freed', () =>
      Promise.resolve(memory() - before < 2_000_000),
    );
    expect(body.size).to.equal(200_000);
  });
});
