import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type GenerateKeyPairResult } from 'jose';
import type { SignInSettings } from '../../../src/domain/access/sign-in.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** An answer of an endpoint in place of the right one. */
export interface OddAnswer {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

const CLIENT = { clientId: 'jobgate', clientSecret: 'confidential' };

interface Way {
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

/**
 * An OpenID Connect provider that does its part by the book: it checks the client, the redirect URI and the verifier. A
 * test decides what it says of a person, and has it say what no provider should.
 */
export class FakeIssuer {
  readonly #server: Server;
  #key: GenerateKeyPairResult | undefined;
  readonly #codes = new Map<string, Way>();
  readonly #refreshTokens = new Set<string>();
  readonly #now: () => number;
  #drawn = 0;
  /** What it says of the person, besides the claims of every ID token. */
  claims: Claims = {};
  /** What userinfo adds; undefined for no such endpoint. */
  userinfo: Claims | undefined;
  /** Seconds; undefined for none in the answer. */
  expiresIn: number | undefined = 300;
  givesRefreshTokens = false;
  /** In answers to refresh tokens too. */
  givesIdTokens = true;
  endsSessions = true;
  isAway = false;
  requests = 0;
  /** Makes another ID token of the right claims. */
  forge: ((claims: Claims) => Promise<string>) | undefined;
  odd: Partial<Record<'discovery' | 'token' | 'userinfo' | 'keys', OddAnswer>> = {};
  /** The refresh tokens that were sent. */
  readonly refreshed: string[] = [];
  /** Those that it gave out. */
  readonly given: string[] = [];
  #held: Promise<void> | undefined;

  /** @param now epoch ms by the clock of the service. */
  constructor(now: () => number) {
    this.#now = now;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async start(): Promise<this> {
    this.#key = await generateKeyPair('ES256', { extractable: true });
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The settings of a service that people sign in to here. */
  settings(changes: Partial<SignInSettings> = {}): SignInSettings {
    const rules = [
      { claims: { groups: 'ops' }, name: 'ops', rights: ['admin'] as const },
      {
        ...{ claims: { groups: 'dev-*', email_verified: 'true' }, name: 'dev' },
        ...{ rights: ['read'] as const, queues: ['mail-*'] },
      },
    ];
    return { issuer: this.url, ...CLIENT, scopes: ['openid', 'groups'], rules, ...changes };
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

  /** The person agrees at the URL that the service redirected to. @returns the query with which they come back. */
  agree(location: string): URLSearchParams {
    const { origin, pathname, searchParams } = new URL(location);
    if (`${origin}${pathname}` !== `${this.url}/authorize`) throw new Error(`Sent to ${location}`);
    const of = (name: string): string => searchParams.get(name) ?? '';
    const code = this.#draw('code');
    this.#codes.set(code, {
      nonce: of('nonce'),
      challenge: of('code_challenge'),
      redirectUri: of('redirect_uri'),
    });
    return new URLSearchParams({ code, state: of('state'), iss: this.url, session_state: 'x' });
  }

  /** Signs as this issuer does. */
  sign(claims: Claims, header: Claims = {}): Promise<string> {
    const protectedHeader = { alg: 'ES256', kid: 'one', ...header };
    return new SignJWT(claims).setProtectedHeader(protectedHeader).sign(this.#key!.privateKey);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    await this.#held;
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const {
      status,
      body,
      type = 'application/json',
    } = await this.#reply(path, request, new URLSearchParams(Buffer.concat(chunks).toString()));
    response.writeHead(status, { 'Content-Type': type }).end(body);
  }

  async #reply(path: string, request: IncomingMessage, form: URLSearchParams): Promise<OddAnswer> {
    if (this.isAway) return { status: 502, body: 'Bad Gateway', type: 'text/plain' };
    switch (path) {
      case '/.well-known/openid-configuration':
        return this.odd.discovery ?? answer(this.#document());
      case '/keys':
        return this.odd.keys ?? answer(await this.#keys());
      case '/token':
        return this.odd.token ?? this.#tokens(request, form);
      case '/userinfo':
        return this.odd.userinfo ?? answer({ sub: 'ada', ...this.userinfo });
      default:
        return { status: 404, body: '{}' };
    }
  }

  #document(): Claims {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/keys`,
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['ES256', 'none', 'HS256'],
      ...(this.userinfo && { userinfo_endpoint: `${this.url}/userinfo` }),
      ...(this.endsSessions && { end_session_endpoint: `${this.url}/end?theme=dark` }),
    };
  }

  async #keys(): Promise<Claims> {
    const key = await exportJWK(this.#key!.publicKey);
    return { keys: [{ ...key, kid: 'one', alg: 'ES256', use: 'sig' }] };
  }

  async #tokens({ headers }: IncomingMessage, form: URLSearchParams): Promise<OddAnswer> {
    const proof = Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64');
    if (headers.authorization !== `Basic ${proof}`) return refusal('invalid_client', 401);
    if (form.get('grant_type') === 'refresh_token') {
      const token = form.get('refresh_token') ?? '';
      this.refreshed.push(token);
      if (!this.#refreshTokens.delete(token)) return refusal('invalid_grant');
      return this.#granted(undefined);
    }
    const way = this.#codes.get(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    this.#codes.delete(form.get('code') ?? '');
    if (way?.challenge !== challenge || way.redirectUri !== form.get('redirect_uri')) {
      return refusal('invalid_grant');
    }
    return this.#granted(way.nonce);
  }

  async #granted(nonce: string | undefined): Promise<OddAnswer> {
    const refreshToken = this.givesRefreshTokens ? this.#draw('refresh-token') : undefined;
    if (refreshToken !== undefined) {
      this.#refreshTokens.add(refreshToken);
      this.given.push(refreshToken);
    }
    const isGiven = nonce !== undefined || this.givesIdTokens;
    return answer({
      access_token: this.#draw('access-token'),
      token_type: 'Bearer',
      ...(this.expiresIn !== undefined && { expires_in: this.expiresIn }),
      ...(isGiven && { id_token: await this.#idToken(nonce) }),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    });
  }

  #idToken(nonce: string | undefined): Promise<string> {
    const now = Math.floor(this.#now() / 1000);
    const times = { iat: now, exp: now + 600 };
    const known = { iss: this.url, aud: CLIENT.clientId, sub: 'ada', ...times };
    const claims = { ...known, ...(nonce !== undefined && { nonce }), ...this.claims };
    return this.forge?.(claims) ?? this.sign(claims);
  }

  #draw(kind: string): string {
    this.#drawn += 1;
    return `${kind}-${this.#drawn}-${'x'.repeat(20)}`;
  }
}

function answer(body: Claims): OddAnswer {
  return { status: 200, body: JSON.stringify(body) };
}

function refusal(error: string, status = 400): OddAnswer {
  return { status, body: JSON.stringify({ error }) };
}
