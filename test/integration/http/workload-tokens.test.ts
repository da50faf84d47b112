import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type GenerateKeyPairResult } from 'jose';
import type { TokenIssuer } from '../../../src/domain/access/token-issuer.ts';
import { eventually } from '../../support/eventually.ts';
import { HttpService } from './support/http-service.ts';

const AUDIENCE = 'jobgate';

interface Claims {
  readonly [claim: string]: unknown;
}

/** An issuer on a port of its own. */
class Issuer {
  readonly #server: Server;
  readonly #keys = new Map<string, GenerateKeyPairResult & { alg: string }>();
  /** Members of the set of keys beside those that it signs with. */
  readonly odd: unknown[] = [];
  requests = 0;
  /** Requests for the keys. */
  reads = 0;
  isAway = false;
  #held: Promise<void> | undefined;
  /** Requests that their client gave up. */
  abandoned = 0;
  /** Another place of the keys, which answers are redirected to. */
  elsewhere: string | undefined;

  constructor() {
    this.#server = createServer((request, response) => {
      response.on('close', () => (this.abandoned += response.writableFinished ? 0 : 1));
      void this.#answer(request, response);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    const document = await this.#document(request.url ?? '');
    await this.#held;
    if (this.elsewhere === undefined) response.statusCode = this.isAway ? 500 : 200;
    else response.writeHead(302, { Location: this.elsewhere });
    response.end(JSON.stringify(document));
  }

  /** Lets requests wait. @returns what answers them. */
  hold(): () => void {
    let release = (): void => undefined;
    this.#held = new Promise((resolve) => (release = resolve));
    return () => {
      this.#held = undefined;
      release();
    };
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async addKey(kid: string, alg = 'ES256'): Promise<void> {
    this.#keys.set(kid, { ...(await generateKeyPair(alg, { extractable: true })), alg });
  }

  async publicKey(kid: string): Promise<string> {
    return exportSPKI(this.#keys.get(kid)!.publicKey);
  }

  sign(kid: string, claims: Claims): Promise<string> {
    const { privateKey, alg } = this.#keys.get(kid)!;
    return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(privateKey);
  }

  async #document(path: string): Promise<unknown> {
    if (path === '/.well-known/openid-configuration') {
      return { issuer: this.url, jwks_uri: `${this.url}/keys` };
    }
    this.reads += 1;
    const keys = [...this.#keys].map(async ([kid, { publicKey, alg }]) => {
      return { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
    });
    return { keys: [...this.odd, ...(await Promise.all(keys))] };
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('Tokens of workloads', () => {
  let issuer: Issuer;
  let foreign: Issuer;
  let service: HttpService;

  const settings = (): TokenIssuer => ({
    issuer: issuer.url,
    audience: AUDIENCE,
    rules: [
      {
        claims: { sub: 'system:serviceaccount:shop:*' },
        name: 'shop',
        rights: ['read', 'add'],
        queues: ['mail-*'],
      },
      { claims: { groups: 'operators' }, name: 'operators', rights: ['admin'] },
    ],
  });

  before(async () => {
    [issuer, foreign] = await Promise.all([new Issuer().start(), new Issuer().start()]);
    for (const alg of ['ES256', 'RS256', 'EdDSA', 'PS256']) await issuer.addKey(alg, alg);
    await foreign.addKey('ES256');
  });
  after(() => Promise.all([issuer.stop(), foreign.stop()]));

  beforeEach(async () => {
    issuer.requests = 0;
    issuer.reads = 0;
    issuer.isAway = false;
    issuer.abandoned = 0;
    issuer.odd.length = 0;
    issuer.elsewhere = undefined;
    service = await new HttpService({ issuers: [settings()] }).start();
  });
  afterEach(() => service.stop());

  /** The claims of an issuer about a workload of the shop, valid for an hour. */
  const claims = (changes: Claims = {}): Claims => {
    const now = Math.floor(service.clock.now() / 1000);
    return {
      iss: issuer.url,
      aud: AUDIENCE,
      sub: 'system:serviceaccount:shop:web',
      iat: now,
      exp: now + 3600,
      ...changes,
    };
  };

  const ask = (token: string, path = '/whoami') => service.request('GET', path, { token });

  for (const alg of ['ES256', 'RS256', 'EdDSA']) {
    // holds: jwt.accepted
    it(`are accepted with a signature of ${alg}`, async () => {
      const token = await issuer.sign(alg, claims());
      const { status, text } = await ask(token);
      expect(status).to.equal(200);
      expect(JSON.parse(text)).to.deep.equal({
        name: 'shop',
        rights: ['read', 'add'],
        queues: ['mail-*'],
        expires: (claims()['exp'] as number) * 1000,
        via: 'jwt',
      });
      expect((await ask(token, '/queues/mail-a/figures')).status).to.equal(404);
      expect((await ask(token, '/queues/other/figures')).status).to.equal(403);
      expect((await ask(token, '/tokens')).status).to.equal(403);
      const session = await service.request('POST', '/sessions', { token });
      expect(session.status).to.equal(403);
    });
  }

  // holds: jwt.accepted
  it('have the rights of the first rule whose claims all match', async () => {
    const operator = await issuer.sign('ES256', claims({ sub: 'me', groups: ['x', 'operators'] }));
    expect((await ask(operator, '/tokens')).status).to.equal(200);
    const nobody = await issuer.sign('ES256', claims({ sub: 'system:serviceaccount:other:web' }));
    expect((await ask(nobody)).status).to.equal(401);
  });

  // holds: jwt.refused
  it('are refused when they are forged', async () => {
    const now = claims();
    const none = `${encoded({ alg: 'none' })}.${encoded(now)}.`;
    const signed = `${encoded({ alg: 'HS256', kid: 'ES256' })}.${encoded(now)}`;
    const hmac = createHmac('sha256', await issuer.publicKey('ES256')).update(signed);
    const genuine = await issuer.sign('ES256', now);
    const [head = '', , signature = ''] = genuine.split('.');
    const forged = [
      none,
      `${encoded({ alg: 'none', kid: 'ES256' })}.${encoded(now)}.${signature}`,
      `${signed}.${hmac.digest('base64url')}`,
      `${head}.${encoded({ ...now, groups: 'operators' })}.${signature}`,
      await foreign.sign('ES256', now),
      await foreign.sign('ES256', { ...now, iss: foreign.url }),
      await issuer.sign('PS256', now),
      `${encoded({ alg: 'ES256', kid: 'ES256' })}.x.x`,
    ];
    for (const token of forged) expect((await ask(token)).status, token).to.equal(401);
    expect((await ask(genuine)).status).to.equal(200);
  });

  // holds: jwt.refused
  it('are refused outside of their time and for another audience', async () => {
    const now = claims()['iat'] as number;
    for (const changes of [
      { exp: now - 31 },
      { exp: undefined },
      { aud: 'other' },
      { aud: undefined },
      { nbf: now + 60 },
      { exp: now + 90_000 },
      { iat: now - 80_000, exp: now + 80_000 },
    ]) {
      const token = await issuer.sign(
        'ES256',
        JSON.parse(JSON.stringify(claims(changes))) as Claims,
      );
      expect((await ask(token)).status, JSON.stringify(changes)).to.equal(401);
    }
    const tolerated = await issuer.sign('ES256', claims({ exp: now - 29 }));
    expect((await ask(tolerated)).status).to.equal(200);
  });

  // holds: jwt.refused
  it('end when they expire, even if they were seen before', async () => {
    const token = await issuer.sign('ES256', claims({ exp: (claims()['iat'] as number) + 10 }));
    expect((await ask(token)).status).to.equal(200);
    await service.clock.advance(41_000);
    expect((await ask(token)).status).to.equal(401);
  });

  // holds: jwt.keys
  it('cause one read of the keys, and another for unknown keys at most once a minute', async () => {
    const flood = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const header = encoded({ alg: 'ES256', kid: `unknown-${index}` });
        const [, payload, signature] = (await issuer.sign('ES256', claims())).split('.');
        return `${header}.${payload}.${signature}`;
      }),
    );
    for (const token of flood) expect((await ask(token)).status).to.equal(401);
    expect(issuer.reads).to.equal(1);
    await issuer.addKey('late');
    const late = await issuer.sign('late', claims());
    expect((await ask(late)).status).to.equal(401);
    await service.clock.advance(60_000);
    const answers = await Promise.all([late, ...flood].map((token) => ask(token)));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, ...flood.map(() => 401)]);
    expect(issuer.reads).to.equal(2);
  });

  // holds: jwt.outage
  it('are 503 while the keys of their issuer cannot be read, and others keep working', async () => {
    issuer.isAway = true;
    const token = await issuer.sign('ES256', claims());
    expect((await ask(token)).status).to.equal(503);
    expect((await service.request('GET', '/whoami')).status).to.equal(200);
    expect((await ask(await foreign.sign('ES256', { iss: foreign.url }))).status).to.equal(401);
    issuer.isAway = false;
    await service.clock.advance(1000);
    expect((await ask(token)).status).to.equal(200);
    issuer.isAway = true;
    await service.clock.advance(700_000);
    const later = await issuer.sign('ES256', claims());
    expect((await ask(later)).status).to.equal(200);
  });

  const about = (message: RegExp) =>
    service.logger.lines.filter((line) => line.level !== 'debug' && message.test(line.message));

  // holds: jwt.keys
  it('do not wait for an issuer that hangs when their key is known', async () => {
    expect((await ask(await issuer.sign('ES256', claims()))).status).to.equal(200);
    await service.clock.advance(600_000);
    const answer = issuer.hold();
    await issuer.addKey('rotated');
    const [known, rotated] = await Promise.all(
      ['ES256', 'rotated'].map((kid) => issuer.sign(kid, claims())),
    );
    expect((await ask(known!)).status).to.equal(200);
    expect(issuer.abandoned, 'reads that ended before the answer').to.equal(0);
    const waiting = ask(rotated!);
    answer();
    expect((await waiting).status).to.equal(200);
    expect(issuer.reads).to.equal(2);
  });

  // holds: jwt.outage
  it('leave an issuer alone for a while after a read that failed, however long it took', async () => {
    const answer = issuer.hold();
    issuer.isAway = true;
    const [first, second] = [
      await issuer.sign('ES256', claims()),
      await issuer.sign('RS256', claims()),
    ];
    const waiting = ask(first);
    await eventually('the issuer is asked', () => Promise.resolve(issuer.requests === 1));
    await service.clock.advance(5000);
    answer();
    expect((await waiting).status).to.equal(503);
    expect((await ask(second)).status).to.equal(503);
    expect(issuer.requests).to.equal(1);
    for (const pause of [1000, 2000, 4000]) {
      await service.clock.advance(pause - 1);
      expect((await ask(second)).status).to.equal(503);
      const before = issuer.requests;
      await service.clock.advance(1);
      expect((await ask(second)).status).to.equal(503);
      expect(issuer.requests).to.equal(before + 1);
    }
  });

  // holds: jwt.outage
  it('are 503 with an unknown key while their issuer is away', async () => {
    expect((await ask(await issuer.sign('ES256', claims()))).status).to.equal(200);
    await service.clock.advance(60_000);
    issuer.isAway = true;
    await issuer.addKey('new');
    expect((await ask(await issuer.sign('new', claims()))).status).to.equal(503);
    expect((await ask(await issuer.sign('RS256', claims()))).status).to.equal(200);
  });

  // holds: jwt.outage
  it('cause no line each in the log while their issuer is away', async () => {
    issuer.isAway = true;
    const forged = `${encoded({ alg: 'ES256', kid: 'x' })}.${encoded(claims())}`;
    for (let index = 0; index < 50; index += 1) {
      expect((await ask(`${forged}.${index}`)).status).to.equal(503);
    }
    expect(about(/./).map(({ message }) => message)).to.deep.equal([
      'The keys of an issuer cannot be read',
      'Requests without a valid token were refused',
    ]);
  });

  // holds: jwt.keys
  it('are 401 with a key of the issuer that cannot be used, which harms no other key', async () => {
    const { publicKey } = await generateKeyPair('RS256', { extractable: true });
    const { n } = await exportJWK(publicKey);
    issuer.odd.push(
      { kty: 'EC', crv: 'P-256', kid: 'off-curve', x: 'AA', y: 'AA' },
      { kty: 'RSA', kid: 'short', n: n!.slice(0, 128), e: 'AQAB' },
      { kty: 'OKP', crv: 'Ed25519', kid: 'cut', x: 'AA' },
      null,
    );
    const genuine = await issuer.sign('ES256', claims());
    const [, payload, signature] = genuine.split('.');
    for (const [alg, kid] of [
      ['ES256', 'off-curve'],
      ['RS256', 'short'],
      ['EdDSA', 'cut'],
    ]) {
      const forged = `${encoded({ alg, kid })}.${payload}.${signature}`;
      expect((await ask(forged)).status, kid).to.equal(401);
    }
    expect((await ask(genuine)).status).to.equal(200);
  });

  // holds: jwt.keys
  it('do not make the service read more of their issuer than 256 kB', async () => {
    issuer.odd.push({ kty: 'oct', k: 'x'.repeat(16_000_000) });
    expect((await ask(await issuer.sign('ES256', claims()))).status).to.equal(503);
    const { fields } = about(/keys of an issuer/)[0]!;
    expect(String(fields['error'])).to.match(/has more than 262144 bytes$/);
  });

  // holds: jwt.keys
  it('do not make the service follow redirects of their issuer', async () => {
    issuer.elsewhere = `${foreign.url}/keys`;
    foreign.reads = 0;
    expect((await ask(await issuer.sign('ES256', claims()))).status).to.equal(503);
    expect(foreign.reads).to.equal(0);
  });
});
