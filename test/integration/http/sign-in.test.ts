import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { generateKeyPair, SignJWT } from 'jose';
import { OpenIdProvider } from '../../../src/adapters/outbound/jwt/openid-provider.ts';
import type { SignInSettings } from '../../../src/domain/access/sign-in.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeIssuer, type Claims } from '../../support/sign-in/fake-issuer.ts';
import { Person } from '../../support/sign-in/person.ts';
import { HttpService, type Answer } from './support/http-service.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { RecordingLogger } from './support/recording-logger.ts';

const PUBLIC_URL = 'http://jobs.example';
const HOUR = 3_600_000;

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('People who sign in', () => {
  let issuer: FakeIssuer;
  let service: HttpService;
  let settings: SignInSettings;
  let person: Person;

  const identityProvider = (clock: FakeClock, logger: RecordingLogger) =>
    new OpenIdProvider(() => settings, clock, logger);

  beforeEach(async () => {
    issuer = await new FakeIssuer(() => service.clock.now()).start();
    issuer.claims = { groups: ['staff', 'ops'] };
    settings = issuer.settings();
    service = await new HttpService({ identityProvider, publicUrl: PUBLIC_URL }).start();
    person = new Person(service, issuer);
  });
  afterEach(async () => {
    await service.stop();
    await issuer.stop();
  });

  const auditOf = async (action: string): Promise<readonly Claims[]> => {
    const { text } = await service.request('GET', `/audit?action=${action}`);
    return (JSON.parse(text) as { entries: readonly Claims[] }).entries;
  };

  /** The person stays outside, and is told why on a page from which they can begin again. */
  const expectRefusal = ({ status, headers, text }: Answer, expected = 400): void => {
    expect(status, text).to.equal(expected);
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('content-security-policy')).to.include("default-src 'none'");
    expect(text).to.match(/<a href="(?:\.\.\/)?sign-in">Begin again<\/a>/);
    expect(person.session).to.equal(undefined);
  };

  describe('at the issuer', () => {
    // holds: sign-in.session
    it('get a session with the rights of the first rule that matches, for 8 hours', async () => {
      const begun = await person.ask('GET', '/sign-in?to=/dashboard/queues%3Fa=1');
      expect(begun.status).to.equal(303);
      expect(begun.headers.get('set-cookie')).to.match(
        /^jobgate-sign-in=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
      );
      const asked = new URL(begun.headers.get('location') ?? '').searchParams;
      expect(Object.fromEntries(asked)).to.deep.include({
        response_type: 'code',
        client_id: 'jobgate',
        redirect_uri: `${PUBLIC_URL}/sign-in/callback`,
        scope: 'openid groups',
        code_challenge_method: 'S256',
      });
      const back = await person.comeBack(issuer.agree(begun.headers.get('location') ?? ''));
      expect(back.status, back.text).to.equal(303);
      expect(back.headers.get('location')).to.equal(`${PUBLIC_URL}/dashboard/queues?a=1`);
      expect(back.headers.get('set-cookie')).to.match(
        /^jobgate-session=[^;]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/,
      );
      const known = { name: 'ops', rights: ['admin'], queues: null, via: 'sign-in' };
      const expires = service.clock.now() + 8 * HOUR;
      expect(await person.whoami()).to.deep.equal({ ...known, expires, subject: 'ada' });
      await service.clock.advance(8 * HOUR - 1);
      expect((await person.ask('GET', '/queues')).status).to.equal(200);
      await service.clock.advance(1);
      const late = await person.ask('GET', '/queues');
      expect([late.status, late.text]).to.deep.equal([401, 'The session is not valid']);
    });

    // holds: sign-in.session
    it('are in the audit with their subject, and see only their own sessions', async () => {
      await person.signIn();
      const other = new Person(service, issuer);
      issuer.claims = { ...issuer.claims, sub: 'grace' };
      await other.signIn();
      await person.ask('POST', '/queues/mail-a/pause');
      const [entry] = await auditOf('queue.pause');
      expect(entry!['who']).to.deep.include({ name: 'ops', via: 'sign-in', subject: 'ada' });
      expect(entry!['who']).to.have.property('session').that.is.a('string');
      const signIns = await auditOf('session.create');
      expect(
        signIns.map(({ who, outcome }) => [(who as Claims)['subject'], outcome]),
      ).to.deep.equal([
        ['grace', 'ok'],
        ['ada', 'ok'],
      ]);
      const { text } = await person.ask('GET', '/sessions');
      const { sessions } = JSON.parse(text) as { sessions: readonly Claims[] };
      expect(sessions.map(({ current }) => current)).to.deep.equal([true]);
    });

    // holds: sign-in.rights
    it('may do no more than their rule allows', async () => {
      issuer.claims = { groups: 'dev-mail', email_verified: true };
      await person.signIn();
      expect(await person.whoami()).to.deep.include({ name: 'dev', queues: ['mail-*'] });
      expect((await person.ask('GET', '/queues/mail-a/figures')).status).to.equal(404);
      expect((await person.ask('GET', '/queues/news/figures')).status).to.equal(403);
      expect((await person.ask('POST', '/queues/mail-a/pause')).status).to.equal(403);
      expect((await person.ask('POST', '/sessions')).status).to.equal(401);
    });

    // holds: sign-in.session
    it('have their pages protected from other sites, and sign in again for secrets', async () => {
      await person.signIn();
      const cookie = `jobgate-session=${person.session}`;
      const foreign = { headers: { cookie, Origin: 'https://evil.example' }, token: null };
      expect((await service.request('POST', '/queues/mail/pause', foreign)).status).to.equal(403);
      expect((await person.ask('GET', '/tokens')).status).to.equal(200);
      await service.clock.advance(600_000);
      const late = await person.ask('GET', '/tokens');
      expect([late.status, late.text]).to.deep.equal([403, 'Sign in again']);
    });

    // holds: sign-in.claims
    it('may have claims in userinfo that the ID token lacks', async () => {
      issuer.claims = { email_verified: true };
      issuer.userinfo = { groups: ['dev-mail'], email_verified: false };
      await person.signIn();
      expect((await person.whoami())['name']).to.equal('dev');
    });

    // holds: sign-in.claims
    it('are refused where userinfo is about someone else', async () => {
      issuer.claims = {};
      issuer.userinfo = { sub: 'grace', groups: ['ops'] };
      expectRefusal(await person.signIn());
    });
  });

  // holds: sign-in.target
  it('go to paths of this origin alone', async () => {
    for (const to of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      '/\t/evil.example/',
      'dashboard',
      'javascript:alert(1)',
      '',
    ]) {
      expectRefusal(await person.ask('GET', `/sign-in?to=${encodeURIComponent(to)}`));
      expect(person.cookies.size, to).to.equal(0);
    }
    for (const [to, target] of [
      ['/a/..//evil.example', '//evil.example'],
      ['/dashboard?x=y#z', '/dashboard?x=y#z'],
    ] as const) {
      const query = await person.leave(`/sign-in?to=${encodeURIComponent(to)}`);
      const { headers } = await person.comeBack(query);
      expect(headers.get('location')).to.equal(`${PUBLIC_URL}${target}`);
    }
    const { headers } = await person.signIn();
    expect(headers.get('location')).to.equal(`${PUBLIC_URL}/dashboard`);
  });

  describe('with a try', () => {
    // holds: sign-in.try
    it('use it once', async () => {
      const query = await person.leave();
      const cookies = new Map(person.cookies);
      expect((await person.comeBack(query)).status).to.equal(303);
      person.cookies.clear();
      for (const [name, value] of cookies) person.cookies.set(name, value);
      expectRefusal(await person.comeBack(query));
    });

    // holds: sign-in.try
    it('have 10 minutes for it', async () => {
      const query = await person.leave();
      await service.clock.advance(600_000);
      expectRefusal(await person.comeBack(query));
    });

    // holds: sign-in.try
    it('need the browser that began it', async () => {
      const query = await person.leave();
      person.cookies.clear();
      expectRefusal(await person.comeBack(query));
    });

    // holds: sign-in.state
    it('need its state, and do not lose the try by a wrong one', async () => {
      const query = await person.leave();
      for (const state of ['forged', undefined]) {
        const forged = new URLSearchParams(query);
        forged.delete('state');
        if (state !== undefined) forged.set('state', state);
        expectRefusal(await person.comeBack(forged));
      }
      expectRefusal(await person.ask('GET', '/sign-in/callback'));
      expect((await person.comeBack(query)).status).to.equal(303);
    });
  });

  describe('are refused', () => {
    const back = async (change: (query: URLSearchParams) => void): Promise<Answer> => {
      const query = await person.leave();
      change(query);
      return person.comeBack(query);
    };

    // holds: sign-in.mix-up
    it('with the answer of another issuer, or of none', async () => {
      expectRefusal(await back((query) => query.set('iss', 'https://evil.example')));
      expectRefusal(await back((query) => query.delete('iss')));
      expectRefusal(await back((query) => query.append('iss', 'https://evil.example')));
    });

    // holds: sign-in.code
    it('with a code of someone else, or without one', async () => {
      const stolen = (await new Person(service, issuer).leave()).get('code') ?? '';
      expectRefusal(await back((query) => query.set('code', stolen)));
      expectRefusal(await back((query) => query.delete('code')));
      expectRefusal(await back((query) => query.set('code', 'invented')));
    });

    // holds: sign-in.code
    it('when they declined at the issuer', async () => {
      const answer = await back((query) => {
        query.delete('code');
        query.set('error', 'access_denied');
        query.set('error_description', '<script>alert(1)</script>');
      });
      expectRefusal(answer);
      expect(answer.text).to.include('access_denied').and.not.include('<script');
    });

    const changed = (changes: Claims) => (claims: Claims) =>
      issuer.sign(JSON.parse(JSON.stringify({ ...claims, ...changes })) as Claims);
    const now = (): number => Math.floor(service.clock.now() / 1000);

    for (const [title, forge] of [
      ['another nonce', changed({ nonce: 'other' })],
      ['no nonce', changed({ nonce: undefined })],
      ['another issuer', changed({ iss: 'https://evil.example' })],
      ['another audience', changed({ aud: 'other' })],
      ['a further audience that is trusted instead', changed({ aud: ['jobgate', 'x'], azp: 'x' })],
      ['no audience', changed({ aud: undefined })],
      ['an end that is over', (claims: Claims) => changed({ exp: now() - 31 })(claims)],
      ['no end', changed({ exp: undefined })],
      ['a beginning that is ahead', (claims: Claims) => changed({ nbf: now() + 60 })(claims)],
      ['no subject', changed({ sub: undefined })],
      ['a subject that is too long', changed({ sub: 'a'.repeat(256) })],
      ['a subject that cannot be written', changed({ sub: 'a\0b' })],
      [
        'the signature of another key',
        async (claims: Claims) => {
          const { privateKey } = await generateKeyPair('ES256');
          const header = { alg: 'ES256', kid: 'one' };
          return new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
        },
      ],
      [
        'an unknown key',
        async (claims: Claims) => {
          const { privateKey } = await generateKeyPair('ES256');
          const header = { alg: 'ES256', kid: 'other' };
          return new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
        },
      ],
      [
        'no signature',
        (claims: Claims) => Promise.resolve(`${encoded({ alg: 'none' })}.${encoded(claims)}.`),
      ],
      [
        'a signature with a secret',
        (claims: Claims) => {
          const signed = `${encoded({ alg: 'HS256' })}.${encoded(claims)}`;
          const hmac = createHmac('sha256', 'confidential').update(signed);
          return Promise.resolve(`${signed}.${hmac.digest('base64url')}`);
        },
      ],
      [
        'changed claims',
        async (claims: Claims) => {
          const [head, , signature] = (await issuer.sign(claims)).split('.');
          return `${head}.${encoded({ ...claims, groups: ['ops', 'more'] })}.${signature}`;
        },
      ],
    ] as const) {
      // holds: sign-in.token
      it(`with an ID token that has ${title}`, async () => {
        issuer.forge = forge;
        expectRefusal(await person.signIn());
        issuer.forge = undefined;
        expect((await person.signIn()).status).to.equal(303);
      });
    }

    // holds: sign-in.page
    it('with a page that names the claims that arrived, and what each rule lacks', async () => {
      issuer.claims = {
        roles: ['secret-role'],
        email_verified: '<b>no</b>',
        email: 'ada@x.example',
      };
      const answer = await person.signIn();
      expectRefusal(answer, 403);
      const { text } = answer;
      for (const name of ['aud', 'email', 'email_verified', 'iss', 'roles', 'sub']) {
        expect(text).to.include(`<code>${name}</code>`);
      }
      expect(text).to.match(/<td>Scopes<\/td>\s*<td><code>openid<\/code> <code>groups<\/code>/);
      expect(text).not.to.include('secret-role').and.not.include('ada@x.example');
      expect(text).to.include('<code>groups</code> = <code>ops</code>: did not arrive');
      expect(text).to.include('<code>groups</code> = <code>dev-*</code>: did not arrive');
      expect(text).to.include(
        '<code>email_verified</code> = <code>true</code>: is &lt;b&gt;no&lt;/b&gt;',
      );
      const [entry] = await auditOf('session.create');
      expect(entry).to.deep.include({ outcome: 'refused', status: 403 });
      expect(entry!['who']).to.deep.include({ via: 'sign-in', subject: 'ada' });
    });
  });

  describe('while the issuer', () => {
    // holds: sign-in.away
    it('is away, are told so, and those who have signed in stay', async () => {
      const inside = new Person(service, issuer);
      await inside.signIn();
      const query = await person.leave();
      await service.clock.advance(600_000 - 1);
      issuer.isAway = true;
      const answer = await person.comeBack(query);
      expectRefusal(answer, 503);
      expect(answer.headers.get('retry-after')).to.equal('1');
      expect((await inside.ask('GET', '/queues')).status).to.equal(200);
      const fresh = await new HttpService({ identityProvider, publicUrl: PUBLIC_URL }).start();
      try {
        expectRefusal(await new Person(fresh, issuer).ask('GET', '/sign-in'), 503);
        issuer.isAway = false;
        await fresh.clock.advance(1000);
        expect((await new Person(fresh, issuer).ask('GET', '/sign-in')).status).to.equal(303);
      } finally {
        await fresh.stop();
      }
    });

    for (const [title, odd] of [
      ['no JSON', { status: 200, body: '<html>' }],
      ['a list', { status: 200, body: '[]' }],
      ['nothing', { status: 200, body: '' }],
      ['no tokens', { status: 200, body: '{}' }],
      ['an error', { status: 500, body: '{}' }],
      ['a redirect', { status: 302, body: '' }],
      ['an odd status', { status: 204, body: '' }],
      ['too much', { status: 200, body: ' '.repeat(300_000) }],
      ['that the client is unknown', { status: 401, body: '{"error":"invalid_client"}' }],
    ] as const) {
      // holds: sign-in.away
      it(`answers ${title}, are told that nobody can sign in`, async () => {
        const query = await person.leave();
        issuer.odd.token = odd;
        expectRefusal(await person.comeBack(query), 503);
        const warned = service.logger.lines.filter(({ level }) => level === 'warn');
        expect(warned.map(({ message }) => message)).to.include(
          'An issuer does not answer as it must',
        );
      });
    }

    for (const [title, body] of [
      ['of another issuer', { issuer: 'https://evil.example' }],
      ['without endpoints', {}],
      ['with endpoints that are none', { authorization_endpoint: 'here', token_endpoint: 7 }],
    ] as const) {
      // holds: sign-in.away
      it(`has a discovery document ${title}, are told that nobody can sign in`, async () => {
        const document = { issuer: issuer.url, ...body };
        issuer.odd.discovery = { status: 200, body: JSON.stringify(document) };
        expectRefusal(await person.ask('GET', '/sign-in'), 503);
      });
    }
  });

  describe('and whose rights are looked up', () => {
    beforeEach(async () => {
      issuer.givesRefreshTokens = true;
      issuer.userinfo = {};
      await person.signIn();
    });

    const status = async (): Promise<number> => (await person.ask('GET', '/queues')).status;

    // holds: sign-in.lookup
    it('have the rights that they have now once expires_in ends, and a new token each time', async () => {
      issuer.claims = { groups: 'dev-mail', email_verified: true };
      await service.clock.advance(299_999);
      expect((await person.whoami())['name']).to.equal('ops');
      expect(issuer.refreshed).to.deep.equal([]);
      await service.clock.advance(1);
      expect(await person.whoami()).to.deep.include({ name: 'dev', queues: ['mail-*'] });
      await service.clock.advance(300_000);
      expect((await person.whoami())['name']).to.equal('dev');
      expect(issuer.refreshed).to.deep.equal(issuer.given.slice(0, 2));
    });

    // holds: sign-in.lookup
    it('are looked up once for all requests at that time', async () => {
      await service.clock.advance(300_000);
      const [answer, before] = [issuer.hold(), issuer.requests];
      const asked = Array.from({ length: 20 }, status);
      await eventually('it is asked', () => Promise.resolve(issuer.requests > before));
      answer();
      expect(new Set(await Promise.all(asked))).to.deep.equal(new Set([200]));
      expect(issuer.refreshed).to.have.lengthOf(1);
    });

    // holds: sign-in.lookup
    it('are looked up hourly at least', async () => {
      issuer.expiresIn = 86_400;
      const hourly = new Person(service, issuer);
      await hourly.signIn();
      await service.clock.advance(HOUR - 1);
      await hourly.whoami();
      expect(issuer.refreshed).to.have.lengthOf(0);
      await service.clock.advance(1);
      await hourly.whoami();
      expect(issuer.refreshed).to.have.lengthOf(1);
    });

    // holds: sign-in.lookup
    it('may have them in userinfo alone', async () => {
      issuer.givesIdTokens = false;
      issuer.userinfo = { groups: ['ops'] };
      await service.clock.advance(600_000);
      expect(await status()).to.equal(200);
    });

    for (const [title, change] of [
      [
        'the issuer refuses it',
        () => (issuer.odd.token = { status: 400, body: '{"error":"invalid_grant"}' }),
      ],
      ['the issuer names someone else', () => (issuer.claims = { ...issuer.claims, sub: 'grace' })],
      ['no rule matches any more', () => (issuer.claims = { groups: 'guests' })],
      [
        'the ID token is forged',
        () => (issuer.forge = (claims) => issuer.sign({ ...claims, aud: 'x' })),
      ],
      [
        'another issuer is configured',
        () => (settings = { ...settings, issuer: 'http://127.0.0.1:9' }),
      ],
    ] as const) {
      // holds: sign-in.lookup-refused
      it(`are signed out when ${title}`, async () => {
        change();
        expect(await status()).to.equal(200);
        await service.clock.advance(300_000);
        expect(await status()).to.equal(401);
        issuer.odd = {};
        expect(await status()).to.equal(401);
      });
    }

    for (const [title, change] of [
      ['is away', () => (issuer.isAway = true)],
      ['answers no JSON', () => (issuer.odd.token = { status: 200, body: 'x' })],
      ['answers no tokens', () => (issuer.odd.token = { status: 200, body: '{}' })],
      [
        'does not know the client',
        () => (issuer.odd.token = { status: 401, body: '{"error":"invalid_client"}' }),
      ],
    ] as const) {
      // holds: sign-in.lookup-away
      it(`stay while the issuer ${title}, which is asked again after a minute`, async () => {
        change();
        await service.clock.advance(300_000);
        expect(await status()).to.equal(200);
        issuer.isAway = false;
        issuer.odd = {};
        issuer.claims = { groups: 'guests' };
        await service.clock.advance(59_999);
        expect(await status()).to.equal(200);
        await service.clock.advance(1);
        expect(await status()).to.equal(401);
      });
    }

    // holds: sign-in.sealed
    it('have a refresh token that the store cannot read', async () => {
      const [session] = await service.sessionStore.ofHolder(`sign-in:${issuer.url}:ada`);
      expect(session?.signIn?.lookup?.refreshToken).to.be.a('string');
      expect(JSON.stringify(session)).not.to.include(issuer.given[0]);
    });

    // holds: sign-in.streams
    it('have streams that end when it is due, and begin again with the rights of then', async () => {
      const cookie = `jobgate-session=${person.session}`;
      const events = await fetch(`${service.url}/events`, { headers: { cookie } });
      await service.clock.advance(300_000);
      await service.sessions.round();
      await events.text().catch(() => undefined);
      issuer.claims = { groups: 'guests' };
      expect((await fetch(`${service.url}/events`, { headers: { cookie } })).status).to.equal(401);
    });
  });

  describe('sign out', () => {
    // holds: sign-in.sign-out
    it('with where to go to end it at the issuer', async () => {
      await person.signIn();
      const cookie = person.session;
      const { status, text } = await person.ask('POST', '/sign-out');
      expect(status).to.equal(200);
      expect(JSON.parse(text)).to.deep.equal({
        url: `${issuer.url}/end?theme=dark&client_id=jobgate`,
      });
      expect(person.session).to.equal(undefined);
      person.cookies.set('jobgate-session', cookie!);
      expect((await person.ask('GET', '/queues')).status).to.equal(401);
      expect((await auditOf('session.delete'))[0]).to.deep.include({ outcome: 'ok' });
    });

    // holds: sign-in.sign-out
    it('with nowhere to go when the issuer names no place, or the session is of a token', async () => {
      issuer.endsSessions = false;
      await person.signIn();
      expect((await person.ask('POST', '/sign-out')).text).to.equal('{"url":null}');
      const { headers } = await service.request('POST', '/sessions');
      person.cookies.set(
        'jobgate-session',
        /=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '',
      );
      expect((await person.ask('POST', '/sign-out')).text).to.equal('{"url":null}');
    });

    // holds: sign-in.sign-out
    it('where the dashboard is read-only too', async () => {
      const readOnly = await new HttpService({
        ...{ identityProvider, publicUrl: PUBLIC_URL, dashboard: 'readonly' },
      }).start();
      try {
        const reader = new Person(readOnly, issuer);
        await reader.signIn();
        expect((await reader.ask('POST', '/queues/mail/pause')).status).to.equal(403);
        expect((await reader.ask('POST', '/sign-out')).status).to.equal(200);
      } finally {
        await readOnly.stop();
      }
    });

    // holds: sign-in.sign-out
    it('and take their tickets with them', async () => {
      await person.signIn();
      const ticket = async (): Promise<string> =>
        (JSON.parse((await person.ask('POST', '/tickets')).text) as { ticket: string }).ticket;
      const [good, late] = [await ticket(), await ticket()];
      const redeem = async (text: string): Promise<number> => {
        const answer = await fetch(`${service.url}/events?ticket=${text}`);
        await answer.body?.cancel();
        return answer.status;
      };
      expect(await redeem(good)).to.equal(200);
      await person.ask('POST', '/sign-out');
      expect(await redeem(late)).to.equal(401);
    });
  });

  // holds: sign-in.off
  it('cannot where there is no dashboard, or no file', async () => {
    const bare = [{ dashboard: 'off', identityProvider, publicUrl: PUBLIC_URL }, {}] as const;
    for (const options of bare) {
      const other = await new HttpService(options).start();
      try {
        for (const path of ['/sign-in', '/sign-in/callback?state=x&code=y']) {
          const { status } = await other.request('GET', path, { token: null });
          expect(status, path).to.equal(404);
        }
        expect((await other.request('POST', '/sign-out')).status).to.equal(404);
      } finally {
        await other.stop();
      }
    }
  });

  // holds: sign-in.rules
  it('follow the rules that the file has now', async () => {
    const [, dev] = settings.rules;
    settings = { ...settings, rules: [{ ...dev!, claims: { groups: 'ops' }, name: 'changed' }] };
    await person.signIn();
    expect((await person.whoami())['name']).to.equal('changed');
  });
});
