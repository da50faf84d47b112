import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { CappedBytes } from '../../../src/adapters/outbound/webhook/capped-bytes.ts';
import { ContentDecoder } from '../../../src/adapters/outbound/webhook/content-decoding.ts';
import { rejection } from '../../support/rejection.ts';

const LIMIT = 1_000_000;
const BOMB = brotliCompressSync(Buffer.alloc(20 * LIMIT));

describe('ContentDecoder', () => {
  // holds: security.decoding
  it('decodes two answers at a time, in the order of arrival, and all of them', async () => {
    const decoder = new ContentDecoder();
    const ended: string[] = [];
    const decode = async (name: string, bytes: Buffer, encoding: string): Promise<CappedBytes> => {
      const decoded = new CappedBytes(LIMIT);
      await decoder.decode(bytes, encoding, decoded);
      ended.push(name);
      return decoded;
    };
    const bombs = Array.from({ length: 10 }, (_, index) => decode(`bomb ${index}`, BOMB, 'br'));
    const text = decode('text', gzipSync('small'), 'gzip');
    expect((await text).bytes().toString()).to.equal('small');
    expect(ended.length).to.be.at.least(10);
    for (const bomb of bombs) expect((await bomb).exceeded).to.equal(true);
    expect(ended).to.have.lengthOf(11);
  });

  // holds: security.decoding
  it('goes on after answers that cannot be decoded', async () => {
    const decoder = new ContentDecoder();
    const decode = (encoding: string): Promise<void> =>
      decoder.decode(gzipSync('text'), encoding, new CappedBytes(LIMIT));
    for (const encoding of ['br', 'unknown', 'br', 'unknown']) {
      const { message } = await rejection(decode(encoding));
      expect(message).to.equal(`Endpoint answer cannot be decoded as ${encoding}`);
    }
    await decode('gzip');
  });
});
