import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

const AS_TEXT = { text: 'OK', type: 'text/plain; charset=utf-8' };
const AS_JSON = { text: '"OK"', type: 'application/json; charset=utf-8' };

describe('The answer OK', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService().start();
  });

  after(() => service.stop());

  for (const [accept, expected] of [
    ['*/*', AS_TEXT],
    ['text/plain', AS_TEXT],
    ['application/*', AS_TEXT],
    ['application/problem+json', AS_TEXT],
    ['application/json; q=0, */*', AS_TEXT],
    ['application/json', AS_JSON],
    ['Application/JSON;charset=utf-8', AS_JSON],
    ['text/html, application/json;q=0.5', AS_JSON],
  ] as const) {
    it(`is ${expected.text} for a client that accepts ${accept}`, async () => {
      const headers = { Accept: accept };
      const {
        status,
        text,
        headers: answered,
      } = await service.request('POST', '/queues/any/pause', { headers });
      expect({ status, text, type: answered.get('content-type') }).to.deep.equal({
        status: 200,
        ...expected,
      });
    });
  }

  it('replaces no error', async () => {
    const headers = { Accept: 'application/json' };
    const answer = await service.request('DELETE', '/workers/none', { headers });
    expect(answer).to.include({ status: 404, text: 'Worker not found' });
  });
});
