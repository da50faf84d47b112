import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type GenerateKeyPairResult } from 'jose';
import type { TokenIssuer } from '../../../src/domain/access/token-issuer.ts';
import { HttpService } from './support/http-service.ts';

const AUDIENCE = 'jobgate';

interface Claims {
  readonly [claim: string]: unknown;
}

/** An issuer on a port of its own. */
class Issuer {
  readonly #server: Server;
  readonly #keys = new Map<string, GenerateKeyPairResult & { alg: string }>();
  reads = 0;
  isAway = false;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#document(request.url ?? '').then((document) => {
        response.statusCode = this.isAway ? 500 : 200;
        response.end(JSON.stringify(document));
      });
    });
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
    return { keys: await Promise.all(keys) };
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
    issuer.reads = 0;
    issuer.isAway = false;
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
});
