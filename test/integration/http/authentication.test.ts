import { expect } from 'chai';
import { HttpService, TOKEN } from './support/http-service.ts';

const API_ROUTES = [
  ['POST', '/queues/mail/jobs'],
  ['POST', '/queues/mail'],
  ['GET', '/queues/mail/jobs'],
  ['GET', '/queues/mail/jobs/1'],
  ['POST', '/queues/mail/jobs/1/progress'],
  ['POST', '/queues/mail/jobs/1/logs'],
  ['GET', '/queues/mail/jobs/1/logs'],
  ['DELETE', '/queues/mail/jobs/1'],
  ['PATCH', '/queues/mail/jobs/1'],
  ['POST', '/queues/mail/jobs/1/promote'],
  ['POST', '/queues/mail/jobs/1/retry'],
  ['GET', '/queues/mail'],
  ['POST', '/queues/mail/pause'],
  ['POST', '/queues/mail/resume'],
  ['POST', '/queues/mail/drain'],
  ['PUT', '/queues/mail/policy'],
  ['GET', '/queues/mail/policy'],
  ['DELETE', '/queues/mail/policy'],
  ['PUT', '/policy'],
  ['GET', '/policy'],
  ['DELETE', '/policy'],
  ['POST', '/workers'],
  ['GET', '/workers'],
  ['GET', '/workers/mail'],
  ['DELETE', '/workers/mail'],
] as const;

const ELSEWHERE = [
  ['GET', '/'],
  ['GET', '/nowhere'],
  ['GET', '/queues/%zz'],
  ['PUT', '/workers'],
  ['OPTIONS', '/queues/mail/jobs'],
] as const;

describe('Authentication', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService({ tokens: ['other', TOKEN, 'grün'] }).start();
  });

  after(() => service.stop());

  const withHeader = (authorization: string, method = 'GET', path = '/workers') =>
    service.request(method, path, { headers: { Authorization: authorization } });

  for (const [method, path] of [...API_ROUTES, ...ELSEWHERE]) {
    // holds: auth.api-token
    it(`requires a token before anything else: ${method} ${path}`, async () => {
      const response = await fetch(service.url + path, {
        method,
        ...(method === 'POST' ? { body: '{broken' } : {}),
      });
      expect(response.status).to.equal(401);
      expect(response.headers.get('www-authenticate')).to.equal('Bearer');
      expect(await response.text()).to.equal('A bearer token is required');
    });
  }

  // holds: tokens.scheme
  it('takes any of the tokens, and the scheme in any case', async () => {
    for (const header of [`Bearer ${TOKEN}`, 'bearer other', `BEARER  ${TOKEN} `]) {
      expect((await withHeader(header)).status, header).to.equal(200);
    }
  });

  it('takes a token of characters beyond ASCII as it arrives in bytes', async () => {
    const bytes = Buffer.from('grün').toString('latin1');
    expect((await withHeader(`Bearer ${bytes}`)).status).to.equal(200);
  });

  for (const header of [
    'Bearer',
    'Bearer ',
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer other,${TOKEN}`,
    `Bearer ${TOKEN} ${TOKEN}`,
  ]) {
    // holds: answers.unauthorized
    it(`refuses "${header}"`, async () => {
      const { status, headers, text } = await withHeader(header);
      expect(status).to.equal(401);
      expect(headers.get('www-authenticate')).to.equal(
        /^Bearer \S+$/.test(header) ? 'Bearer error="invalid_token"' : 'Bearer',
      );
      expect(text).not.to.contain(TOKEN);
    });
  }

  it('never logs a token', async () => {
    await withHeader('Bearer very-secret', 'POST');
    expect(JSON.stringify(service.logger.lines)).not.to.contain('very-secret');
  });

  describe('without any configured token', () => {
    let closed: HttpService;

    before(async () => {
      closed = await new HttpService({ tokens: [] }).start();
    });

    after(() => closed.stop());

    for (const [method, path] of API_ROUTES) {
      // holds: tokens.none
      it(`refuses every request: ${method} ${path}`, async () => {
        const body = method === 'POST' ? { body: '1' } : {};
        expect((await closed.request(method, path, body)).status).to.equal(401);
      });
    }
  });
});
