import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { answer } from '../../support/endpoint-server.ts';
import { MAX_RESPONSE_SIZE, type WebhookCaller } from '../webhook-caller.ts';

const TEXT = 'grün '.repeat(1000);

export function describeDecoding(caller: () => WebhookCaller): void {
  describe('a compressed answer', () => {
    const codings: [string, string, Buffer][] = [
      ['gzip', 'gzip', gzipSync(TEXT)],
      ['x-gzip', 'X-GZip', gzipSync(TEXT)],
      ['deflate', 'deflate', deflateSync(TEXT)],
      ['deflate without its wrapping', 'deflate', deflateRawSync(TEXT)],
      ['brotli', 'br', brotliCompressSync(TEXT)],
      ['identity', 'identity', Buffer.from(TEXT)],
    ];
    for (const [name, encoding, bytes] of codings) {
      it(`is decoded: ${name}`, async () => {
        const headers = { 'content-encoding': encoding };
        const endpoint = await caller().endpoint(answer(200, bytes, headers));
        expect((await caller().call(endpoint.url)).body).to.equal(TEXT);
      });
    }

    it('may have no body at all', async () => {
      const endpoint = await caller().endpoint(answer(200, '', { 'content-encoding': 'gzip' }));
      expect((await caller().call(endpoint.url)).body).to.equal('');
    });

    it('fails when its size decoded exceeds the limit', async () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      const headers = { 'content-encoding': 'gzip' };
      const endpoint = await caller().endpoint(answer(200, bomb, headers));
      const failure = await caller().failure(endpoint.url);
      expect(failure).to.equal(`Endpoint answer exceeds ${MAX_RESPONSE_SIZE} bytes`);
    });

    it('is read no further than the limit', async () => {
      const brokenLater = gzipSync(Buffer.alloc(50_000_000));
      brokenLater.fill(0xff, brokenLater.length - 10_000);
      const headers = { 'content-encoding': 'gzip' };
      const endpoint = await caller().endpoint(answer(200, brokenLater, headers));
      const failure = await caller().failure(endpoint.url);
      expect(failure).to.equal(`Endpoint answer exceeds ${MAX_RESPONSE_SIZE} bytes`);
    });

    it('is cut at the limit when it fails the attempt anyway', async () => {
      const bomb = gzipSync(Buffer.alloc(1_000_000, 'x'));
      const headers = { 'content-encoding': 'gzip' };
      const endpoint = await caller().endpoint(answer(500, bomb, headers));
      const { body } = await caller().call(endpoint.url);
      expect(body).to.equal('x'.repeat(MAX_RESPONSE_SIZE));
    });

    const broken: [string, string, Buffer][] = [
      ['of an unknown coding', 'zstd', Buffer.from('?')],
      ['that is not what it says', 'gzip', Buffer.from('plain')],
      ['that is incomplete', 'gzip', gzipSync(TEXT).subarray(0, -10)],
    ];
    for (const [name, encoding, bytes] of broken) {
      it(`${name} fails`, async () => {
        const headers = { 'content-encoding': encoding };
        const endpoint = await caller().endpoint(answer(200, bytes, headers));
        const failure = await caller().failure(endpoint.url);
        expect(failure).to.equal(`Endpoint answer cannot be decoded as ${encoding}`);
      });

      it(`${name} leaves the status of a failed attempt as it is`, async () => {
        const headers = { 'content-encoding': encoding };
        const endpoint = await caller().endpoint(answer(503, bytes, headers));
        const { status, body } = await caller().call(endpoint.url);
        expect(status).to.equal(503);
        expect(TEXT.startsWith(body)).to.equal(true);
      });
    }
  });
}
