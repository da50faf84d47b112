import { expect } from 'chai';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { answerClientError } from '../../../src/adapters/inbound/http/server/client-error.ts';

function failure(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error('parser words'), { code });
}

describe('answerClientError', () => {
  for (const [code, status] of [
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
    ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
    ['HPE_INVALID_METHOD', '400 Bad Request'],
    ['anything else', '400 Bad Request'],
  ] as const) {
    it(`answers ${code} with ${status}`, async () => {
      const socket = new PassThrough();
      answerClientError(failure(code), socket);
      const answer = await text(socket);
      expect(answer).to.match(new RegExp(`^HTTP/1.1 ${status}\r\n`));
      expect(answer).not.to.contain('parser words');
    });
  }

  it('sends nothing to a client that has left', () => {
    const socket = new PassThrough();
    answerClientError(failure('ECONNRESET'), socket);
    expect(socket.destroyed).to.equal(true);
    expect(socket.read()).to.equal(null);
  });
});
