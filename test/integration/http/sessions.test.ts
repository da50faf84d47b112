import { expect } from 'chai';
import { Rounds } from '../../../src/application/running/rounds.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { HttpService, TOKEN, type Answer } from './support/http-service.ts';

/** The headers that every page of the dashboard sends. */
const OWN = { 'Jobgate-Dashboard': '1', 'Sec-Fetch-Site': 'same-origin' };

const HOUR = 3_600_000;

function cookieOf({ headers }: Answer): string {
  return headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

describe('Sessions', () => {
  let service: HttpService;

  beforeEach(async () => {
    service = await new HttpService({
      proxies: ['127.0.0.0/8'],
      tokens: [TOKEN, 'other'],
    }).start();
  });
  afterEach(() => service.stop());

  const signIn = async (options: { token?: string } = {}): Promise<string> => {
    const answer = await service.request('POST', '/sessions', options);
    expect(answer.status).to.equal(204);
    return cookieOf(answer);
  };

  /** A request of a browser, which has a cookie and no token. */
  const browse = (
    method: string,
    path: string,
    cookie: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> =>
    service.request(method, path, { token: null, headers: { cookie, ...headers } });

  // holds: sessions.cookie
  it('sets a cookie that no script can read and, over TLS, no other host', async () => {
    const plain = await service.request('POST', '/sessions');
    expect(plain.headers.get('set-cookie')).to.match(
      /^jobgate-session=[^;]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    const headers = { 'X-Forwarded-Proto': 'https' };
    const secure = await service.request('POST', '/sessions', { headers });
    expect(secure.headers.get('set-cookie')).to.match(
      /^__Host-jobgate=[^;]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(secure.text).to.equal('');
  });

  // holds: sessions.cookie
  it('lets no cache store what it answers to a cookie, nor what shows tokens', async () => {
    const cookie = await signIn();
    const caching = ({ headers }: Answer): string | null => headers.get('cache-control');
    for (const path of ['/queues', '/workers', '/whoami', '/queues/none']) {
      expect(caching(await browse('GET', path, cookie)), path).to.equal('no-store');
    }
    for (const path of ['/whoami', '/tokens', '/tokens/none', '/sessions']) {
      expect(caching(await service.request('GET', path)), path).to.equal('no-store');
    }
    expect(caching(await service.request('POST', '/sessions'))).to.equal('no-store');
    expect(caching(await service.request('GET', '/queues'))).to.equal(null);
    const events = await fetch(`${service.url}/events`, { headers: { cookie } });
    expect(events.headers.get('cache-control')).to.equal('no-store');
    await events.body?.cancel();
  });

  // holds: sessions.cookie
  it('sets a secure cookie when its public address has TLS', async () => {
    const behindTls = await new HttpService({ publicUrl: 'https://jobs.example' }).start();
    try {
      const { headers } = await behindTls.request('POST', '/sessions');
      expect(headers.get('set-cookie')).to.match(/^__Host-jobgate=.*; Secure$/);
    } finally {
      await behindTls.stop();
    }
  });

  // holds: sessions.use
  it('stands in for its token for 12 hours', async () => {
    const cookie = await signIn();
    const { text } = await browse('GET', '/whoami', cookie);
    expect(JSON.parse(text)).to.deep.include({ name: 'environment:1', via: 'session' });
    await service.clock.advance(12 * HOUR);
    const late = await browse('GET', '/whoami', cookie);
    expect([late.status, late.text]).to.deep.equal([401, 'The session is not valid']);
  });

  // holds: sessions.use
  it('opens no session with a cookie in place of a token', async () => {
    const { status } = await browse('POST', '/sessions', await signIn(), OWN);
    expect(status).to.equal(401);
  });

  // holds: sessions.use
  it('ends with the token it was opened with', async () => {
    const body = { name: 'shop', rights: ['read'] };
    const made = await service.request('POST', '/tokens', { body });
    const { id, token } = JSON.parse(made.text) as { id: string; token: string };
    const cookie = await signIn({ token });
    expect((await browse('GET', '/queues', cookie)).status).to.equal(200);
    await service.request('DELETE', `/tokens/${id}`);
    expect((await browse('GET', '/queues', cookie)).status).to.equal(401);
  });

  // holds: sessions.list
  it('lists and ends the sessions of the same token, and of no other', async () => {
    const [one, other, foreign] = [
      await signIn(),
      await signIn(),
      await signIn({ token: 'other' }),
    ];
    const { text } = await browse('GET', '/sessions', one);
    const { sessions } = JSON.parse(text) as { sessions: { id: string; current: boolean }[] };
    expect(sessions.map(({ current }) => current)).to.have.members([true, false]);
    const id = sessions.find(({ current }) => !current)?.id ?? '';
    expect((await browse('DELETE', `/sessions/${id}`, foreign, OWN)).status).to.equal(404);
    expect((await browse('DELETE', `/sessions/${id}`, one, OWN)).status).to.equal(200);
    expect((await browse('GET', '/whoami', other)).status).to.equal(401);
    const out = await browse('DELETE', '/sessions', one, OWN);
    expect([out.status, out.text]).to.deep.equal([200, 'OK']);
    expect(out.headers.get('set-cookie')).to.match(/^jobgate-session=; Path=\/; Max-Age=0;/);
    expect((await browse('GET', '/whoami', one)).status).to.equal(401);
    expect((await service.request('DELETE', '/sessions')).status).to.equal(404);
  });

  // holds: sessions.bounds
  it('ends the oldest of more than 100 with a token, and lists them in pages', async () => {
    const oldest = await signIn();
    const others: string[] = [];
    const foreign = await signIn({ token: 'other' });
    for (let count = 0; count < 100; count += 1) {
      await service.clock.advance(1);
      others.push(await signIn());
    }
    const latest = others.at(-1) ?? '';
    const statuses = [oldest, others[0] ?? '', latest, foreign].map(
      async (cookie) => (await browse('GET', '/whoami', cookie)).status,
    );
    expect(await Promise.all(statuses)).to.deep.equal([401, 200, 200, 200]);
    const page = async (query: string): Promise<{ total: number; sessions: object[] }> =>
      JSON.parse((await browse('GET', `/sessions${query}`, latest)).text) as {
        total: number;
        sessions: object[];
      };
    const all = await page('');
    expect([all.total, all.sessions.length]).to.deep.equal([100, 100]);
    expect(all.sessions[0]).to.include({ current: true });
    const { total, sessions } = await page('?start=97&length=2');
    expect([total, sessions]).to.deep.equal([100, all.sessions.slice(97, 99)]);
    expect((await browse('GET', '/sessions?length=-1', latest)).status).to.equal(400);
  });

  for (const [sent, headers, status] of [
    ['what its own pages send', OWN, 200],
    ['its own origin', { 'Jobgate-Dashboard': '1', Origin: 'own' }, 200],
    ['nothing', {}, 403],
    ['no header of its own', { 'Sec-Fetch-Site': 'same-origin' }, 403],
    ['no origin', { 'Jobgate-Dashboard': '1' }, 403],
    ['another site', { ...OWN, 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['another host of its site', { ...OWN, 'Sec-Fetch-Site': 'same-site' }, 403],
    ['another origin', { 'Jobgate-Dashboard': '1', Origin: 'http://127.0.0.1:1' }, 403],
    ['another scheme', { 'Jobgate-Dashboard': '1', Origin: 'https' }, 403],
  ] as const) {
    // holds: sessions.origin
    it(`answers a change with a cookie and ${sent} with ${status}`, async () => {
      const origins: Readonly<Record<string, string>> = {
        own: service.url,
        https: service.url.replace('http:', 'https:'),
      };
      const given =
        'Origin' in headers ? { Origin: origins[headers.Origin] ?? headers.Origin } : {};
      const cookie = await signIn();
      const answer = await browse('POST', '/queues/mail/pause', cookie, { ...headers, ...given });
      expect(answer.status).to.equal(status);
      const audit = await service.request('GET', '/audit?action=queue.pause');
      const { entries } = JSON.parse(audit.text) as { entries: { who: object }[] };
      const [{ id }] = (
        JSON.parse((await browse('GET', '/sessions', cookie)).text) as {
          sessions: [{ id: string }];
        }
      ).sessions;
      expect(entries.map(({ who }) => who)).to.deep.equal([
        { id: 'environment:1', name: 'environment:1', via: 'session', session: id },
      ]);
    });
  }

  // holds: sessions.fresh
  it('gives access to tokens and secrets for ten minutes', async () => {
    const cookie = await signIn();
    expect((await browse('GET', '/tokens', cookie)).status).to.equal(200);
    await service.clock.advance(600_000);
    const calls = [
      await browse('GET', '/tokens', cookie),
      await browse('POST', '/workers/mail/rotate-secret', cookie, OWN),
    ];
    for (const { status, text } of calls) {
      expect([status, text]).to.deep.equal([403, 'Sign in again']);
    }
    expect((await browse('GET', '/queues', cookie)).status).to.equal(200);
  });

  // holds: sessions.list
  it('ends the streams of a session with it', async () => {
    const rounds = new Rounds(service.sessions, service.clock, silentLogger);
    await rounds.start();
    const cookie = await signIn();
    const stream = await fetch(`${service.url}/events`, { headers: { cookie } });
    expect(stream.status).to.equal(200);
    const ended = stream.text().catch(() => 'cut');
    await browse('DELETE', '/sessions', cookie, OWN);
    await ended;
    await Promise.all([service.clock.advance(1000), rounds.stop()]);
  });

  // holds: access.proxies
  it('takes the address only from trusted proxies: the rightmost that is not one of them', async () => {
    const from = async (forwarded: string): Promise<string> => {
      const headers = { 'X-Forwarded-For': forwarded };
      const cookie = cookieOf(await service.request('POST', '/sessions', { headers }));
      const { text } = await browse('GET', '/sessions', cookie, headers);
      const { sessions } = JSON.parse(text) as {
        sessions: { address: string; current: boolean }[];
      };
      return sessions.find(({ current }) => current)?.address ?? '';
    };
    expect(await from('10.9.9.9, 203.0.113.7, 127.0.0.2')).to.equal('203.0.113.7');
    expect(await from('')).to.equal('127.0.0.1');
    const direct = await new HttpService().start();
    try {
      const headers = { 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': 'https' };
      const answer = await direct.request('POST', '/sessions', { headers });
      expect(cookieOf(answer)).to.match(/^jobgate-session=/);
      const { text } = await direct.request('GET', '/sessions');
      expect(text).to.include('"address":"127.0.0.1"');
    } finally {
      await direct.stop();
    }
  });
});
