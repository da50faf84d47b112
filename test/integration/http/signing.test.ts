import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

const endpoint = { url: 'http://localhost:9000/hook', method: 'post' };
const worker = { queue: 'mail', endpoint };
const signed = { ...worker, endpoint: { ...endpoint, signing: true } };

describe('Secrets of signed calls', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService().start();
  });
  afterEach(() => service.request('DELETE', '/workers/mail'));
  after(() => service.stop());

  const register = (body: unknown) => service.request('POST', '/workers', { body });
  const rotate = (queue: string) => service.request('POST', `/workers/${queue}/rotate-secret`);

  /** The secret of an answer that contains nothing else. */
  function secretOf({ status, headers, text }: Awaited<ReturnType<typeof register>>): string {
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
    const { secret, ...rest } = JSON.parse(text) as { secret: string };
    expect(secret).to.match(SECRET);
    expect(rest).to.deep.equal({});
    return secret;
  }

  // holds: signing.secret-once
  it('are returned only by the registration that created one', async () => {
    secretOf(await register(signed));
    expect(await register(signed)).to.include({ status: 200, text: 'OK' });
    const elsewhere = { ...signed.endpoint, url: 'https://example.com/' };
    expect(await register({ ...signed, endpoint: elsewhere })).to.include({ text: 'OK' });
  });

  // holds: signing.rotation
  it('are replaced by a rotation, each time by a different one', async () => {
    const secrets = [secretOf(await register(signed))];
    for (let turn = 0; turn < 3; turn += 1) secrets.push(secretOf(await rotate('mail')));
    expect(new Set(secrets)).to.have.lengthOf(4);
    expect(await register(signed)).to.include({ status: 200, text: 'OK' });
  });

  // holds: signing.refused
  it('are not rotated if a worker has none', async () => {
    expect(await rotate('mail')).to.include({ status: 404, text: 'Worker not found' });
    for (const unsigned of [worker, { ...worker, endpoint: { ...endpoint, signing: false } }]) {
      expect(await register(unsigned)).to.include({ status: 200, text: 'OK' });
      const refused = { status: 409, text: 'The calls of the worker are not signed' };
      expect(await rotate('mail')).to.include(refused);
    }
    expect((await rotate('a:b')).status).to.equal(400);
  });

  // holds: signing.most-secrets
  it('are not rotated while nine former ones still sign, and none of them ends early', async () => {
    secretOf(await register(signed));
    for (let turn = 0; turn < 9; turn += 1) secretOf(await rotate('mail'));
    for (let turn = 0; turn < 2; turn += 1) {
      const { status, text } = await rotate('mail');
      expect(status).to.equal(409);
      expect(text).to.match(
        /^Nine former secrets still sign the calls of the worker, the first of them ends at \d{4}-\S+Z$/,
      );
    }
    expect(await register(signed)).to.include({ status: 200, text: 'OK' });
  });

  // holds: signing.dropped
  it('are dropped by a registration without signing, and with the worker', async () => {
    const first = secretOf(await register(signed));
    expect(await register(worker)).to.include({ status: 200, text: 'OK' });
    expect((await rotate('mail')).status).to.equal(409);
    const second = secretOf(await register(signed));
    await service.request('DELETE', '/workers/mail');
    const third = secretOf(await register(signed));
    expect(new Set([first, second, third])).to.have.lengthOf(3);
  });

  // holds: signing.secret-once
  it('stay when the worker is disabled and enabled', async () => {
    secretOf(await register(signed));
    await service.request('POST', '/workers/mail/disable');
    await service.request('POST', '/workers/mail/enable');
    expect(await register(signed)).to.include({ status: 200, text: 'OK' });
  });

  // holds: signing.hidden
  it('are in no other answer and no log line', async () => {
    const secrets = [secretOf(await register(signed)), secretOf(await rotate('mail'))];
    const read = await service.request('GET', '/workers/mail');
    expect(JSON.parse(read.text)).to.deep.equal(signed);
    const shown = [read.text];
    for (const path of ['/workers', '/queues', '/queues/mail', '/workers/mail/health']) {
      shown.push((await service.request('GET', path)).text);
    }
    shown.push(JSON.stringify(service.logger.lines));
    for (const text of shown) {
      expect(text).not.to.include('whsec_');
      for (const secret of secrets) expect(text).not.to.include(secret.slice('whsec_'.length));
    }
  });

  // holds: signing.hidden
  it('cannot be chosen by clients', async () => {
    const secrets = { current: 'whsec_AAAA', former: [] };
    const answer = await register({ ...signed, endpoint: { ...signed.endpoint, secrets } });
    expect(answer).to.include({ status: 400, text: 'endpoint.secrets is not a known field' });
    for (const signing of ['true', 1, null, 'whsec_AAAA']) {
      const refused = await register({ ...worker, endpoint: { ...endpoint, signing } });
      expect(refused).to.include({
        status: 400,
        text: 'endpoint.signing must be true or false',
      });
    }
  });

  // holds: signing.one-winner
  it('are returned to one of many clients that register at once, and each one returned is stored', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => register(signed)));
    expect(answers.filter(({ text }) => text === 'OK')).to.have.lengthOf(9);
  });
});
